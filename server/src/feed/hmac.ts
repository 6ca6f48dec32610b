import { hash } from "node:crypto";

const blockBytes = 64;
const hashBytes = 32;

/**
 * HMAC-SHA256 (RFC 2104) of messages of one length, by two plain hashes into memory that it keeps: an object of
 * `createHmac` and the Buffers round it lie outside of the heap, and to have them collected takes ten times as long as
 * the hashing.
 */
export class Hmac {
  readonly #inner: Buffer;
  readonly #outer = Buffer.alloc(blockBytes + hashBytes);
  /** Where the message is to be written. */
  readonly message: Buffer;

  /** @param key at most 64 bytes; longer ones would have to be hashed before */
  constructor(key: Buffer, messageBytes: number) {
    if (key.length > blockBytes) throw new RangeError("the key is too long");
    this.#inner = Buffer.alloc(blockBytes + messageBytes);
    this.message = this.#inner.subarray(blockBytes);
    for (let at = 0; at < blockBytes; at++) {
      this.#inner[at] = (key[at] ?? 0) ^ 0x36;
      this.#outer[at] = (key[at] ?? 0) ^ 0x5c;
    }
  }

  /** @returns a byte a character */
  digest(): string {
    this.#outer.write(hash("sha256", this.#inner, "binary"), blockBytes, "latin1");
    return hash("sha256", this.#outer, "binary");
  }
}
