import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { itemIdOf } from "../../src/feed/item.ts";
import {
  type Findings,
  nothingRecalled,
  type StoryFacts,
  StoryMemory,
  storyFacts,
} from "../../src/feed/story/story.ts";
import { latencyOf } from "../../src/feed/view.ts";
import { ItemWriter } from "../../src/store/append/item-writer.ts";
import type { Db } from "../../src/store/engine/db.ts";
import { itemsAfter } from "../../src/store/log/item-reads.ts";
import { Partitions } from "../../src/store/log/partitions.ts";
import { anyEngine, onBothEngines, testDb } from "../support/db.ts";
import { newItem } from "../support/items.ts";

const at = new Date("2026-03-02T14:30:00Z");
const hours = (n: number) => new Date(at.getTime() + n * 3_600_000);
const release =
  "Halvorn Biotech today announced that its Phase 2 trial of HB-104 met the primary endpoint in 212 patients with moderate disease, with a placebo-adjusted improvement of 4.1 points at week 24. The company plans to meet with regulators in the second half of the year and expects to begin a larger trial after that meeting.";
const neutral: Findings = { events: [], direction: 0 };
/** Of another source each, where none is named. */
const facts = (
  title: string,
  body = "",
  symbols = ["NYSE:HLV"],
  { publishedAt = at, source = `${randomUUID()}`, told = neutral } = {},
) => storyFacts({ title, body, symbols, about: symbols, publishedAt, source }, told);
const sketch = (one: StoryFacts, id: string, storyId = id) => ({
  ...one,
  id,
  storyId,
  recalled: nothingRecalled,
});

function memoryOf(...known: StoryFacts[]): StoryMemory {
  const memory = new StoryMemory();
  for (const [n, one] of known.entries()) memory.add(sketch(one, `story ${n}`), one.publishedMs);
  return memory;
}

const directors = (name: string) =>
  `Halvorn Biotech was told that a director bought 5,000 shares at 412 pence. The director is ${name}.`;

const headline = "Halvorn Biotech says Phase 2 trial of HB-104 met its goal";
const same: [what: string, first: StoryFacts, second: StoryFacts][] = [
  ["the same headline about the same symbol", facts(headline), facts(headline)],
  ["with the name of an outlet", facts(headline), facts(`${headline} - The Daily Ledger`)],
  ["in other capitals and dashes", facts(headline), facts(headline.toUpperCase().replace("-", "–"))],
  ["with the mark of a version", facts(headline), facts(`UPDATE 1-${headline}`)],
  [
    "amounts in another notation",
    facts("Halvorn sells plant for $1.2 billion, 34 cents a share"),
    facts("Halvorn sells plant for USD 1,200 mln, 0.34 a share"),
  ],
  ["an excerpt of the text", facts(headline, release), facts(headline, release.slice(0, 180))],
  [
    "another headline over the same text",
    facts(headline, release),
    facts("HB-104 succeeds in Phase 2", release),
  ],
  [
    "the same long text without a symbol",
    facts(headline, release, []),
    facts("Trial of HB-104: Phase 2 success", release, []),
  ],
];
for (const [what, first, second] of same)
  test(`one story: ${what}`, () => assert.equal(memoryOf(first).find(second), "story 0"));

