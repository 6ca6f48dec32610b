import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { eventOf, eventTypes } from "../src/flash/events/events.ts";

/** A kind of event, three headlines of it, two that only look like it. */
const cases = readFileSync(new URL("event-headlines.tsv", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .slice(1)
  .map((line) => {
    const [kind = "", ...titles] = line.split("\t");
    return { kind, titles: titles.slice(0, 3), nearMisses: titles.slice(3) };
  });

for (const { kind, titles, nearMisses } of cases)
  test(`${kind}: three headlines of the kind, two that only look like it`, () => {
    assert.deepEqual([titles.length, nearMisses.length], [3, 2]);
    for (const title of titles) assert.equal(eventOf(title).name, kind, title);
    for (const title of nearMisses) assert.notEqual(eventOf(title).name, kind, title);
  });

test("every kind is tried, and there are more than thirty", () => {
  assert.deepEqual(new Set(cases.map(({ kind }) => kind)), new Set(eventTypes.map(({ name }) => name)));
  assert.ok(eventTypes.length >= 31);
});
