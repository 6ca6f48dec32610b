import assert from "node:assert/strict";
import { test } from "node:test";
import { sourceConfig } from "../../../../src/config/sources.ts";
import type { ParsedPage } from "../../../../src/ingest/adapter.ts";
import { guidIdentity } from "../../../../src/ingest/identity/identity.ts";
import { feedAdapter } from "../../../../src/ingest/sources/feed/feed.ts";

const source = sourceConfig.parse({
  name: "wire-x",
  id: "wire-x-rss",
  provider: "wire",
  format: "feed",
  url: "https://wire.example/rss/all.xml",
});
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

function parse(text: string, headers: Record<string, string> = {}): ParsedPage {
  return feedAdapter.parse(
    { url: source.url, headers, body: Buffer.from(text), fetchedAt: new Date(0) },
    source,
  );
}
const rss = (head: string, items = "<item><title>a</title></item>") =>
  `<?xml version="1.0"?><rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:sy="http://purl.org/rss/1.0/modules/syndication/" xmlns:feedburner="http://rssnamespace.org/feedburner/ext/1.0"><channel><title>t</title>${head}${items}</channel></rss>`;
const atom = (head: string, entries = "<entry><id>urn:1</id><title>a</title></entry>") =>
  `<feed xmlns="http://www.w3.org/2005/Atom" xmlns:at="http://purl.org/atompub/tombstones/1.0" xmlns:feedburner="http://rssnamespace.org/feedburner/ext/1.0"><title>t</title>${head}${entries}</feed>`;

test("how long to wait: ttl in minutes, else the syndication period by its frequency, within a day", () => {
  const sy = (period: string, frequency = "") =>
    `<sy:updatePeriod>${period}</sy:updatePeriod>${frequency && `<sy:updateFrequency>${frequency}</sy:updateFrequency>`}`;
  const table: readonly (readonly [head: string, ttlMs: number | null])[] = [
    ["<ttl>5</ttl>", 5 * minuteMs],
    ["<ttl>0</ttl>", 0],
    ["<ttl> 90 </ttl>", 90 * minuteMs],
    ["<ttl>1000000</ttl>", dayMs],
    ["<ttl>-5</ttl>", null],
    ["<ttl>soon</ttl>", null],
    [sy("hourly"), 60 * minuteMs],
    [sy(" Hourly\n", "4"), 15 * minuteMs],
    [sy("daily", "24"), 60 * minuteMs],
    [sy("weekly"), dayMs],
    [sy("hourly", "0"), null],
    [sy("constructor"), null],
    [`<ttl>5</ttl>${sy("daily")}`, 5 * minuteMs],
    ["", null],
  ];
  for (const [head, ttlMs] of table) assert.equal(parse(rss(head)).ttlMs, ttlMs, head);
});

test("a hub is named by the document of any format, and before it by the HTTP header", () => {
  const hub = '<atom:link rel="hub" href="https://hub.example/"/>';
  const self = '<atom:link rel="self" href="/rss/topic.xml"/>';
  const topic = "https://wire.example/rss/topic.xml";
  assert.deepEqual(parse(rss(hub + self)).hub, { url: "https://hub.example/", topic });
  assert.deepEqual(parse(rss(hub)).hub, { url: "https://hub.example/", topic: source.url });
  assert.equal(parse(rss(self)).hub, null);
  const links = (hub + self).replaceAll("atom:", "");
  assert.deepEqual(parse(atom(links)).hub, { url: "https://hub.example/", topic });
  const json = JSON.stringify({
    version: "https://jsonfeed.org/version/1.1",
    title: "t",
    feed_url: topic,
    hubs: [
      { type: "rssCloud", url: "https://cloud.example/" },
      { type: "WebSub", url: "https://hub.example/" },
    ],
    items: [{ id: "1", title: "a" }],
  });
  assert.deepEqual(parse(json).hub, { url: "https://hub.example/", topic });
  const link = '<https://other.example/hub>; rel="hub", </rss/canonical.xml>; rel="self alternate"';
  assert.deepEqual(parse(rss(hub + self), { link }).hub, {
    url: "https://other.example/hub",
    topic: "https://wire.example/rss/canonical.xml",
  });
  assert.deepEqual(parse(rss(hub + self), { link: '<https://wire.example/>; rel="next"' }).hub, {
    url: "https://hub.example/",
    topic,
  });
});

test("what is no web address is no hub", () => {
  for (const href of [
    "javascript:alert(1)",
    "ftp://hub.example/",
    `https://hub.example/${"x".repeat(3_000)}`,
    "http://",
  ])
    assert.equal(parse(rss(`<atom:link rel="hub" href="${href}"/>`)).hub, null, href);
  for (const link of ["<", "<>; rel=hub", 'rel="hub"', "<data:,x>; rel=hub", "<".repeat(10_000)])
    assert.equal(parse(rss(""), { link }).hub, null, link);
});

