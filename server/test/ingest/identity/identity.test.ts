import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { anyCharacter } from "../../../../scoring/test/any-character.ts";
import { canonicalUrl } from "../../../src/ingest/identity/canonical-url.ts";
import { type IdentityFacts, itemIdentity, titleKey } from "../../../src/ingest/identity/identity.ts";
import { publishedAt } from "../../../src/ingest/pipeline/published-at.ts";

const facts = (some: Partial<IdentityFacts>): IdentityFacts => ({
  source: "wire-x",
  guid: null,
  link: null,
  title: "A title",
  publishedAt: new Date("2026-03-02T14:30:00Z"),
  ...some,
});
/** By a source that speaks for every host. */
const named = (of: IdentityFacts) => itemIdentity({ ...of, speaksFor: () => true }).identity;
const gnw = "https://www.globenewswire.com/news-release/2026/03/02/3187654/0/en/Quillon-Raises-Outlook.html";

test("the ladder: wire release, guid, address, all of them kept", () => {
  assert.deepEqual(named(facts({ guid: "g-1", link: gnw })), [
    "wire:gnw:3187654",
    "guid:wire-x:g-1",
    "page:wire-x:atitle:https://globenewswire.com/news-release/2026/03/02/3187654/0/en/Quillon-Raises-Outlook.html",
  ]);
  assert.deepEqual(named(facts({ guid: "g-1", link: "https://a.example/1" })), [
    "guid:wire-x:g-1",
    "page:wire-x:atitle:https://a.example/1",
  ]);
  assert.deepEqual(named(facts({ guid: "", link: "https://a.example/1" })), ["url:https://a.example/1"]);
});

test("a name that is another's to give is a claim, and the source has its own", () => {
  const known = (some: Partial<IdentityFacts>) => itemIdentity(facts(some));
  const page = "https://globenewswire.com/news-release/2026/03/02/3187654/0/en/Quillon-Raises-Outlook.html";
  assert.deepEqual(known({ guid: "g-1", link: gnw }), {
    identity: ["guid:wire-x:g-1", `page:wire-x:atitle:${page}`],
    claims: ["wire:gnw:3187654"],
    pages: { own: [], others: [`url:${page}`] },
  });
  assert.deepEqual(known({ link: gnw }), {
    identity: [`link:wire-x:${page}`],
    claims: ["wire:gnw:3187654", `url:${page}`],
  });
  const long = `https://a.example/${"x".repeat(500)}`;
  const [mine, theirs] = [known({ link: long }), known({ link: long, source: "wire-y" })];
  assert.notDeepEqual(mine.identity, theirs.identity);
  assert.deepEqual(mine.claims, theirs.claims);
  assert.deepEqual(known({ link: long, speaksFor: (host) => host === "a.example" }).identity, mine.claims);
});

test("a release has one identity in every feed of its wire", () => {
  const first = (some: Partial<IdentityFacts>) => named(facts(some))[0];
  const localized = gnw.replace("/news-release", "/fr/news-release").replace("www.", "");
  assert.equal(
    first({ source: "a", guid: "1", link: gnw }),
    first({ source: "b", guid: "2", link: localized }),
  );
  const links = {
    "wire:prn:302412345": "https://www.prnewswire.com/news-releases/quillon-names-cfo-302412345.html?tc=eml",
    "wire:bw:20260302123456": "https://www.businesswire.com/news/home/20260302123456/en/Quillon",
    "wire:acn:1001234": "https://www.accessnewswire.com/newsroom/en/mining/drill-results-1001234",
    "wire:nf:286123": "https://www.newsfilecorp.com/release/286123/Drill-Results",
  };
  for (const [identity, link] of Object.entries(links)) assert.equal(first({ link }), identity);
});

test("beside a guid the address makes a repeat only with the same title in the same source", () => {
  const forms = (some: Partial<IdentityFacts>) =>
    new Set(named(facts({ link: "https://a.example/live", ...some })));
  const first = forms({ guid: "1" });
  const shared = (some: Partial<IdentityFacts>) => [...forms(some)].some((form) => first.has(form));
  assert.ok(shared({ guid: "2" }), "a guid that changed under its article");
  assert.ok(!shared({ guid: "2", title: "The next of a running story" }));
  assert.ok(!shared({ guid: "2", source: "wire-y" }), "another source's copy is an item of its own");
});

test("a sign and a decimal point make another headline", () => {
  const keys = ["CPI 0.3%", "CPI -0.3%", "CPI 3%", "CPI 03%"].map(titleKey);
  assert.equal(new Set(keys).size, keys.length);
  assert.equal(titleKey("Quillon - Q4"), titleKey("Quillon: Q4"));
});

test("without guid and address: source, headline and day, stable against case and punctuation", () => {
  const [identity] = named(facts({ title: "Quillon: Q4 — up 5%!" }));
  assert.equal(identity, "hash:wire-x:quillonq4up5:2026-03-02");
  assert.equal(named(facts({ title: "quillon q4 up 5" }))[0], identity);
  assert.notEqual(named(facts({ title: "Quillon Q4 up 6" }))[0], identity);
  assert.equal(named(facts({ title: null, publishedAt: null }))[0], "hash:wire-x::nodate");
});

