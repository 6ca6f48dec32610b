import { createHmac, createSecretKey, hash, type KeyObject, timingSafeEqual } from "node:crypto";
import { ApiError, errorTable } from "@tapewire/contract/errors.ts";
import type { Filter } from "@tapewire/contract/filter.ts";

/** Place of an item in the list; a page goes on behind it. */
export interface ListPosition {
  readonly publishedAt: Date;
  readonly id: string;
}

const version = 1;
const bytes = { version: 1, time: 8, id: 16, filter: 8, mac: 16 } as const;
const signedLength = bytes.version + bytes.time + bytes.id + bytes.filter;

/**
 * Makes and reads next_cursor: base64url of version, published_at (ms), id, filter hash and a truncated HMAC-SHA256
 * over them. A cursor is good only for the filters it was made with.
 * @param key secret shared by all processes of a deployment
 */
export class ListCursors {
  /** Made once: of a Buffer every signature would make its own. */
  readonly #key: KeyObject;

  constructor(key: Buffer) {
    this.#key = createSecretKey(key);
  }

  encode({ publishedAt, id }: ListPosition, filter: Filter): string {
    const cursor = Buffer.alloc(signedLength + bytes.mac);
    const signed = cursor.subarray(0, signedLength);
    signed.writeUInt8(version, 0);
    signed.writeBigInt64BE(BigInt(publishedAt.getTime()), bytes.version);
    signed.write(id.replaceAll("-", ""), bytes.version + bytes.time, "hex");
    filterHash(filter).copy(signed, bytes.version + bytes.time + bytes.id);
    this.#mac(signed).copy(cursor, signedLength);
    return cursor.toString("base64url");
  }

  /** @throws {ApiError} invalid_cursor: not ours, tampered with, or made with other filters */
  decode(cursor: string, filter: Filter): ListPosition {
    const raw = Buffer.from(cursor, "base64url");
    const signed = raw.subarray(0, signedLength);
    const mac = raw.subarray(signedLength);
    // Compared again as text: Buffer.from ignores characters that are no base64url.
    const whole = raw.length === signedLength + bytes.mac && raw.toString("base64url") === cursor;
    if (!whole || raw.readUInt8(0) !== version || !timingSafeEqual(mac, this.#mac(signed)))
      throw refused(errorTable.invalid_cursor.message);
    if (!signed.subarray(-bytes.filter).equals(filterHash(filter)))
      throw refused("The cursor was made with other filters");
    const hex = signed.toString("hex", bytes.version + bytes.time, signedLength - bytes.filter);
    return {
      publishedAt: new Date(Number(signed.readBigInt64BE(bytes.version))),
      id: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5"),
    };
  }

  #mac(signed: Buffer): Buffer {
    return createHmac("sha256", this.#key).update(signed).digest().subarray(0, bytes.mac);
  }
}

/** Equal for equal filters: the members of a Filter always come in one order, its values sorted. */
function filterHash(filter: Filter): Buffer {
  return hash("sha256", JSON.stringify(filter), "buffer").subarray(0, bytes.filter);
}

function refused(detail: string): ApiError {
  return new ApiError("invalid_cursor", { fields: [{ in: "query", name: "cursor", detail }] });
}
