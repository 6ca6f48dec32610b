import { crc32 } from "node:zlib";

/**
 * Distinguishes keys that are asked for again from keys asked for once. It stores only checksums, in a table of fixed
 * size: most keys never come again, and stored as strings they would live long enough to make garbage collection slow. A
 * key can displace another, and one in four thousand million is mistaken for another: good enough to choose what to
 * cache, and for nothing else.
 */
export class AskedBefore {
  readonly #most: number;
  /** Empty until the first key, since most tables never have one. */
  #sums = new Uint32Array(0);

  /** @param most keys that are remembered */
  constructor(most: number) {
    this.#most = most;
  }

  /** @returns whether the key came before; it is remembered from now on */
  ask(key: string): boolean {
    if (this.#sums.length === 0) this.#sums = new Uint32Array(this.#most);
    // 0 marks an empty slot.
    const sum = crc32(key) || 1;
    const place = sum % this.#sums.length;
    const isKnown = this.#sums[place] === sum;
    this.#sums[place] = sum;
    return isKnown;
  }
}