test("guids are of their source; http and https are one", () => {
  const guid = (some: Partial<IdentityFacts>) => named(facts(some))[0];
  assert.notEqual(guid({ source: "a", guid: "1" }), guid({ source: "b", guid: "1" }));
  assert.equal(guid({ guid: "http://a.example/1" }), guid({ guid: " https://a.example/1 " }));
});

test("a guid that repeats within its document is told apart by the address", () => {
  const guid = (link: string) => named(facts({ guid: "same", link, guidRepeats: true }))[0];
  assert.notEqual(guid("https://a.example/1"), guid("https://a.example/2"));
  assert.equal(guid("https://a.example/1?utm_source=x"), guid("http://www.a.example/1/"));
});

test("a landing page is nobody's identity", () => {
  assert.deepEqual(named(facts({ guid: "g", link: "https://a.example/", linkRepeats: true })), [
    "guid:wire-x:g",
  ]);
  assert.match(named(facts({ link: "https://a.example/", linkRepeats: true }))[0], /^hash:/);
});

test("long identities become their hash, short ones stay as they are", () => {
  const [long] = named(facts({ guid: "x".repeat(5_000) }));
  assert.match(long, /^guid:sha256:[0-9a-f]{64}$/);
  assert.notEqual(named(facts({ guid: "x".repeat(5_001) }))[0], long);
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 600 }), fc.webUrl(), (guid, link) => {
      const identity = named(facts({ guid, link }));
      assert.ok(identity.length >= 1 && identity.every((form) => form.length <= 400));
      assert.deepEqual(named(facts({ guid, link })), identity);
    }),
  );
});

test("one spelling for an address", () => {
  const table: readonly (readonly [string, string | null])[] = [
    ["http://WWW.A.example/Path/", "https://a.example/Path"],
    ["https://a.example", "https://a.example"],
    ["https://a.example/x#part", "https://a.example/x"],
    ["https://a.example/x?id=7&utm_source=rss&utm_medium=feed", "https://a.example/x?id=7"],
    ["https://a.example/x?fbclid=1&gclid=2&mc_cid=3&.tsrc=rss", "https://a.example/x"],
    ["https://a.example/x?source=feed-main", "https://a.example/x"],
    ["https://a.example/x?source=annual", "https://a.example/x?source=annual"],
    ["https://a.example:8443/x//", "https://a.example:8443/x"],
    ["https://user@a.example/x", "https://a.example/x"],
    ["ftp://a.example/x", null],
    ["no address", null],
  ];
  for (const [link, want] of table) assert.equal(canonicalUrl(link), want, link);
});

test("the spelling of a spelling is itself", () => {
  fc.assert(
    fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (link) => {
      const once = canonicalUrl(link);
      assert.ok(once !== null);
      assert.equal(canonicalUrl(once), once);
    }),
  );
});

test("headlines are compared by their letters and digits", () => {
  assert.equal(titleKey("Ｑ４: Müller’s “beat”"), "q4müllersbeat");
  assert.equal(titleKey("東京 — 株価"), "東京株価");
});

const seen = new Date("2026-03-02T14:30:00Z");
const ahead = (ms: number) => new Date(seen.getTime() + ms);
const minute = 60_000;
const filing = { form: "8-K", accession: "0000000000-26-000001", items: [], cik: "1" };

function listedAt(told: Date | null, { precision = "second", filed = false, backfill = false } = {}): Date {
  assert.ok(precision === "second" || precision === "day" || precision === "none");
  return publishedAt({ publishedAt: told, precision, filing: filed ? filing : null }, seen, { backfill });
}

test("the source's time counts, up to exactly five minutes ahead", () => {
  for (const told of [ahead(0), ahead(5 * minute), ahead(-40 * minute), ahead(-400 * 24 * 60 * minute)])
    assert.deepEqual(listedAt(told), told);
  assert.deepEqual(listedAt(ahead(5 * minute + 1)), seen);
  assert.deepEqual(listedAt(ahead(5 * minute + 1), { backfill: true }), seen);
});

test("no time, only a day, or one before the web: first sight", () => {
  assert.deepEqual(listedAt(null, { precision: "none" }), seen);
  assert.deepEqual(listedAt(new Date("2026-03-02T00:00:00Z"), { precision: "day" }), seen);
  assert.deepEqual(listedAt(new Date("1989-12-31T23:59:59Z")), seen);
  assert.deepEqual(listedAt(new Date("1970-01-01T00:00:00Z"), { backfill: true }), seen);
  assert.deepEqual(listedAt(new Date("1990-01-01T00:00:00Z")), new Date("1990-01-01T00:00:00Z"));
});

test("a filing counts from first sight when it is more than 30 minutes old", () => {
  assert.deepEqual(listedAt(ahead(-30 * minute), { filed: true }), ahead(-30 * minute));
  assert.deepEqual(listedAt(ahead(-30 * minute - 1), { filed: true }), seen);
});

test("on the first walk over a source its own times count", () => {
  assert.deepEqual(listedAt(ahead(-600 * minute), { filed: true, backfill: true }), ahead(-600 * minute));
  const day = new Date("2026-02-27T00:00:00Z");
  assert.deepEqual(listedAt(day, { precision: "day", backfill: true }), day);
});
