import { isAscii, isUtf8 } from "node:buffer";
import { ParseError } from "../adapter.ts";
import { withoutC1 } from "../text/text.ts";
import { withDeclaredEntities } from "./doctype.ts";

/** A document as text, and its apparent kind. */
export interface Decoded {
  readonly text: string;
  readonly kind: "xml" | "json";
}

/**
 * Decodes bytes by BOM, then HTTP, then the XML declaration, then strict UTF-8, then windows-1252; then checks the kind
 * of document, since an HTML page with status 200 is a common failure.
 * @throws {ParseError} when it is empty or no feed document
 */
export function decodeDocument(body: Uint8Array, contentType: string): Decoded {
  const text = decodeText(body, contentType).replace(/^[\s\ufeff\0]+/, "");
  if (text === "") throw new ParseError("the answer is empty");
  if (/^[{[]/.test(text)) {
    boundJson(text);
    return { text, kind: "json" };
  }
  // Skips the warnings of a script, or the start of a page, that some servers put before the feed.
  const start = text.search(/<(?:[a-z][\w.-]*:)?(?:rss|feed|rdf)[\s>]/i);
  if (start !== -1)
    return { text: withDeclaredEntities(text.slice(start), text.slice(0, start)), kind: "xml" };
  const page = /<(?:!doctype html|html|head|body)[\s>]/i.test(text.slice(0, 2000));
  throw new ParseError(page ? "the answer is an HTML page, not a feed" : "the answer is no feed");
}

/**
 * JSON.parse cannot be stopped: for a text made mostly of brackets it takes fifty times its size, and a thread that runs
 * out of memory in it ends the whole process.
 * @throws {ParseError} when there are more objects and arrays than in any list
 */
export function boundJson(text: string): void {
  let count = 0;
  for (const bracket of ["{", "["])
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) {
      count += 1;
      if (count > mostJsonParts) throw new ParseError(`more than ${mostJsonParts} objects and arrays`);
    }
}
const mostJsonParts = 1_000_000;

/** Charset names that in practice mean a larger charset. */
const widened: Readonly<Record<string, string>> = { gb2312: "gb18030", gbk: "gb18030" };
/** Charsets that give the bytes of ASCII other meanings, so their names count even for a text of ASCII bytes. */
const shifting = /^(?:utf-7|iso-2022|hz)/;

/**
 * Ignores a charset name that the bytes contradict. Valid UTF-8 is hardly ever anything else, and Latin-1 is what servers
 * and generators claim by default: so the bytes decide between these two, whatever is claimed.
 */
export function decodeText(body: Uint8Array, contentType: string): string {
  const certain = bomCharset(body) ?? patternCharset(body);
  if (certain?.startsWith("utf-32") === true) return decodeUtf32(body, certain === "utf-32le");
  if (certain !== null) return new TextDecoder(certain).decode(body);
  const claims = [httpCharset(contentType), xmlCharset(body)].filter((name) => name !== null);
  if (isAscii(body) && !claims.some((name) => shifting.test(name))) return asLatin1(body);
  for (const named of claims) {
    const text = decodeAs(body, named);
    if (text !== null) return text;
  }
  return decodeAs(body, "utf-8") ?? damagedUtf8(body) ?? windows1252(body);
}

/** Latin-1 except for the bytes 80 to 9f. */
function windows1252(body: Uint8Array): string {
  return withoutC1(asLatin1(body).replaceAll("\x85", "\u2026"));
}

/** null when the charset is unknown, when the bytes are invalid in it, or when it is Latin-1 (see above). */
function decodeAs(body: Uint8Array, label: string): string | null {
  try {
    const decoder = new TextDecoder(widened[label] ?? label);
    const { encoding } = decoder;
    if (encoding === "windows-1252" || (encoding === "utf-8" && !isUtf8(body))) return null;
    return decoder.decode(body);
  } catch {
    return null;
  }
}

/** UTF-8 that is cut in the middle of a character or has a stray byte, if most of it is valid. */
function damagedUtf8(body: Uint8Array): string | null {
  let bad = 0;
  let good = 0;
  for (let at = 0; at < body.length; ) {
    const lead = body[at] ?? 0;
    const length = utf8Length(lead);
    let end = at + 1;
    while (end < at + length && ((body[end] ?? 0) & 0xc0) === 0x80) end += 1;
    if (length > 1 && end === at + length) good += 1;
    // At the very end it is a truncated character.
    else if (lead > 0x7f && end < body.length) bad += 1;
    at = end;
  }
  return good > 0 && good >= 4 * bad ? new TextDecoder().decode(body) : null;
}

/** Length of the character that a byte begins; 1 for a byte that begins none. */
function utf8Length(lead: number): number {
  if (lead < 0xc2 || lead > 0xf4) return 1;
  if (lead < 0xe0) return 2;
  return lead < 0xf0 ? 3 : 4;
}

function bomCharset(body: Uint8Array): string | null {
  const [a, b, c, d] = body;
  if (a === 0xff && b === 0xfe && c === 0 && d === 0) return "utf-32le";
  if (a === 0 && b === 0 && c === 0xfe && d === 0xff) return "utf-32be";
  if (a === 0xef && b === 0xbb && c === 0xbf) return "utf-8";
  if (a === 0xff && b === 0xfe) return "utf-16le";
  if (a === 0xfe && b === 0xff) return "utf-16be";
  return null;
}

/** "<" or "{" among zero bytes: UTF-16 or UTF-32 without a BOM. */
function patternCharset([a, b, c, d]: Uint8Array): string | null {
  const isOpening = (byte: number | undefined) => byte === 0x3c || byte === 0x7b;
  if (isOpening(a) && b === 0) return c === 0 ? "utf-32le" : "utf-16le";
  if (a === 0 && b === 0 && c === 0 && isOpening(d)) return "utf-32be";
  if (a === 0 && isOpening(b)) return "utf-16be";
  return null;
}

/** TextDecoder does not support UTF-32. */
function decodeUtf32(body: Uint8Array, littleEndian: boolean): string {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const parts: string[] = [];
  for (let at = 0; at + 4 <= body.length; at += 4) {
    const point = view.getUint32(at, littleEndian);
    parts.push(point <= 0x10_ffff ? String.fromCodePoint(point) : "\ufffd");
  }
  return parts.join("");
}

function httpCharset(contentType: string): string | null {
  return unlessWide(/charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType)?.[1]);
}

/** One character per byte. */
function asLatin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}

function xmlCharset(body: Uint8Array): string | null {
  const head = asLatin1(body.subarray(0, 1_000));
  return unlessWide(/<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)["']/i.exec(head)?.[1]);
}

/** The name of UTF-16 is left over from before a transcoding: real UTF-16 would have been found by its bytes. */
function unlessWide(label: string | undefined): string | null {
  const charset = label?.toLowerCase() ?? null;
  return charset === null || /^utf-?(?:16|32)/.test(charset) ? null : charset;
}
