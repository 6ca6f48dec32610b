import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeText } from "../../../src/ingest/decode/decode.ts";

const words = "Préfet € Zürich 中";
const declared = (charset: string, text = words) =>
  `<?xml version="1.0" encoding="${charset}"?><a>${text}</a>`;
const utf8 = (text: string) => new TextEncoder().encode(text);

function utf16(text: string, bigEndian: boolean): Uint8Array {
  const bytes = Buffer.from(text, "utf16le");
  return bigEndian ? bytes.swap16() : bytes;
}

function utf32(text: string, littleEndian: boolean): Uint8Array {
  const points = [...text].map((char) => char.codePointAt(0) ?? 0);
  const view = new DataView(new ArrayBuffer(points.length * 4));
  for (const [index, point] of points.entries()) view.setUint32(index * 4, point, littleEndian);
  return new Uint8Array(view.buffer);
}

/** Cyrillic capitals and small letters; all else as ASCII. */
function windows1251(text: string): Uint8Array {
  return Uint8Array.from(
    [...text].map((char) => char.charCodeAt(0)),
    (code) => (code >= 0x410 && code <= 0x44f ? code - 0x410 + 0xc0 : code),
  );
}

test("UTF-16 and UTF-32 are known by their bytes, with a BOM and without", () => {
  for (const start of ["", "\ufeff"]) {
    const text = start + declared("utf-16");
    for (const bytes of [utf16(text, false), utf16(text, true), utf32(text, false), utf32(text, true)])
      assert.ok(decodeText(bytes, "").includes(words));
  }
});

test("a charset that the bytes contradict gives way to the next one named", () => {
  const russian = windows1251(declared("windows-1251", "Привет"));
  assert.ok(decodeText(russian, "text/xml; charset=utf-8").includes("Привет"));
  assert.ok(
    decodeText(windows1251(declared("utf-8", "Привет")), "text/xml; charset=windows-1251").includes("Привет"),
  );
  assert.ok(decodeText(utf8(declared("utf-16")), "").includes(words));
  assert.ok(decodeText(utf8(declared("utf-8")), "text/xml; charset=none-such").includes(words));
});

test("UTF-8 that is called Latin-1 is UTF-8, and Latin-1 that is called UTF-8 is Latin-1", () => {
  assert.ok(decodeText(utf8(declared("iso-8859-1")), "").includes(words));
  assert.ok(decodeText(utf8(declared("utf-8")), "text/xml; charset=ISO-8859-1").includes(words));
  const latin = Buffer.from(declared("utf-8", "Préfet à Genève"), "latin1");
  assert.ok(decodeText(latin, "text/xml; charset=utf-8").includes("Préfet à Genève"));
});

test("UTF-8 that was cut in a character, or holds a stray byte, does not turn into something else", () => {
  const bytes = utf8(declared("utf-8", words + words));
  for (let end = bytes.length - 12; end < bytes.length; end++)
    assert.ok(decodeText(bytes.subarray(0, end), "").includes(words), `cut at ${end}`);
  const stray = Uint8Array.from(bytes);
  stray[stray.indexOf(0x50)] = 0xff;
  assert.ok(decodeText(stray, "").includes("Zürich 中"));
});

test("gb2312 is read as the larger set that is meant", () => {
  const bytes = Buffer.concat([
    Buffer.from('<?xml version="1.0" encoding="gb2312"?><a>'),
    Buffer.from([0xd6, 0xd0]),
  ]);
  assert.ok(decodeText(bytes, "").endsWith("中"));
});
