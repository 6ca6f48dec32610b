import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { z } from "zod";
import { sourceConfig } from "../../../src/config/sources.ts";
import { ParseError } from "../../../src/ingest/adapter.ts";
import { mendXml, salvageXml } from "../../../src/ingest/decode/salvage.ts";
import { feedAdapter } from "../../../src/ingest/sources/feed/feed.ts";
import { recordedFile, recordedLines, withRecorded } from "../../support/recorded.ts";

const source = sourceConfig.parse({
  name: "damaged",
  id: "damaged",
  provider: "damaged",
  format: "feed",
  url: "https://feeds.example/feed.xml",
});

function parse(body: Uint8Array) {
  return feedAdapter.parse({ url: source.url, headers: {}, body, fetchedAt: new Date(0) }, source);
}

/** Titles and addresses of the items: what has to survive. */
function itemsOf(body: Uint8Array): string[] {
  try {
    return parse(body).items.map(({ title, link }) => `${title} ${link}`);
  } catch (error) {
    assert.ok(error instanceof ParseError);
    return [];
  }
}

/** Without the item that says nothing: it is closed like any other, and is none. */
const own = ["wire.rss.xml", "bulletin.rss091.xml", "bank.rdf.xml", "desk.atom.xml"].map((name) => {
  const text = readFileSync(join(import.meta.dirname, "..", "..", "fixtures", "feeds", name), "utf8");
  return Buffer.from(text.replace(/<item>\s*<guid isPermaLink="false">NW-1004<[\s\S]*?<\/item>/, ""));
});
const feedLine = z.object({ kind: z.literal("feed"), file: z.string(), bozo: z.literal(false) });

