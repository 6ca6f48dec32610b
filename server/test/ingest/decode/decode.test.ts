import assert from "node:assert/strict";
import { test } from "node:test";
import { ParseError } from "../../../src/ingest/adapter.ts";
import { decodeDocument, decodeText } from "../../../src/ingest/decode/decode.ts";

const bytes = (...parts: readonly (string | readonly number[])[]) =>
  Buffer.concat(
    parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from(part))),
  );
const declared = (charset: string) => `<?xml version="1.0" encoding="${charset}"?>`;
const xml = (charset?: string) => (charset === undefined ? "text/xml" : `text/xml; charset=${charset}`);

test("a byte order mark is above all else", () => {
  const utf8 = bytes([0xef, 0xbb, 0xbf], declared("windows-1251"), [0xc3, 0xa9]);
  assert.match(decodeText(utf8, xml("koi8-r")), /é$/);
  const utf16 = bytes([0xff, 0xfe], Buffer.from("<rss>é", "utf16le").toString("latin1"));
  assert.equal(decodeText(utf16, xml("utf-8")), "<rss>é");
  const bigEndian = bytes([0xfe, 0xff], Buffer.from("<rss>é", "utf16le").swap16().toString("latin1"));
  assert.equal(decodeText(bigEndian, xml("utf-8")), "<rss>é");
});

test("UTF-16 shows itself without a mark", () => {
  const little = Buffer.from(`${declared("utf-16")}<rss>é`, "utf16le");
  assert.match(decodeText(little, xml()), /<rss>é$/);
  assert.match(decodeText(Buffer.from(little).swap16(), xml()), /<rss>é$/);
});

test("HTTP is above the declaration, except for the default that servers send unasked", () => {
  const body = bytes(declared("windows-1251"), [0xc3]);
  assert.match(decodeText(body, xml("koi8-r")), /ц$/);
  assert.match(decodeText(body, 'text/xml; Charset="KOI8-R"'), /ц$/);
  assert.match(decodeText(body, xml("iso-8859-1")), /Г$/);
  assert.match(decodeText(body, xml()), /Г$/);
});

test("the declaration is above a guess", () => {
  assert.match(decodeText(bytes(declared("shift_jis"), [0x93, 0xfa, 0x96, 0x7b]), xml()), /日本$/);
  assert.match(decodeText(bytes("<?xml version='1.0' encoding='gb2312'?>", [0xd6, 0xd0]), xml()), /中$/);
  // Of GB 18030, not of GB 2312 by the letter; feeds that say gb2312 use it.
  assert.match(decodeText(bytes(declared("gb2312"), [0x81, 0x30, 0x89, 0x38]), xml()), /[^\ufffd]$/);
});

test("with nothing said: UTF-8 when it is valid, else windows-1252", () => {
  assert.equal(decodeText(Buffer.from("é–"), xml()), "é–");
  assert.equal(decodeText(bytes([0xe9, 0x96, 0x80]), ""), "門");
  assert.equal(decodeText(bytes([0xe9, 0x20, 0x93]), xml()), "é “");
});

test("a charset that is wrong or unknown falls through", () => {
  assert.equal(decodeText(bytes([0xe9, 0x20]), xml("utf-8")), "é ");
  assert.equal(decodeText(bytes([0xe9, 0x20]), xml("utf8")), "é ");
  assert.equal(decodeText(Buffer.from("é"), xml("no-such-charset")), "é");
  assert.equal(decodeText(Buffer.from("é"), xml("constructor")), "é");
  assert.match(decodeText(Buffer.from(`${declared("UTF-16")}é`), xml()), /é$/);
  assert.match(decodeText(Buffer.from(`${declared("ISO-8859-1")}é`), xml()), /é$/);
});

test("what stands before the root is no part of the document", () => {
  const document = decodeDocument(
    Buffer.from("\ufeff\n <br/>Warning: x<?xml version='1.0'?><rss a='b'>x</rss>"),
    xml(),
  );
  assert.deepEqual(document, { kind: "xml", text: "<rss a='b'>x</rss>" });
  assert.equal(decodeDocument(Buffer.from('\n {"version": 1}'), "").kind, "json");
});

test("a page instead of a feed is named as such", () => {
  const failure = (text: string) => {
    try {
      return decodeDocument(Buffer.from(text), "application/rss+xml");
    } catch (error) {
      assert.ok(error instanceof ParseError);
      return error.message;
    }
  };
  assert.match(String(failure("<!DOCTYPE html><html><body>Access Denied</body></html>")), /HTML page/);
  assert.match(String(failure("<HTML lang=en><title>x</title>")), /HTML page/);
  assert.match(String(failure("OK")), /no feed/);
  assert.match(String(failure("<sitemap><url/></sitemap>")), /no feed/);
  assert.match(String(failure("")), /empty/);
  assert.match(String(failure(" \0\n")), /empty/);
});

test("a feed inside a page is read", () => {
  assert.equal(decodeDocument(Buffer.from("<html><body><rss><channel/></rss>"), "").kind, "xml");
});

test("bytes of ASCII may mean something else where the charset says so", () => {
  const japanese = bytes(declared("iso-2022-jp"), [0x1b, 0x24, 0x42, 0x46, 0x7c, 0x1b, 0x28, 0x42]);
  assert.match(decodeText(japanese, "text/xml"), /日$/);
  assert.match(
    decodeText(bytes("<rss>", [0x1b, 0x24, 0x42, 0x46, 0x7c, 0x1b, 0x28, 0x42]), xml("ISO-2022-JP")),
    /日$/,
  );
});

test("without a charset, bytes that are no UTF-8 are windows-1252, each of them", () => {
  const all = Uint8Array.from({ length: 256 }, (_, index) => index);
  assert.equal(decodeText(all.subarray(1), ""), new TextDecoder("windows-1252").decode(all.subarray(1)));
});

test("a view into a larger buffer is read where it begins", () => {
  const whole = Buffer.from("xx<rss>é</rss>yy");
  const view = new Uint8Array(whole.buffer, whole.byteOffset + 2, whole.byteLength - 4);
  assert.equal(decodeText(view, ""), "<rss>é</rss>");
  const ascii = Buffer.from("xx<rss>e</rss>yy");
  assert.equal(decodeText(new Uint8Array(ascii.buffer, ascii.byteOffset + 2, 12), ""), "<rss>e</rss>");
});