const apart: [what: string, first: StoryFacts, second: StoryFacts][] = [
  ["the same headline about another symbol", facts(headline), facts(headline, "", ["NYSE:ZZZ"])],
  ["the same headline without symbols", facts(headline, "", []), facts(headline, "", [])],
  ["one with a symbol and one without", facts(headline, release), facts(headline, release, [])],
  [
    "a symbol in common that is beside the matter",
    { ...facts(headline, release, ["NYSE:HLV", "NYSE:ZZZ"]), about: ["NYSE:HLV"] },
    { ...facts(headline, release, ["NYSE:HLV", "NYSE:ZZZ"]), about: ["NYSE:ZZZ"] },
  ],
  [
    "another direction",
    facts(headline, release, ["NYSE:HLV"], { told: { events: [], direction: 2 } }),
    facts(headline, release, ["NYSE:HLV"], { told: { events: [], direction: -1 } }),
  ],
  [
    "another kind of event",
    facts(headline, release, ["NYSE:HLV"], { told: { events: ["trial"], direction: 0 } }),
    facts("HB-104 succeeds in Phase 2", release, ["NYSE:HLV"], {
      told: { events: ["offering"], direction: 0 },
    }),
  ],
  [
    "two people in one source's notices of a day",
    facts("Director shareholding", directors("Jo Ardent"), ["NYSE:HLV"], { source: "wire" }),
    facts("Director shareholding", directors("Ida Brandt"), ["NYSE:HLV"], { source: "wire" }),
  ],
  ["another currency", facts("Halvorn raises $10 million"), facts("Halvorn raises €10 million")],
  ["another sign", facts("Halvorn sales -5% in the spring"), facts("Halvorn sales +5% in the spring")],
  ["another rating", facts("Halvorn rated BBB by 3 firms"), facts("Halvorn rated BBB- by 3 firms")],
  [
    "a notice without figures 13 hours later",
    facts("Halvorn Biotech: Director shareholding"),
    facts("Halvorn Biotech: Director shareholding", "", ["NYSE:HLV"], { publishedAt: hours(13) }),
  ],
  ["a changed figure in the text", facts(headline, release), facts(headline, release.replace("4.1", "3.1"))],
  [
    "a changed figure in the headline",
    facts("Halvorn sees 2026 revenue of $10 million"),
    facts("Halvorn sees 2026 revenue of $12 million"),
  ],
  ["49 hours later", facts(headline), facts(headline, "", ["NYSE:HLV"], { publishedAt: hours(49) })],
  [
    "another text",
    facts(headline, release),
    facts("Halvorn names a finance chief", "Jo Ardent joins on May 4."),
  ],
];
for (const [what, first, second] of apart)
  test(`two stories: ${what}`, () => assert.equal(memoryOf(first).find(second), null));

test("the oldest of several gives the story, and what is older than 48 hours is forgotten", () => {
  const later = (n: number) => facts(headline, "", ["NYSE:HLV"], { publishedAt: hours(n) });
  const memory = memoryOf(later(0), later(1));
  assert.equal(memory.find(later(2)), "story 0");
  const other = facts("Something else happened at Brandmoor", "", [], { publishedAt: hours(60) });
  memory.add(sketch(other, "later"), hours(60).getTime());
  assert.equal(memory.size, 1);
});

test("the same template with other figures tells another story each time", () => {
  const memory = new StoryMemory();
  const text = (n: number) =>
    `Weekly calendar of Brandmoor events in week ${n} with the usual talks and lunches`;
  for (let n = 0; n < 3_000; n++) {
    const one = facts(text(n), text(n));
    assert.equal(memory.find(one), null);
    memory.add(sketch(one, `s${n}`), at.getTime());
  }
  assert.equal(memory.size, 3_000);
});

const writerOf = (db: Db) => new ItemWriter(db, new Partitions());
const told = (n: string, sentiment: number) =>
  newItem({
    uniqueId: `guid:${n}:1`,
    source: n,
    title: headline,
    body: release,
    symbols: ["NYSE:HLV"],
    sentiment,
    story: facts(headline, release),
  });

onBothEngines(
  "a copy is kept under the story of the first, with a score of its own, whichever process writes it",
  async (_, engine) => {
    await using db = await testDb(engine);
    const [one, two] = [writerOf(db), writerOf(db)];
    await one.append([{ items: [told("wire-a", 8)], sourceId: "a" }]);
    await two.append([{ items: [told("wire-b", 3)], sourceId: "b" }]);
    await one.append([{ items: [told("wire-c", 2), newItem({ uniqueId: "guid:other:1" })], sourceId: "c" }]);
    // After a restart the stories are known again.
    await writerOf(db).append([{ items: [told("wire-d", 1)], sourceId: "d" }]);
    const story = itemIdOf("guid:wire-a:1");
    const items = (await itemsAfter(db.main, 0, 10)).map(({ item }) => item);
    assert.deepEqual(
      items.map(({ source, story_id, copy_of, scoring }) => [
        source,
        story_id,
        copy_of,
        scoring.sentiment_score,
      ]),
      [
        ["wire-a", story, null, 8],
        ["wire-b", story, story, 3],
        ["wire-c", story, story, 2],
        ["wire-a", itemIdOf("guid:other:1"), null, 5],
        ["wire-d", story, story, 1],
      ],
    );
  },
);

