import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { demoIntervalMs, demoItem } from "../src/ingest/demo/items.ts";
import { issuers } from "../src/ingest/demo/scene.ts";
import { stories } from "../src/ingest/demo/stories.ts";

const start = Date.UTC(2026, 0, 5, 9, 30);
const items = Array.from({ length: 500 }, (_, n) => demoItem(n, new Date(start + n * demoIntervalMs)));
const symbolsFile = join(import.meta.dirname, "..", "..", "scoring", "data", "demo-symbols.tsv");

test("the issuers are those of the symbol table", () => {
  const [header = [], ...rows] = readFileSync(symbolsFile, "utf8")
    .trim()
    .split("\n")
    .filter((line) => !line.startsWith("#"))
    .map((line) => line.split("\t"));
  const cell = (row: readonly string[], column: string) => row[header.indexOf(column)];
  assert.deepEqual(
    issuers.map(({ ticker, name }) => ({ symbol: `DEMO:${ticker}`, name })),
    rows.map((row) => ({ symbol: cell(row, "symbol"), name: cell(row, "name") })),
  );
});

test("identities are unique, also after a restart", () => {
  const restarted = items.map((_, n) => demoItem(n, new Date(start + 60_001 + n * demoIntervalMs)));
  const identities = [...items, ...restarted].map(({ identity }) => identity[0]);
  assert.equal(new Set(identities).size, identities.length);
  assert.match(identities[0] ?? "", /^wire:demo:20260105T093000000-0$/);
});

test("the same number and time give the same item", () => {
  assert.deepEqual(demoItem(123, new Date(start)), demoItem(123, new Date(start)));
});

test("every text is whole, marked as invented and of a headline's length", () => {
  for (const { title, body } of items) {
    assert.ok(title !== null && title.length >= 20 && title.length <= 200, title ?? "no title");
    assert.doesNotMatch(`${title} ${body}`, /[{}]|undefined|NaN|null|Infinity|\$-| -\d|s's|\s{2}/);
    assert.match(body, /^[A-Z].*\. \(Demo item about an invented (company|economy)\.\)$/);
    const sentences = body.split(/(?<=[.?!]\)?) (?=[A-Z("$])/).length;
    assert.ok(sentences >= 3 && sentences <= 6, body);
  }
});

test("every story is told once before any is told again, and every issuer is in the news", () => {
  assert.ok(stories.length >= 40);
  const first = Array.from({ length: stories.length }, (_, n) => demoItem(n, new Date(start)));
  assert.equal(new Set(first.map(({ title }) => title?.replaceAll(/\d/g, ""))).size, stories.length);
  const named = new Set(items.flatMap(({ symbols }) => symbols));
  assert.deepEqual([...named].sort(), issuers.map(({ ticker }) => `DEMO:${ticker}`).sort());
});

test("the wire carries news, research and posts, mostly of companies, and hints at each company it names", () => {
  const types = new Set(items.map(({ type }) => type));
  assert.deepEqual([...types].sort(), ["news", "research", "ugc"]);
  for (const { title, body, symbols } of items) {
    const named = issuers.filter(({ name }) => `${title} ${body}`.includes(name));
    assert.deepEqual(symbols.toSorted(), named.map(({ ticker }) => `DEMO:${ticker}`).sort());
  }
});
