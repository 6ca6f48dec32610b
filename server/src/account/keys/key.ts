import { randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

/** Part of the interface: keys in use begin with it. Keys of browser tabs have their own, so that a leak shows what leaked. */
const prefixes = { live: "tw_live_", tab: "tw_tab_" } as const;
export type KeyKind = keyof typeof prefixes;
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const secretLength = 32;
const checksumLength = 6;
const shape = new RegExp(
  `^(?:${Object.values(prefixes).join("|")})[0-9A-Za-z]{${secretLength + checksumLength}}$`,
);

/** A new API key: prefix, 32 random base62 digits (190 bits) and a CRC32 of both in 6 base62 digits. */
export function makeKey(kind: KeyKind = "live"): string {
  const secret = Array.from({ length: secretLength }, () => alphabet[randomInt(alphabet.length)]).join("");
  const text = prefixes[kind] + secret;
  return text + checksum(text);
}

/** Whether a key has the form and the checksum of makeKey: typos and guesses then cost no query. */
export function isWellFormedKey(key: string): boolean {
  return shape.test(key) && key.slice(-checksumLength) === checksum(key.slice(0, -checksumLength));
}

/** Whether a key was made to stay, as far as its form tells. */
export function isLiveKey(key: string): boolean {
  return key.startsWith(prefixes.live) && isWellFormedKey(key);
}

/** Whether a key is one of a browser tab, as far as its form tells. */
export function isTabKey(key: string): boolean {
  return key.startsWith(prefixes.tab) && isWellFormedKey(key);
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
