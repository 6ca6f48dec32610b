import assert from "node:assert/strict";
import { test } from "node:test";
import { sourceConfig } from "../../../../src/config/sources.ts";
import type { RawItem } from "../../../../src/ingest/raw-item.ts";
import { feedAdapter } from "../../../../src/ingest/sources/feed/feed.ts";
import { cleanBody, cleanTitle } from "../../../../src/ingest/text/text.ts";

const source = sourceConfig.parse({
  name: "wire",
  id: "wire",
  provider: "wire",
  format: "feed",
  url: "https://news.example/feed.xml",
});

function itemsOf(text: string): readonly RawItem[] {
  const body = new TextEncoder().encode(text);
  return feedAdapter.parse({ url: source.url, headers: {}, body, fetchedAt: new Date(0) }, source).items;
}

const rss = (items: string) =>
  `<?xml version="1.0"?><rss version="2.0"><channel><title>Wire</title>${items}</channel></rss>`;

/** All identities of all items; one that stands twice would make the second item a copy of the first. */
function assertApart(items: readonly RawItem[]): void {
  const all = items.flatMap(({ identity }) => identity);
  assert.equal(new Set(all).size, all.length, all.join("\n"));
}

test("items with guids of their own on one page stay apart, however the page is spelled", () => {
  const item = (guid: string, link: string) =>
    `<item><title>T</title><guid>${guid}</guid><link>${link}</link></item>`;
  for (const [one, other] of [
    ["https://news.example/today", "https://news.example/today"],
    ["https://news.example/today#1", "https://news.example/today#2"],
    ["https://news.example/today?utm_term=1", "http://news.example/today/?utm_term=2"],
  ] as const) {
    const items = itemsOf(rss(item("a", one) + item("b", other)));
    assert.equal(items.length, 2);
    assertApart(items);
  }
});

test("a guid on two items, and items of text alone, stay apart", () => {
  assertApart(
    itemsOf(rss("<item><title>A</title><guid>1</guid></item><item><title>B</title><guid>1</guid></item>")),
  );
  assertApart(
    itemsOf(rss("<item><description>Up</description></item><item><description>Down</description></item>")),
  );
});

test("an entry that is listed twice has the identity that it has alone", () => {
  const entries = [
    "<item><title>Up</title><guid>1</guid></item>",
    "<item><description>Up 5%</description><guid>1</guid></item>",
    "<item><title>Up</title><guid>1</guid><link>https://news.example/1</link></item>",
  ];
  for (const entry of entries) {
    const alone = itemsOf(rss(entry)).map(({ identity }) => identity);
    const twice = itemsOf(rss(entry + entry)).map(({ identity }) => identity);
    assert.deepEqual(twice, [...alone, ...alone]);
  }
  const spelled = (link: string) => `<item><title>Up</title><guid>1</guid><link>${link}</link></item>`;
  const [one, other] = itemsOf(
    rss(spelled("https://news.example/1") + spelled("http://www.news.example/1/?utm_source=rss")),
  );
  assert.equal(one?.identity[0], "guid:wire:1");
  assert.deepEqual(other?.identity, one?.identity);
});

test("the clock of an Indian source tells its country, others tell none", () => {
  const body = new TextEncoder().encode(rss("<item><title>HDFCBANK slips in late trade</title></item>"));
  const response = { url: source.url, headers: {}, body, fetchedAt: new Date(0) };
  const countryIn = (zone: string) => feedAdapter.parse(response, { ...source, zone }).items[0]?.homeCountry;
  assert.equal(countryIn("Asia/Kolkata"), "IN");
  assert.equal(countryIn("America/New_York"), undefined);
});

test("a guid that is no address makes no link", () => {
  const [item] = itemsOf(rss("<item><title>A</title><guid>12345</guid></item>"));
  assert.equal(item?.link, null);
});

test("what PostgreSQL refuses reaches no field", () => {
  const dirty = "a\0b\ud800";
  const items = [
    { id: dirty, url: `https://news.example/${dirty}`, title: dirty, content_text: dirty, tags: [dirty] },
  ];
  const json = JSON.stringify({ version: "https://jsonfeed.org/version/1.1", title: "T", items });
  const category = '<category domain="https://www.globenewswire.com/rss/stock">Nas\0daq:ABCD</category>';
  for (const item of [...itemsOf(json), ...itemsOf(rss(`<item><title>T</title>${category}</item>`))]) {
    const { identity, title, link, body, categories, symbols } = item;
    for (const text of [...identity, title ?? "", link ?? "", body, ...categories, ...symbols])
      assert.ok(text.isWellFormed() && !text.includes("\0"), JSON.stringify(text));
  }
});

test("a prefixed root and prefixed entries are read", () => {
  const [item] = itemsOf(
    `<a:feed xmlns:a="http://www.w3.org/2005/Atom"><a:title>T</a:title><a:entry><a:id>1</a:id><a:title>Up</a:title>` +
      `<a:link href="https://news.example/1"/></a:entry></a:feed>`,
  );
  assert.deepEqual([item?.title, item?.link], ["Up", "https://news.example/1"]);
});

test("titles lose markup, and keep what only looks like it", () => {
  const titles: readonly (readonly [markup: string, text: string | null])[] = [
    ["Tom &amp; <b>Jerry</b> <3 you", "Tom & Jerry <3 you"],
    ["Smith & Co <SMTH.L> rises", "Smith & Co <SMTH.L> rises"],
    ["margin a<b, c", "margin a<b, c"],
    ["&lt;b&gt;Bold&lt;/b&gt; move", "Bold move"],
    ["&amp;#39;quoted&amp;#39;", "'quoted'"],
    ["<script>alert(1)</script>After", "After"],
    ["<p> </p>", null],
  ];
  for (const [markup, text] of titles) assert.equal(cleanTitle(markup), text, markup);
  assert.equal(cleanBody("<p>One</p><p>two<br>three</p>"), "One two three");
});
