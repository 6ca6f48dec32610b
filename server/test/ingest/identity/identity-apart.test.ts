import assert from "node:assert/strict";
import { test } from "node:test";
import { canonicalUrl } from "../../../src/ingest/identity/canonical-url.ts";
import { type IdentityFacts, itemIdentity } from "../../../src/ingest/identity/identity.ts";

function identity(facts: Partial<IdentityFacts>): readonly string[] {
  const blank = { source: "wire", guid: null, link: null, title: null, publishedAt: null };
  return itemIdentity({ ...blank, speaksFor: () => true, ...facts }).identity;
}

test("the ladder: release number, guid, address, and a hash only where there is none of them", () => {
  const link = "https://www.globenewswire.com/news-release/2026/03/02/1234567/0/en/Larkmere-Bancorp.html";
  const page = `page:wire::${canonicalUrl(link)}`;
  assert.deepEqual(identity({ guid: "g-1", link }), ["wire:gnw:1234567", "guid:wire:g-1", page]);
  assert.deepEqual(identity({ guid: "g-1" }), ["guid:wire:g-1"]);
  assert.deepEqual(identity({ link: "https://news.example/a" }), ["url:https://news.example/a"]);
  assert.deepEqual(identity({ title: "Larkmere: Q4 Up 5%" }), ["hash:wire:larkmereq4up5:nodate"]);
  const publishedAt = new Date("2026-03-02T23:59:59Z");
  assert.deepEqual(identity({ title: "Larkmere", publishedAt }), ["hash:wire:larkmere:2026-03-02"]);
});

test("items without title are told apart by their text", () => {
  assert.notDeepEqual(identity({ body: "Trading halted." }), identity({ body: "Trading resumed." }));
});

test("http and https, and ways to get there, make no new item", () => {
  assert.deepEqual(identity({ guid: "http://news.example/1" }), identity({ guid: "https://news.example/1" }));
  assert.equal(
    canonicalUrl("HTTP://News.Example:80/a/?utm_source=x&id=1&.tsrc=rss#top"),
    "https://news.example/a?id=1",
  );
  assert.equal(canonicalUrl("javascript:alert(1)"), null);
});

test("the language versions of a release are items of their own", () => {
  const release = "https://www.globenewswire.com/news-release/2026/03/02/1234567/0";
  assert.equal(identity({ link: `${release}/en/Title.html` })[0], "wire:gnw:1234567");
  assert.equal(identity({ link: `${release}/fr/Titre.html` })[0], "wire:gnw:1234567:fr");
  assert.equal(
    identity({ link: "https://www.businesswire.com/news/home/20260302005123/de/Titel" })[0],
    "wire:bw:20260302005123:de",
  );
});

test("a release number counts on the wire's own host only", () => {
  for (const link of [
    "https://other.example/?u=https://www.globenewswire.com/news-release/2026/03/02/1234567/0/en/a.html",
    "https://notprnewswire.com/news-releases/larkmere-302123456.html",
  ])
    assert.match(identity({ link })[0] ?? "", /^url:/);
});

test("a guid that repeats in its document counts with its address, or else its words", () => {
  const repeated = { guid: "1", guidRepeats: true };
  assert.equal(
    identity({ ...repeated, link: "https://news.example/a" })[0],
    "guid:wire:1|https://news.example/a",
  );
  assert.notDeepEqual(identity({ ...repeated, title: "A" }), identity({ ...repeated, title: "B" }));
});

test("an identity is text that PostgreSQL takes, 400 characters at most", () => {
  const [nul] = identity({ guid: "a\0b\ud800" });
  assert.equal(nul, "guid:wire:ab\ufffd");
  const long = "x".repeat(5_000);
  for (const [form] of [
    identity({ guid: long }),
    identity({ link: `https://news.example/${long}` }),
    identity({ title: long }),
  ])
    assert.ok((form ?? "").length <= 400);
  assert.notDeepEqual(identity({ guid: `${long}a` }), identity({ guid: `${long}b` }));
});
