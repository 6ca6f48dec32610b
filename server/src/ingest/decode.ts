import { ParseError } from "./adapter.ts";

/** A document as text, and what it looks like. */
export interface Decoded {
  readonly text: string;
  readonly kind: "xml" | "json";
}

/**
 * Bytes to text by BOM, then HTTP, then the XML declaration, then strict UTF-8, then windows-1252 (also where that is
 * declared); then a look at what it is: an HTML page with status 200 is a common way to fail.
 * @throws {ParseError} when it is empty or no feed document
 */
export function decodeDocument(body: Uint8Array, contentType: string): Decoded {
  const text = decodeText(body, contentType).replace(/^[\s\ufeff\0]+/, "");
  if (text === "") throw new ParseError("the answer is empty");
  if (/^[{[]/.test(text)) return { text, kind: "json" };
  // Warnings of a script, or a page the feed is wrapped in, are no part of it.
  const start = text.search(/<(?:rss|feed|rdf:RDF)[\s>]/i);
  if (start !== -1) return { text: text.slice(start), kind: "xml" };
  const page = /<(?:!doctype html|html|head|body)[\s>]/i.test(text.slice(0, 2000));
  throw new ParseError(page ? "the answer is an HTML page, not a feed" : "the answer is no feed");
}

/** Charset names that stand for a larger one in practice. */
const widened: Readonly<Record<string, string>> = {
  gb2312: "gb18030",
  gbk: "gb18030",
};
/** Declared unasked by many generators, whatever they send; no text with such letters is valid UTF-8 by chance. */
const latin: ReadonlySet<string> = new Set([
  "iso-8859-1",
  "latin1",
  "windows-1252",
  "cp1252",
  "us-ascii",
  "ascii",
]);

export function decodeText(body: Uint8Array, contentType: string): string {
  const named = bomCharset(body) ?? patternCharset(body) ?? httpCharset(contentType) ?? xmlCharset(body);
  const text = named === null || latin.has(named) ? null : decodeAs(body, widened[named] ?? named);
  return text ?? decodeAs(body, "utf-8") ?? new TextDecoder("windows-1252").decode(body);
}

/** null when the charset is unknown or the bytes are not of it. */
function decodeAs(body: Uint8Array, charset: string): string | null {
  try {
    const { encoding } = new TextDecoder(charset);
    return new TextDecoder(encoding, { fatal: encoding === "utf-8" }).decode(body);
  } catch {
    return null;
  }
}

function bomCharset(body: Uint8Array): string | null {
  const [a, b, c] = body;
  if (a === 0xef && b === 0xbb && c === 0xbf) return "utf-8";
  if (a === 0xff && b === 0xfe) return "utf-16le";
  if (a === 0xfe && b === 0xff) return "utf-16be";
  return null;
}

/** "<" beside a zero byte: UTF-16 without a BOM. */
function patternCharset([a, b]: Uint8Array): string | null {
  if (a === 0x3c && b === 0) return "utf-16le";
  if (a === 0 && b === 0x3c) return "utf-16be";
  return null;
}

function httpCharset(contentType: string): string | null {
  const charset = /charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType)?.[1]?.toLowerCase() ?? null;
  // The default that servers send unasked; what the document says of itself is better.
  return charset === "iso-8859-1" ? null : charset;
}

function xmlCharset(body: Uint8Array): string | null {
  const head = new TextDecoder("latin1").decode(body.subarray(0, 300));
  const charset = /<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)["']/i.exec(head)?.[1]?.toLowerCase() ?? null;
  // A transcoder that changed the bytes and not the declaration left no UTF-16 behind.
  return charset?.startsWith("utf-16") === true ? null : charset;
}
