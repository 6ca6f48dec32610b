import assert from "node:assert/strict";
import { test } from "node:test";
import { slug } from "@tapewire/contract/input.ts";
import fc from "fast-check";
import { anyCharacter } from "../../../../../scoring/test/any-character.ts";
import { sourceConfig } from "../../../../src/config/sources.ts";
import { isIsin } from "../../../../src/ingest/sources/feed/categories.ts";
import { feedAdapter } from "../../../../src/ingest/sources/feed/feed.ts";
import { providerSlug } from "../../../../src/ingest/sources/feed/publisher.ts";

const source = sourceConfig.parse({
  name: "digest",
  id: "digest",
  provider: "aggregator",
  format: "feed",
  url: "https://digest.example/rss.xml",
  entry_providers: ["the-northern-post", "cafe-borse", "wire.example", "harlow-co"],
});

function firstItem(item: string, config = source) {
  const text = `<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>t</title><item>${item}</item></channel></rss>`;
  const response = { url: config.url, headers: {}, body: Buffer.from(text), fetchedAt: new Date(0) };
  return feedAdapter.parse(response, config).items[0];
}

const credit = (item: string, config = source) => {
  const found = firstItem(item, config);
  return [found?.title, found?.providerId];
};

test("the publisher that an entry names is the provider, and its name leaves the headline", () => {
  const named = '<source url="https://post.example">The Northern Post</source>';
  assert.deepEqual(credit(`<title>Ore prices rise - The Northern Post</title>${named}`), [
    "Ore prices rise",
    "the-northern-post",
  ]);
  assert.deepEqual(credit(`<title>Ore prices rise - again</title>${named}`), [
    "Ore prices rise - again",
    "the-northern-post",
  ]);
  assert.deepEqual(credit("<title>Ore prices rise</title><dc:publisher>Café &amp; Börse</dc:publisher>"), [
    "Ore prices rise",
    "cafe-borse",
  ]);
});

test("without one the end of the headline tells, where it reads as a name", () => {
  const table: readonly (readonly [headline: string, title: string, provider: string])[] = [
    ["Ore prices rise - The Northern Post", "Ore prices rise", "the-northern-post"],
    ["Ore - and coal - rise - wire.example", "Ore - and coal - rise", "wire.example"],
    ["Ore prices rise - analysts react", "Ore prices rise - analysts react", "aggregator"],
    ["Ore prices: up 3 - 5%", "Ore prices: up 3 - 5%", "aggregator"],
    ["Ore prices rise", "Ore prices rise", "aggregator"],
    [
      "Ore rises - What it means for everyone who holds the metal now",
      "Ore rises - What it means for everyone who holds the metal now",
      "aggregator",
    ],
  ];
  for (const [headline, title, provider] of table)
    assert.deepEqual(credit(`<title>${headline}</title>`), [title, provider], headline);
});

test("a name without Latin letters falls back to the source's provider", () => {
  assert.deepEqual(credit("<title>Ore</title><source>日本鉱業新聞</source>"), ["Ore", "aggregator"]);
});

test("a source of one publisher keeps its provider and its headlines", () => {
  const config = { ...source, entry_providers: [] };
  assert.deepEqual(credit("<title>Up - The Post</title><source>The Post</source>", config), [
    "Up - The Post",
    "aggregator",
  ]);
});

test("an entry that names a provider which its source does not list has the source's own", () => {
  const table: readonly (readonly [by: string, allowed: string[], provider: string])[] = [
    ["Northern Post", ["northern-post"], "northern-post"],
    ["Northern Post", ["harlow-wire", "northern-post"], "northern-post"],
    ["Harlow Wire", ["northern-post"], "aggregator"],
    ["Unknown Gazette", ["northern-post"], "aggregator"],
    // Looks like the id of an agency to a reader.
    ["PR Newswire", ["northern-post"], "aggregator"],
    ["Aggregator", ["northern-post"], "aggregator"],
  ];
  for (const [by, entry_providers, provider] of table) {
    const config = { ...source, entry_providers };
    for (const item of [
      `<title>Ore prices rise - ${by}</title>`,
      `<title>Ore prices rise</title><source>${by}</source>`,
    ])
      assert.deepEqual(credit(item, config), ["Ore prices rise", provider], `${item}, ${entry_providers}`);
  }
});

test("an entry of Atom names its publisher by the title of its source", () => {
  const text = `<feed xmlns="http://www.w3.org/2005/Atom"><title>t</title><entry><id>1</id><title>Up</title><source><id>2</id><title type="html">Harlow &amp;amp; Co</title></source></entry></feed>`;
  const response = { url: source.url, headers: {}, body: Buffer.from(text), fetchedAt: new Date(0) };
  assert.equal(feedAdapter.parse(response, source).items[0]?.providerId, "harlow-co");
});

test("every name makes a valid provider id, or none", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: anyCharacter, maxLength: 300 }), fc.string()), (name) => {
      const made = providerSlug(name);
      assert.ok(made === null || slug.safeParse(made).success, String(made));
    }),
  );
  assert.equal(providerSlug("--"), null);
  assert.equal(providerSlug("x".repeat(500))?.length, 64);
});

test("the issuer's tickers and ISINs are no categories", () => {
  const category = (domain: string, name: string) =>
    `<category domain="https://www.globenewswire.com/rss/${domain}">${name}</category>`;
  const found = firstItem(
    `<title>a</title>${category("stock", "Nasdaq:QLLN")}${category("ISIN", "US0378331005")}${category("ISIN", "US0378331006")}${category("keyword", "Robotics")}<category>Mining</category>`,
  );
  assert.deepEqual(found?.symbols, ["Nasdaq:QLLN"]);
  assert.deepEqual(found?.isins, ["US0378331005"]);
  assert.deepEqual(found?.categories, ["Robotics", "Mining"]);
});

test("an ISIN has twelve characters, and the last one proves the others", () => {
  for (const good of ["US0378331005", "AU0000XVGZA3", "GB0002634946", "de000basf111"])
    assert.equal(isIsin(good), true, good);
  for (const bad of [
    "US0378331004",
    "US037833100",
    "US03783310055",
    "U10378331005",
    "AU0000XVGZA4",
    "",
    "USO378331005",
  ])
    assert.equal(isIsin(bad), false, bad);
});
