import { createHmac, createSecretKey, hash, type KeyObject, timingSafeEqual } from "node:crypto";
import { ApiError, errorTable } from "@tapewire/contract/errors/errors.ts";
import type { Filter } from "@tapewire/contract/filter.ts";
import type { ListPosition } from "../feed/list-key.ts";

const version = 1;
const bytes = { version: 1, time: 8, id: 16, filter: 8, mac: 16 } as const;
const signedLength = bytes.version + bytes.time + bytes.id + bytes.filter;

/**
 * Makes and reads next_cursor: base64url of version, published_at (ms), id, filter hash and a truncated HMAC-SHA256
 * over them. A cursor is valid only for the filters it was made with.
 * @param key secret shared by all processes of a deployment
 */
export class ListCursors {
  readonly #key: KeyObject;
  /** Reused for every cursor: a Buffer is outside the heap and costly to collect. */
  readonly #cursor = Buffer.alloc(signedLength + bytes.mac);
  readonly #signed = this.#cursor.subarray(0, signedLength);

  constructor(key: Buffer) {
    this.#key = createSecretKey(key);
  }

  encode({ publishedAt, id }: ListPosition, filter: Filter): string {
    const signed = this.#signed;
    signed.writeUInt8(version, 0);
    signed.writeBigInt64BE(BigInt(publishedAt.getTime()), bytes.version);
    signed.write(id.replaceAll("-", ""), bytes.version + bytes.time, "hex");
    signed.write(filterHash(filter), signedLength - bytes.filter, "latin1");
    this.#cursor.write(this.#mac(), signedLength, bytes.mac, "latin1");
    return this.#cursor.toString("base64url");
  }

  /** @throws {ApiError} invalid_cursor: not ours, changed, or made with other filters */
  decode(cursor: string, filter: Filter): ListPosition {
    const raw = Buffer.from(cursor, "base64url");
    // Compared as text too, because Buffer.from ignores characters outside base64url.
    const isWhole = raw.length === signedLength + bytes.mac && raw.toString("base64url") === cursor;
    if (!isWhole || raw.readUInt8(0) !== version || !this.#isOurs(raw))
      throw refused(errorTable.invalid_cursor.message);
    if (raw.toString("latin1", signedLength - bytes.filter, signedLength) !== filterHash(filter))
      throw refused("The cursor was made with other filters");
    const hex = raw.toString("hex", bytes.version + bytes.time, signedLength - bytes.filter);
    return {
      publishedAt: new Date(Number(raw.readBigInt64BE(bytes.version))),
      id: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5"),
    };
  }

  #isOurs(raw: Buffer): boolean {
    raw.copy(this.#signed, 0, 0, signedLength);
    const mac = Buffer.from(this.#mac(), "latin1").subarray(0, bytes.mac);
    return timingSafeEqual(raw.subarray(signedLength), mac);
  }

  /** HMAC of `#signed`, one byte per character. */
  #mac(): string {
    return createHmac("sha256", this.#key).update(this.#signed).digest("binary");
  }
}

/**
 * Equal filters have equal hashes: the members of a Filter have a fixed order, and its values are sorted.
 * @returns the hash, one byte per character
 */
function filterHash(filter: Filter): string {
  return hash("sha256", JSON.stringify(filter), "binary").slice(0, bytes.filter);
}

function refused(detail: string): ApiError {
  return new ApiError("invalid_cursor", { fields: [{ in: "query", name: "cursor", detail }] });
}