test("a tombstone names the item that is gone by the item's own identity", () => {
  const before = parse(atom("", "<entry><id>http://desk.example/?a=1&amp;b=2</id><title>a</title></entry>"));
  const after = parse(
    atom(
      '<at:deleted-entry ref="http://desk.example/?a=1&amp;b=2" when="2026-03-02T10:00:00Z"><at:comment>x</at:comment></at:deleted-entry>',
    ),
  );
  assert.equal(after.retracted.length, 1);
  assert.ok(before.items[0]?.identity.includes(after.retracted[0] ?? ""));
  assert.equal(after.items[0]?.retracted, false);
  assert.deepEqual(before.retracted, []);
});

test("an entry beside its tombstone is withdrawn, unless it was updated later", () => {
  const stone = '<at:deleted-entry when="2026-03-02T10:00:00Z" ref="urn:1"/>';
  const entry = (updated: string) =>
    `<entry><id>urn:1</id><title>a</title><updated>${updated}</updated></entry>`;
  const gone = parse(atom(stone, entry("2026-03-02T09:59:59Z")));
  assert.deepEqual(gone.retracted, [guidIdentity("wire-x", "urn:1")]);
  assert.equal(gone.items[0]?.retracted, true);
  const back = parse(atom(stone, entry("2026-03-02T10:00:01Z")));
  assert.deepEqual(back.retracted, []);
  assert.equal(back.items[0]?.retracted, false);
});

test("tombstones count in the markup of Atom feeds only, and their number is bounded", () => {
  const stone = '<at:deleted-entry ref="urn:2" when="2026-03-02T10:00:00Z"/>';
  const quoted = `<entry><id>urn:1</id><title>a</title><content type="html"><![CDATA[${stone}]]></content></entry>`;
  assert.deepEqual(parse(atom("", quoted)).retracted, []);
  assert.deepEqual(parse(rss(stone)).retracted, []);
  assert.deepEqual(parse(atom("<at:deleted-entry/><at:deleted-entry when='x'/>")).retracted, []);
  const many = Array.from({ length: 3_000 }, (_, n) => `<at:deleted-entry ref='urn:${n}'/>`).join("");
  assert.equal(parse(atom(many)).retracted.length, 2_000);
});

test("a wire's kill notice is withdrawn, and what only sounds like one is not", () => {
  const retracted = (title: string) =>
    parse(rss("", `<item><title>${title}</title></item>`)).items[0]?.retracted;
  for (const title of [
    "/DISREGARD RELEASE: Quillon Robotics/",
    "RETRACTED: Quillon Robotics names a CFO",
    "WITHDRAWN: Harlow &amp; Pike offer",
    "KILL: Quillon Robotics",
  ])
    assert.equal(retracted(title), true, title);
  for (const title of [
    "Withdrawn: the offer that never was",
    "Quillon: RETRACTED: a study",
    "KILL:ER app sold",
    "RETRACTED paper costs Quillon",
    "DISREGARD RELEASE notes, says Quillon",
    "KILLED: two in plant fire",
  ])
    assert.equal(retracted(title), false, title);
});

test("FeedBurner's address of the page is an identity beside the link that is shown", () => {
  const item = (token: string) =>
    `<item><title>Up</title><guid isPermaLink="false">g1</guid><link>https://proxy.example/~r/x/~3/${token}/</link><feedburner:origLink>http://www.desk.example/up.html?utm_source=feed</feedburner:origLink></item>`;
  const [one] = parse(rss("", item("abc"))).items;
  const [other] = parse(rss("", item("xyz"))).items;
  assert.equal(one?.link, "https://proxy.example/~r/x/~3/abc/");
  assert.deepEqual(one?.identity, [
    "guid:wire-x:g1",
    "page:wire-x:up:https://desk.example/up.html",
    "page:wire-x:up:https://proxy.example/~r/x/~3/abc",
  ]);
  assert.equal(one?.identity[1], other?.identity[1]);
  const [entry] = parse(
    atom(
      "",
      '<entry><title>Up</title><link href="https://proxy.example/1"/><feedburner:origLink>https://desk.example/up</feedburner:origLink></entry>',
    ),
  ).items;
  assert.equal(entry?.identity[0], "link:wire-x:https://desk.example/up");
});

test("a landing page is no identity, even as FeedBurner's address", () => {
  const item = (guid: string) =>
    `<item><title>${guid}</title><guid isPermaLink="false">${guid}</guid><link>https://proxy.example/${guid}</link><feedburner:origLink>https://desk.example/latest</feedburner:origLink></item>`;
  const { items } = parse(rss("", item("a") + item("b")));
  for (const { identity } of items)
    assert.ok(!identity.some((form) => form.includes("latest")), String(identity));
});