/** latin1 keeps every byte, whatever the charset: the damage is done to bytes. */
const bytes = (text: string) => Buffer.from(text, "latin1");
const isXml = (text: string) => /<(?:rss|feed|rdf:RDF)[\s>]/i.test(text) && !text.includes("\0");
const title = /(<(?:item|entry)[\s>](?:(?!<\/?(?:item|entry)[\s>])[\s\S])*?<title[^>]*>(?:<!\[CDATA\[)?)/g;
const firstCloser = (text: string) => /<\/(?:item|entry)>\s*<(?:item|entry)[\s>]/.exec(text);

/** Each kind of damage; null where a document offers no place for it. */
const mutations: Readonly<Record<string, (text: string) => string | null>> = {
  "raw & in titles": (text) => (text.includes("<title") ? text.replace(title, "$1R&D & more ") : null),
  "raw < in titles": (text) => (text.includes("<title") ? text.replace(title, "$1a < b <5% ") : null),
  "one item not closed": (text) => {
    const at = firstCloser(text);
    return at === null
      ? null
      : text.slice(0, at.index) + text.slice(at.index).replace(/^<\/(?:item|entry)>/, "");
  },
  "warning before the declaration": (text) =>
    `<br />\n<b>Warning</b>: mysql_connect() in <b>/srv/feed.php</b> on line <b>7</b><br />\n${text}`,
  "control characters": (text) => text.replaceAll(/<title[^>]*>(?:<!\[CDATA\[)?/g, "$&\x01\x08\x1f"),
  "trailing junk": (text) => `${text}\n<script>var page = "<rss>";</script></body></html>`,
  "no closing root": (text) => text.replace(/<\/(?:rss|feed|rdf:RDF)>\s*$/i, ""),
  "upper-case tags": (text) =>
    text.replaceAll(
      /<\/?(?:rss|channel|rdf:rdf|feed|item|entry|title|link|description|summary|content|guid|id|pubDate|updated)(?=[\s>])/gi,
      (tag) => tag.toUpperCase(),
    ),
  // Only between the two that the bytes tell apart: of another charset nothing but its name is known.
  "wrong charset": (text) => {
    const declared = /(<\?xml[^>]*\sencoding=["'])([\w-]+)/i.exec(text)?.[2]?.toLowerCase();
    const other = declared === "utf-8" ? "iso-8859-1" : declared === "iso-8859-1" ? "utf-8" : null;
    return other === null ? null : text.replace(/(<\?xml[^>]*\sencoding=["'])[\w-]+/i, `$1${other}`);
  },
};

/** Share of titles with their addresses that survive, with what the damage itself adds to a title taken off again. */
function survivors(body: Buffer, damaged: string): { kept: number; all: number } {
  const plain = (text: string) => text.replace(/^(?:R&D & more|a < b <5%) ?/, "").replaceAll("\ufffd", "");
  const found = new Set(itemsOf(bytes(damaged)).map(plain));
  const wanted = itemsOf(body).map(plain);
  return { kept: wanted.filter((item) => found.has(item)).length, all: wanted.length };
}

function shares(documents: readonly Buffer[]): Map<string, number> {
  const result = new Map<string, number>();
  for (const [name, damage] of Object.entries(mutations)) {
    const sum = { kept: 0, all: 0 };
    for (const body of documents) {
      const text = body.toString("latin1");
      const damaged = isXml(text) ? damage(text) : null;
      if (damaged === null) continue;
      const { kept, all } = survivors(body, damaged);
      sum.kept += kept;
      sum.all += all;
    }
    assert.ok(sum.all > 0, `no document for '${name}'`);
    result.set(name, sum.kept / sum.all);
  }
  return result;
}

/** Items that are whole before the cut must all be found: cut at many places. */
function cutShare(documents: readonly Buffer[], places: readonly number[]): { kept: number; all: number } {
  const sum = { kept: 0, all: 0 };
  for (const body of documents) {
    if (!isXml(body.toString("latin1"))) continue;
    const whole = itemsOf(body);
    for (const place of places) {
      const cut = body.subarray(0, Math.floor(body.length * place));
      const complete = Math.min(
        cut.toString("latin1").match(/<\/(?:item|entry)>/gi)?.length ?? 0,
        whole.length,
      );
      const found = new Set(itemsOf(cut));
      sum.all += complete;
      sum.kept += whole.slice(0, complete).filter((item) => found.has(item)).length;
    }
  }
  return sum;
}

test("our own feeds survive each kind of damage", () => {
  for (const [name, share] of shares(own)) assert.equal(share, 1, name);
});

test("our own feeds, cut at every hundredth: each item that is complete is read", () => {
  const places = Array.from({ length: 100 }, (_, index) => index / 100);
  const { kept, all } = cutShare(own, places);
  assert.ok(all > 150);
  assert.equal(kept, all);
});

test("recorded feeds: the share that survives each kind of damage", withRecorded, (context) => {
  const recorded = recordedLines("manifest.jsonl").flatMap(
    (line) => feedLine.safeParse(line).data?.file ?? [],
  );
  const documents = recorded.map(recordedFile).filter((body) => itemsOf(body).length > 0);
  assert.ok(documents.length >= 50);
  const { kept, all } = cutShare(documents, [0.6]);
  context.diagnostic(`cut at 60%: ${kept}/${all} complete items`);
  assert.ok(all > 500);
  assert.ok(kept / all >= 0.99);
  for (const [name, share] of shares(documents)) {
    context.diagnostic(`${name}: ${(share * 100).toFixed(1)}%`);
    assert.ok(share >= 0.99, `${name}: ${share}`);
  }
});

test("a wrong declaration of the charset spoils nothing that strict UTF-8 or windows-1252 can read", () => {
  const feed = (charset: string, name: string) =>
    `<?xml version="1.0" encoding="${charset}"?><rss version="2.0"><channel><title>t</title><link>https://a.example/</link><item><title>${name}</title></item></channel></rss>`;
  const name = "Müller – Söhne";
  const titleOf = (body: Uint8Array) => parse(body).items[0]?.title;
  assert.equal(titleOf(Buffer.from(feed("utf-16", name))), name);
  assert.equal(titleOf(Buffer.from(feed("nonsense-9", name))), name);
  assert.equal(titleOf(Buffer.from(feed("iso-8859-1", name))), name);
  assert.equal(titleOf(Buffer.from(feed("windows-1252", name))), name);
  assert.equal(titleOf(bytes(feed("utf-8", "Müller"))), "Müller");
  assert.equal(titleOf(bytes(feed("utf8", "Müller"))), "Müller");
});

test("a damaged document is marked as such, a whole one is not", () => {
  for (const body of own) {
    assert.equal(parse(body).salvaged, false);
    assert.equal(parse(body.subarray(0, Math.floor(body.length * 0.9))).salvaged, true);
  }
});

test("mending leaves whole feeds as they are, and does not look into CDATA for items", () => {
  for (const body of own) assert.equal(mendXml(body.toString("utf8")), body.toString("utf8"));
  const quoted = "<item><title><![CDATA[<item> unclosed]]></title></item><item><title>b</title></item>";
  assert.equal(mendXml(quoted), quoted);
  const empty = "<item><title>a</title><item /><item/></item>";
  assert.equal(mendXml(empty), empty);
  assert.equal(mendXml("<item>a<item>b</item>"), "<item>a</item><item>b</item>");
});

test("salvage closes what is open, and gives up where no item is complete", () => {
  assert.equal(salvageXml("<rss><channel><item>half"), null);
  assert.equal(
    salvageXml("<rss><channel><item>a</item><item>b"),
    "<rss><channel><item>a</item></channel></rss>",
  );
  assert.equal(
    salvageXml("<rdf:RDF><channel><items></items></channel><item>a</item><it"),
    "<rdf:RDF><channel><items></items></channel><item>a</item></rdf:RDF>",
  );
  assert.equal(
    salvageXml("<rss></feed><channel><item>a</item>"),
    "<rss></feed><channel><item>a</item></channel></rss>",
  );
});
