import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";
import { sourceConfig } from "../../../../src/config/sources.ts";
import { ParseError } from "../../../../src/ingest/adapter.ts";
import { feedAdapter } from "../../../../src/ingest/sources/feed/feed.ts";
import { cleanBody, textLimits } from "../../../../src/ingest/text/text.ts";

const source = sourceConfig.parse({
  name: "hostile",
  id: "hostile",
  provider: "hostile",
  format: "feed",
  url: "https://feeds.example/feed.xml",
});

/** Items, or null for the one error that a reader may throw. Any other fails the test. */
function read(text: string) {
  const body = Buffer.from(text);
  try {
    return feedAdapter.parse({ url: source.url, headers: {}, body, fetchedAt: new Date(0) }, source).items;
  } catch (error) {
    assert.ok(error instanceof ParseError, String(error));
    return null;
  }
}

const rss = (inner: string, doctype = "") =>
  `<?xml version="1.0"?>${doctype}<rss version="2.0"><channel><title>t</title><link>https://a.example/</link>${inner}</channel></rss>`;
const item = (title: string, rest = "") => `<item><title>${title}</title>${rest}</item>`;

test("entities of the document are not expanded, and nothing outside is read", () => {
  const lol = Array.from({ length: 12 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join("");
  const laughs = `<!DOCTYPE rss [<!ENTITY l0 "lol">${lol}]>`;
  const quadratic = `<!DOCTYPE rss [<!ENTITY a "${"a".repeat(100_000)}">]>`;
  const external =
    '<!DOCTYPE rss [<!ENTITY f SYSTEM "file:///etc/passwd"><!ENTITY % p SYSTEM "http://127.0.0.1:9/x">%p;]>';
  for (const text of [
    rss(item("&l12;"), laughs),
    rss(item("&a;".repeat(100_000)), quadratic),
    rss(item("&f;"), external),
  ]) {
    const items = read(text) ?? [];
    const title = items[0]?.title ?? "";
    assert.ok(title.length <= textLimits.title);
    assert.doesNotMatch(title, /lollol|aaaa|root:/);
  }
});

test("keys that are properties of every object pollute nothing", () => {
  const keys = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty"];
  for (const key of keys) {
    read(rss(item("a", `<${key}><polluted>yes</polluted></${key}>`)));
    read(rss(`<item ${key}="x" polluted="yes"><title>a</title></item>`));
    read(
      `{"version":"https://jsonfeed.org/version/1","title":"t","${key}":{"polluted":"yes"},"items":[{"id":"1","title":"a","${key}":{"polluted":"yes"}}]}`,
    );
  }
  assert.equal(Reflect.get({}, "polluted"), undefined);
  assert.equal(Reflect.get(Object, "polluted"), undefined);
});

test("NUL, lone surrogates and control characters do not get through", () => {
  const dirty = item(
    "a&#0;b&#xD800;c&#xFFFF;d\u0000e\u0008f",
    "<description>&amp;#0;x&amp;#xDFFF;y\u0001</description>",
  );
  const json = JSON.stringify({
    version: "https://jsonfeed.org/version/1",
    title: "t",
    items: [{ id: "1", title: "a\0b\ud800c", content_text: "\udc00x", tags: ["t\0\ud83d"] }],
  });
  for (const text of [rss(dirty), json]) {
    const [found] = read(text) ?? [];
    assert.ok(found !== undefined);
    for (const each of [found.title ?? "", found.body, ...found.categories, ...found.identity]) {
      assert.ok(each.isWellFormed(), JSON.stringify(each));
      assert.doesNotMatch(each, /\p{Cc}/u);
    }
  }
});

test("script that was escaped stays text, and its addresses are no links", () => {
  const [found] =
    read(rss(item("&lt;script&gt;x()&lt;/script&gt;Up 5%", "<link>javascript:x()</link>"))) ?? [];
  assert.equal(found?.title, "Up 5%");
  assert.equal(found?.link, null);
});

test("JSON that is no feed, or of the wrong types, is a ParseError or harmless", () => {
  const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
  const odd =
    '{"version":"https://jsonfeed.org/version/1","title":1,"items":[{"id":{},"title":[],"url":7},null,3,"x"]}';
  for (const text of [deep, odd, "{", "[]", '{"items":5}', '{"version":"https://jsonfeed.org/version/1"}'])
    read(text);
});

/**
 * Documents of a size at which anything quadratic takes minutes, and anything that keeps a multiple of them runs out of
 * the memory below.
 */
const large = `
  import { feedAdapter } from ${JSON.stringify(import.meta.resolve("../../../../src/ingest/sources/feed/feed.ts"))};
  import { ParseError } from ${JSON.stringify(import.meta.resolve("../../../../src/ingest/adapter.ts"))};
  const source = ${JSON.stringify(source)};
  const rss = (inner) => '<rss version="2.0"><channel><title>t</title><link>https://a.example/</link>' + inner + "</channel></rss>";
  const item = (inner) => rss("<item><title>x</title>" + inner + "</item>");
  const n = 300_000;
  const documents = {
    "nested tags": () => item("<a>".repeat(n) + "</a>".repeat(n)),
    "nested tags in the text": () => item("<description>" + "&lt;font&gt;".repeat(n) + "&lt;/b&gt;".repeat(n) + "</description>"),
    "tags that never close": () => item("<description><![CDATA[" + "<font>".repeat(n) + "</b>".repeat(n) + "]]></description>"),
    "attributes": () => rss("<item " + Array.from({ length: 100_000 }, (_, i) => "a" + i + "='x'").join(" ") + "><title>x</title></item>"),
    "a title of 5 MB": () => rss("<item><title>" + "word ".repeat(1_000_000) + "</title></item>"),
    "words of 200,000 letters": () => item("<description>" + ("w".repeat(200_000) + " ").repeat(10) + "</description>"),
    "piled marks": () => item("<description>a" + "\\u0300\\u0316".repeat(n * 4) + "</description>"),
    "slashes": () => item("<link>https://a.example/" + "/".repeat(n * 4) + "x</link>"),
    "roots": () => "<rss>".repeat(n) + "</feed>".repeat(n) + "<item><title>x</title></item>",
    "raw <": () => rss("<item><title>" + "< ".repeat(n) + "</title></item>"),
    "unclosed items": () => rss("<item>".repeat(30_000)),
    "unclosed CDATA": () => rss("<item><title>" + "<![CDATA[".repeat(n) + "</title></item>"),
    "unclosed comments": () => item("<!--".repeat(n)),
    "entities": () => rss("<item><title>" + "&amp;amp;".repeat(n) + "</title></item>"),
    "item tags with blanks": () => rss(("<item" + " ".repeat(1_000)).repeat(2_000)),
    "ends in the tail": () => rss("<item><title>x</title></item>") + "</rss>".repeat(n),
  };
  const done = [];
  for (const [name, make] of Object.entries(documents)) {
    try {
      feedAdapter.parse({ url: source.url, headers: {}, body: Buffer.from(make()), fetchedAt: new Date(0) }, source);
    } catch (error) {
      if (!(error instanceof ParseError)) throw error;
    }
    done.push(name);
  }
  process.stdout.write(JSON.stringify(done));
`;

test("large documents made to be slow are read or refused in linear time and 256 MB", {
  timeout: 90_000,
}, async () => {
  const flags = ["--max-old-space-size=256", "--input-type=module", "--eval", large];
  const { stdout } = await promisify(execFile)(process.execPath, flags, { timeout: 80_000 });
  const done: unknown = JSON.parse(stdout);
  assert.ok(Array.isArray(done));
  assert.equal(done.length, 16);
});

test("a fragment of one word of 200,000 letters is kept whole, a longer one is cut", () => {
  assert.equal(cleanBody("w".repeat(200_000)).length, 200_000);
  assert.equal(cleanBody("w".repeat(5_000_000)).length, textLimits.body);
});
