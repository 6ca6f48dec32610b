import assert from "node:assert/strict";
import { test } from "node:test";
import { sourceConfig } from "../../../src/config/sources.ts";
import { ParseError } from "../../../src/ingest/adapter.ts";
import { boundXml, feedLimits } from "../../../src/ingest/decode/bounded-xml.ts";
import { feedAdapter } from "../../../src/ingest/sources/feed/feed.ts";
import { textLimits } from "../../../src/ingest/text/text.ts";
import { recordedFile, recordedLines, withRecorded } from "../../support/recorded.ts";

const source = sourceConfig.parse({
  name: "long",
  id: "long",
  provider: "long",
  format: "feed",
  url: "https://feeds.example/feed.xml",
});

function parse(text: string) {
  const body = Buffer.from(text);
  return feedAdapter.parse({ url: source.url, headers: {}, body, fetchedAt: new Date(0) }, source);
}

const rss = (inside: string) => `<rss version="2.0"><channel><title>t</title>${inside}</channel></rss>`;
const item = (n: number, inside = "") =>
  `<item><title>Halvorn Biotech update ${n}</title><guid>hb-${n}</guid>${inside}</item>`;
const description = "<description>&lt;p&gt;Osterby &lt;b&gt;opens&lt;/b&gt; in June.&lt;/p&gt;</description>";
const times = <T>(count: number, make: (n: number) => T) => Array.from({ length: count }, (_, n) => make(n));

test("a valid feed of 10,000 entries with descriptions gives its first 5,000, and says so", () => {
  const link = (n: number) => `<link>https://halvorn.example/${n}</link><category>Results</category>`;
  const page = parse(rss(times(10_000, (n) => item(n, description + link(n))).join("")));
  assert.equal(page.items.length, 5_000);
  assert.equal(page.items[0]?.body, "Osterby opens in June.");
  assert.equal(page.items.at(-1)?.title, "Halvorn Biotech update 4999");
  assert.deepEqual(
    [page.salvaged, page.cut],
    [false, "not all of it is read: it has more than 5000 entries"],
  );

  const entries = times(6_000, (n) => ({ id: String(n), title: `Halvorn Biotech update ${n}` }));
  const json = parse(
    JSON.stringify({ version: "https://jsonfeed.org/version/1", title: "t", items: entries }),
  );
  assert.deepEqual([json.items.length, json.cut], [5_000, page.cut]);
});

test("an entry that is full of tags is cut, and those beside it are whole", () => {
  const full = item(2, `<description>Osterby opens.</description>${"<category>x</category>".repeat(30_000)}`);
  const xhtml = `<entry><title>c</title><id>c</id><content type="xhtml"><div>${"<p>x<br/></p>".repeat(20_000)}`;
  for (const [text, titles] of [
    [rss(item(1) + full + item(3)), [1, 2, 3].map((n) => `Halvorn Biotech update ${n}`)],
    [
      `<feed xmlns="http://www.w3.org/2005/Atom">${xhtml}</div></content></entry><entry><title>d</title><id>d</id></entry></feed>`,
      ["c", "d"],
    ],
  ] as const) {
    const page = parse(text);
    assert.deepEqual(
      page.items.map(({ title }) => title),
      titles,
    );
    assert.match(page.cut ?? "", /an entry has more than 20000 tags/);
    assert.equal(page.salvaged, false);
  }
});

test("tags with too many attributes keep the first of them, and long texts their beginning", () => {
  const many = times(20_000, (n) => `data-${n}="a > b"`).join(" ");
  const page = parse(
    rss(
      `${item(1)}<item><title ${many}>Two</title><guid isPermaLink="false" ${many}>two</guid><enclosure url="https://halvorn.example/a.mp3" ${many}/></item>`,
    ),
  );
  const [, two] = page.items;
  assert.deepEqual([two?.title, two?.link], ["Two", "https://halvorn.example/a.mp3"]);
  assert.match(page.cut ?? "", /a tag has more than 100 attributes or 16000 characters/);

  const words = "Osterby opens. ".repeat(200_000);
  for (const text of [words, `<![CDATA[${words}]]>`, `<!-- x -->${words}`]) {
    const long = parse(rss(item(1, `<description>${text}</description>`) + item(2)));
    assert.deepEqual(
      long.items.map(({ body }) => body.length),
      [textLimits.body, 0],
    );
    assert.match(long.cut ?? "", /a text has more than 1000000 characters/);
  }
  const entities = boundXml(rss(item(1, `<description>${"&eacute;".repeat(200_000)}</description>`))).text;
  assert.match(entities, /&eacute;<\/description>/);
});

test("comments go, wherever they are, and what only looks like one is text", () => {
  assert.equal(boundXml(rss(`<!-- <item> -->${item(1)}<!---->`)).text, rss(item(1)));
  for (const text of [
    rss(item(1, "<![CDATA[<!-- -->]]>")),
    rss(item(1, "<!-- <!-- ")),
    rss("<![CDATA[<item>"),
  ])
    assert.deepEqual(boundXml(text), { text, cut: null });
});

test("a feed that is not even cut before its tags are too many keeps its whole entries, and needs one", () => {
  const junk = "<a></a>".repeat(feedLimits.tags / 2);
  const page = parse(rss(item(1) + item(2) + junk + item(3)));
  assert.equal(page.items.length, 2);
  assert.match(page.cut ?? "", /more than 400000 tags/);
  assert.throws(() => parse(rss(junk + item(1))), ParseError);
});

test("recorded feeds are left as they are, but for their comments", withRecorded, () => {
  const files = recordedLines("manifest.jsonl").flatMap((line) =>
    typeof line === "object" && line !== null && "kind" in line && line.kind === "feed" && "file" in line
      ? [String(line.file)]
      : [],
  );
  assert.ok(files.length >= 60);
  for (const file of files) {
    const text = recordedFile(file).toString("latin1");
    const { text: bounded, cut } = boundXml(text);
    assert.equal(cut, null, file);
    if (!text.includes("<!--")) assert.equal(bounded, text, file);
  }
});
