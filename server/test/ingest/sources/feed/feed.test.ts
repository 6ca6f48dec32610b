import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { sourceConfig } from "../../../../src/config/sources.ts";
import { titleKey } from "../../../../src/ingest/identity/identity.ts";
import { feedAdapter } from "../../../../src/ingest/sources/feed/feed.ts";

const source = sourceConfig.parse({
  name: "wire-x",
  id: "wire-x-rss",
  provider: "wire",
  format: "feed",
  url: "https://wire.example/rss/all.xml",
  zone: "America/New_York",
});

function parse(body: string | Uint8Array, { headers = {}, config = source } = {}) {
  const response = { url: config.url, headers, body: Buffer.from(body), fetchedAt: new Date(0) };
  return feedAdapter.parse(response, config);
}
const fixture = (name: string) =>
  readFileSync(join(import.meta.dirname, "..", "..", "..", "fixtures", "feeds", name));
const rss = (items: string, head = "<link>https://wire.example/</link>") =>
  `<?xml version="1.0"?><rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>t</title>${head}${items}</channel></rss>`;

test("RSS 2.0: CDATA, content:encoded, the issuer's ticker, relative links, order", () => {
  const { items, nextPage, salvaged } = parse(fixture("wire.rss.xml"));
  assert.equal(salvaged, false);
  assert.equal(nextPage, null);
  assert.deepEqual(
    items.map(({ title, link, publishedAt, precision, language }) => ({
      title,
      link,
      at: publishedAt?.toISOString() ?? null,
      precision,
      language,
    })),
    [
      {
        title: "Quillon Robotics raises its outlook & names a new CFO",
        link: "https://wire.example/news/1001?utm_source=rss",
        at: "2026-03-02T14:30:15.000Z",
        precision: "second",
        language: "en",
      },
      {
        title: "Harlow & Pike's board approves a buyback",
        link: "https://wire.example/releases/1002",
        at: "2026-03-02T14:20:00.000Z",
        precision: "second",
        language: "en",
      },
      {
        title: null,
        link: "https://wire.example/news/1003",
        at: "2026-03-02T00:00:00.000Z",
        precision: "day",
        language: "de",
      },
      { title: "No address of its own", link: null, at: null, precision: "none", language: "en" },
    ],
  );
  const [first, second, third] = items;
  assert.equal(first?.body, "Quillon Robotics expects revenue of $210 million.");
  assert.equal(second?.body, "The board approved up to 4 million shares.");
  assert.equal(third?.body, "An item without a title.");
  assert.deepEqual(first?.symbols, ["Nasdaq:QLLN"]);
  assert.deepEqual(first?.categories, ["Robotics"]);
  assert.deepEqual(first?.identity, [
    "guid:wire-x:NW-1001",
    `page:wire-x:${titleKey(first?.title ?? "")}:https://wire.example/news/1001`,
  ]);
  assert.deepEqual(
    [first?.source, first?.providerId, first?.type, first?.filing],
    ["wire-x", "wire", "news", null],
  );
});

test("RSS 0.91: named entities of its DTD, no dates", () => {
  const { items } = parse(fixture("bulletin.rss091.xml"));
  assert.deepEqual(
    items.map(({ title, body, publishedAt, language }) => [title, body, publishedAt, language]),
    [
      ["Tarifs du quai 4 relevés", "Dès avril.", null, "fr"],
      ["Berth 9 closed", "", null, "fr"],
    ],
  );
  assert.deepEqual(items[1]?.identity, ["link:wire-x:https://bulletin.example/2026/03/berth-9.html"]);
});

test("RDF: items beside the channel, dates and subjects of Dublin Core", () => {
  const { items } = parse(fixture("bank.rdf.xml"));
  assert.deepEqual(
    items.map(({ title, link, publishedAt, precision, language, categories }) => [
      title,
      link,
      publishedAt?.toISOString(),
      precision,
      language,
      categories,
    ]),
    [
      [
        "Policy rate held at 2.25%",
        "https://bank.example/s1",
        "2026-03-05T12:45:00.000Z",
        "second",
        "en",
        ["monetary policy"],
      ],
      [
        "Speech: liquidity after dusk",
        "https://bank.example/s2",
        "2026-03-04T00:00:00.000Z",
        "day",
        null,
        [],
      ],
    ],
  );
});

test("Atom: xml:base in xml:base, plain and escaped titles, XHTML and base64 content", () => {
  const { items } = parse(fixture("desk.atom.xml"));
  assert.deepEqual(
    items.map(({ title, link, body, language, publishedAt }) => [
      title,
      link,
      body,
      language,
      publishedAt?.toISOString(),
    ]),
    [
      [
        "Spread <b> 40 bp when a < b",
        "https://desk.example/feeds/2026/one.html",
        "First line. Second line.",
        null,
        "2026-03-02T14:59:58.000Z",
      ],
      [
        "Renditen & Aufschläge",
        "https://desk.example/feeds/two.html",
        "The auction cleared at 99.5.",
        "de",
        "2026-03-02T14:00:00.000Z",
      ],
      ["Title only", null, "", null, "2026-03-02T13:00:00.000Z"],
    ],
  );
});

