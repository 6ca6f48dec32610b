import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, parse } from "node:path";
import { test } from "node:test";
import { z } from "zod";
import { readConfigFile } from "../../../src/config/files.ts";
import { type SourceConfig, sourcesFile } from "../../../src/config/sources.ts";
import { ParseError } from "../../../src/ingest/adapter.ts";
import { adapters } from "../../../src/ingest/sources/adapters.ts";
import { recordedFile, recordedLines, withRecorded } from "../../support/recorded.ts";

const folder = join(import.meta.dirname, "..", "..", "fixtures", "sources");
const config = join(import.meta.dirname, "..", "..", "..", "..", "config", "sources.json");
const { sources } = readConfigFile(config, sourcesFile);

/** One line for each item of a fixture, in its order; `at` is a day where the source gives only that. */
const expectedItem = z.strictObject({
  source: z.string(),
  title: z.string(),
  link: z.string().nullable(),
  at: z.string(),
  language: z.string().nullable(),
  provider: z.string(),
  symbols: z.array(z.string()).default([]),
  isins: z.array(z.string()).default([]),
});
const expected = readFileSync(join(folder, "expected.jsonl"), "utf8")
  .trim()
  .split("\n")
  .map((line) => expectedItem.parse(JSON.parse(line)));

function fixturePath({ id }: SourceConfig): string | null {
  return ["xml", "json"].map((end) => join(folder, `${id}.${end}`)).find(existsSync) ?? null;
}

function configured(id: string): SourceConfig {
  const source = sources.find((each) => each.id === id);
  assert.ok(source !== undefined, `no source '${id}' is configured`);
  return source;
}

function read(source: SourceConfig, body: Uint8Array) {
  const response = { url: source.url, headers: {}, body, fetchedAt: new Date("2026-07-15T12:00:00Z") };
  return adapters[source.format].parse(response, source);
}

test("every enabled source has a document of its shape, and every such document is of a source", () => {
  const lacking = sources.filter((source) => source.enabled && fixturePath(source) === null);
  assert.deepEqual(
    lacking.map(({ id }) => id),
    [],
  );
  const documents = readdirSync(folder).filter((name) => name !== "expected.jsonl");
  const known = new Set(sources.map(({ id }) => id));
  assert.deepEqual(
    documents.filter((name) => !known.has(parse(name).name)),
    [],
  );
  const described = new Set(expected.map(({ source }) => source));
  assert.deepEqual([...described].toSorted(), documents.map((name) => parse(name).name).toSorted());
});

for (const source of sources) {
  const path = fixturePath(source);
  if (path === null) continue;
  test(`${source.id}: a document of its shape is read whole, item by item`, () => {
    const { items, salvaged } = read(source, readFileSync(path));
    assert.equal(salvaged, false);
    assert.deepEqual(
      items.map(({ title, link, publishedAt, precision, language, providerId, symbols, isins }) => ({
        source: source.id,
        title,
        link,
        at: (publishedAt?.toISOString() ?? "none")
          .replace(".000Z", "Z")
          .slice(0, precision === "day" ? 10 : undefined),
        language,
        provider: providerId,
        symbols,
        isins,
      })),
      expected.filter((item) => item.source === source.id),
    );
    for (const item of items) {
      assert.deepEqual([item.source, item.type], [source.name, source.type]);
      if (source.headline_only) assert.equal(item.body, "");
    }
    const identities = items.map(({ identity }) => identity[0]);
    assert.equal(new Set(identities).size, items.length, "two items have one identity");
  });
}

test("an error page with status 200 is refused by every configured source", () => {
  const page = Buffer.from("<!DOCTYPE html><html><body><h1>Access Denied</h1></body></html>");
  for (const source of sources) assert.throws(() => read(source, page), ParseError, source.id);
});

const feedLine = z.object({ kind: z.literal("feed"), file: z.string(), item_count: z.int().min(1) });
/** Recordings of configured sources, or of another list of the same publisher. */
const recordings: readonly (readonly [source: string, file: string])[] = [
  ["nasdaq-halts", "feeds/nasdaq_trade_halts_2023-06-19.xml"],
  ["fda-recalls", "feeds/fda_drug_recalls.xml"],
  ["fed-press", "feeds/wire_shapes/fed_press_all_bom_cdata_dates.xml"],
  ["sec-litigation", "feeds/wire_shapes/sec_litigation_releases.xml"],
  ["globenewswire-public", "feeds/wire_shapes/globenewswire_public_companies.xml"],
  ["prnewswire-all", "feeds/wire_shapes/prnewswire_all.xml"],
  ["rba-speeches", "feeds/wire_shapes/rba_speeches_rsscb.rdf"],
  ["yahoo-finance", "feeds/wire_shapes/yahoo_general.xml"],
  ["cnbc-economy", "feeds/wire_shapes/cnbc_top.xml"],
  ["nasdaq-stocks", "feeds/wire_shapes/nasdaq_markets.xml"],
];

test("recordings of configured sources: every item, with title and instant", withRecorded, () => {
  const lines = recordedLines("manifest.jsonl").flatMap((line) => feedLine.safeParse(line).data ?? []);
  for (const [id, file] of recordings) {
    const { items, salvaged } = read(configured(id), recordedFile(file));
    assert.equal(items.length, lines.find((line) => line.file === file)?.item_count, file);
    assert.equal(salvaged, false, file);
    for (const { title, publishedAt } of items) {
      assert.ok(title !== null, file);
      assert.ok(publishedAt !== null, `${file}: ${title}`);
    }
  }
});
