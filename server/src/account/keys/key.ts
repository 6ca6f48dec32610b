import { createHash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

/** Part of the interface: keys in use begin with it. */
const prefix = "tw_live_";
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const secretLength = 32;
const checksumLength = 6;
const shape = new RegExp(`^${prefix}[0-9A-Za-z]{${secretLength + checksumLength}}$`);

/** A new API key: prefix, 32 random base62 digits (190 bits) and a CRC32 of both in 6 base62 digits. */
export function makeKey(): string {
  const secret = Array.from({ length: secretLength }, () => alphabet[randomInt(alphabet.length)]).join("");
  return prefix + secret + checksum(prefix + secret);
}

/** Whether a key has the form and the checksum of makeKey: typos and guesses then cost no query. */
export function isWellFormedKey(key: string): boolean {
  return shape.test(key) && key.slice(-checksumLength) === checksum(key.slice(0, -checksumLength));
}

/** The hash that is stored for a key. 190 random bits need no salt and no slow hash. */
export function hashKey(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}

/** Enough of a key to recognise it in a list. */
export function keyHint(key: string): { prefix: string; last4: string } {
  return { prefix: key.slice(0, 12), last4: key.slice(-4) };
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = "";
  for (let i = 0; i < checksumLength; i++) {
    digits = alphabet[rest % alphabet.length] + digits;
    rest = Math.floor(rest / alphabet.length);
  }
  return digits;
}