test("JSON Feed: plain text is not markup, addresses resolve against the home page", () => {
  const { items } = parse(fixture("lab.feed.json"));
  assert.deepEqual(
    items.map(({ title, link, body, language, publishedAt }) => [
      title,
      link,
      body,
      language,
      publishedAt?.toISOString(),
    ]),
    [
      [
        "p <0.05 & a second endpoint",
        "https://lab.example/n/2",
        "The trial met x<y & both endpoints.",
        "en",
        "2026-03-02T19:30:00.000Z",
      ],
      [null, "https://lab.example/n/1", "No title, some markup.", "es", "2026-03-01T10:00:00.000Z"],
    ],
  );
  assert.deepEqual(items[0]?.categories, ["trial"]);
});

test("headline_only changes nothing but the text, which is read only where it is the headline", () => {
  const whole = parse(fixture("wire.rss.xml"));
  const headlines = parse(fixture("wire.rss.xml"), { config: { ...source, headline_only: true } });
  assert.ok(whole.items.some(({ title, body }) => title !== null && body !== ""));
  assert.deepEqual(
    headlines.items,
    whole.items.map((item) => ({ ...item, body: item.title === null ? item.body : "" })),
  );
});

test("the language is the item's, else the feed's, else the source's", () => {
  const item = "<item><title>a</title></item>";
  const config = { ...source, language: "ja" };
  const language = (items: string, head?: string) => parse(rss(items, head), { config }).items[0]?.language;
  assert.equal(
    language("<item><title>a</title><dc:language>pt-BR</dc:language></item>", "<language>en</language>"),
    "pt",
  );
  assert.equal(language(item, "<language>EN_us</language>"), "en");
  assert.equal(language(item, "<language>english</language>"), "ja");
  assert.equal(language(item), "ja");
});

test("relative links: the channel's address, then Content-Location, then the feed's own", () => {
  const item = "<item><title>a</title><link>x/1.html</link></item>";
  const link = (head: string, headers: Record<string, string> = {}) =>
    parse(rss(item, head), { headers }).items[0]?.link;
  assert.equal(link("<link>https://other.example/a/</link>"), "https://other.example/a/x/1.html");
  assert.equal(
    link("", { "content-location": "https://cdn.example/f/rss.xml" }),
    "https://cdn.example/f/x/1.html",
  );
  assert.equal(link(""), "https://wire.example/rss/x/1.html");
});

test("only web addresses are links, and none without bound", () => {
  for (const bad of ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "ftp://a.example/x"])
    assert.equal(parse(rss(`<item><title>a</title><link>${bad}</link></item>`)).items[0]?.link, null, bad);
  const endless = `https://a.example/${"x".repeat(5_000)}`;
  assert.equal(parse(rss(`<item><title>a</title><link>${endless}</link></item>`)).items[0]?.link, null);
});

test("a guid that is no permanent link is never taken for an address", () => {
  const [plain, permanent] = parse(
    rss(
      '<item><title>a</title><guid isPermaLink="false">https://wire.example/p/1</guid></item><item><title>b</title><guid>https://wire.example/p/2</guid></item>',
    ),
  ).items;
  assert.equal(plain?.link, null);
  assert.equal(permanent?.link, "https://wire.example/p/2");
});

test("dates that name no zone are of the source's", () => {
  const item = "<item><title>a</title><pubDate>Mon, 02 Mar 2026 09:30:00</pubDate></item>";
  assert.equal(parse(rss(item)).items[0]?.publishedAt?.toISOString(), "2026-03-02T14:30:00.000Z");
});

test("the first date that can be read counts", () => {
  const item = "<item><title>a</title><pubDate>soon</pubDate><dc:date>2026-03-02T09:30:00Z</dc:date></item>";
  assert.equal(parse(rss(item)).items[0]?.publishedAt?.toISOString(), "2026-03-02T09:30:00.000Z");
});

test("an address that several items share is a landing page, not their identity", () => {
  const item = (guid: string) =>
    `<item><title>Notice ${guid}</title><guid isPermaLink="false">${guid}</guid><link>https://wire.example/latest</link></item>`;
  const { items } = parse(rss(item("a") + item("b")));
  assert.deepEqual(
    items.map(({ identity }) => identity),
    [["guid:wire-x:a"], ["guid:wire-x:b"]],
  );
});

test("one guid on several items: their addresses tell them apart", () => {
  const item = (page: string) =>
    `<item><title>${page}</title><guid isPermaLink="false">same</guid><link>https://wire.example/${page}</link></item>`;
  const { items } = parse(rss(item("a") + item("b")));
  assert.equal(new Set(items.map(({ identity: [uniqueId] }) => uniqueId)).size, 2);
});

test("the request asks for feeds, and conditionally", () => {
  const request = feedAdapter.plan(source, { now: new Date(), sweptAt: null }).request;
  assert.equal(request.url, source.url);
  assert.equal(request.conditional, true);
  assert.match(request.accept, /application\/rss\+xml/);
});