test("a copy that shares a score was scored when it came, not when the first was", async () => {
  await using db = await testDb(anyEngine);
  const cameAt = (n: string, time: string) => {
    const { item, ...rest } = told(n, 8);
    const scoring = { ...item.scoring, scored_at: time };
    return { ...rest, item: { ...item, scraped_at: time, updated_at: time, scoring } };
  };
  const [first, second] = ["2026-03-02T14:30:01.000Z", "2026-03-02T15:10:02.500Z"];
  await writerOf(db).append([{ items: [cameAt("wire-a", first)], sourceId: "a" }]);
  // Another process, or this one after a restart.
  await writerOf(db).append([{ items: [cameAt("wire-b", second)], sourceId: "b" }]);
  const items = (await itemsAfter(db.main, 0, 10)).map(({ item }) => item);
  assert.equal(items[0]?.story_id, items[1]?.story_id);
  assert.deepEqual(
    items.map(({ scoring }) => scoring.scored_at),
    [first, second],
  );
  assert.equal(latencyOf(items[1] ?? assert.fail(), hours(1)).scored_time, second);
});

onBothEngines(
  "two copies in one batch are one story; one that was not committed is none",
  async (_, engine) => {
    await using db = await testDb(engine);
    const writer = writerOf(db);
    const bad = { ...newItem({ uniqueId: "guid:bad:1" }), contentKey: "\u0000" };
    await assert.rejects(writer.append([{ items: [told("wire-z", 8), bad], sourceId: "z" }]));
    await writer.append([{ items: [told("wire-a", 8), told("wire-b", 3)], sourceId: "a" }]);
    const story = itemIdOf("guid:wire-a:1");
    assert.deepEqual(
      (await itemsAfter(db.main, 0, 10)).map(({ item }) => item.story_id),
      [story, story],
    );
  },
);

onBothEngines(
  "a revised copy is scored by its new text, and is a story of its own when that tells another",
  async (_, engine) => {
    await using db = await testDb(engine);
    const writer = writerOf(db);
    const listed = { ...told("wire-b", 3), contentKey: "listed" };
    await writer.append([{ items: [told("wire-a", 8)], sourceId: "a" }]);
    await writer.append([{ items: [listed], sourceId: "b" }]);
    const longer = `${release} More of it.`;
    const scored = (sentiment: number, body: string) => ({
      ...told("wire-b", sentiment),
      body,
      story: facts(headline, body),
    });
    const read = { ...scored(4, longer), contentKey: "listed", completes: true };
    await writer.append([{ items: [read], sourceId: "b" }]);
    const corrected = scored(2, longer.replace("met the primary endpoint", "missed the primary endpoint"));
    await writer.append([{ items: [{ ...corrected, contentKey: "corrected" }], sourceId: "b" }]);
    assert.deepEqual(
      (await itemsAfter(db.main, 1, 10)).map(({ item }) => [
        item.story_id,
        item.copy_of,
        item.revision,
        item.scoring.sentiment_score,
      ]),
      [
        [itemIdOf("guid:wire-a:1"), itemIdOf("guid:wire-a:1"), 0, 3],
        [itemIdOf("guid:wire-a:1"), itemIdOf("guid:wire-a:1"), 1, 4],
        [itemIdOf("guid:wire-b:1"), null, 2, 2],
      ],
    );
  },
);

onBothEngines("what was withdrawn is no story: who tells it again tells it first", async (_, engine) => {
  await using db = await testDb(engine);
  const writers = [writerOf(db), writerOf(db)];
  const retracted = { identities: ["guid:wire-a:1"], at: "2026-03-02T15:00:00.000Z" };
  await writers[0]?.append([{ items: [told("wire-a", 8)], sourceId: "a" }]);
  await writers[1]?.append([{ items: [newItem({ uniqueId: "guid:x:1" })], sourceId: "x" }]);
  await writers[0]?.append([{ items: [], sourceId: "a", retracted }]);
  await writers[1]?.append([{ items: [told("wire-b", 3)], sourceId: "b" }]);
  const last = (await itemsAfter(db.main, 0, 10)).at(-1)?.item;
  assert.deepEqual([last?.story_id, last?.scoring.sentiment_score], [itemIdOf("guid:wire-b:1"), 3]);
});
