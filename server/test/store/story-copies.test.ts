import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { storyFacts } from "../../src/feed/story/story.ts";
import { itemsAfter, logHead } from "../../src/store/log/item-reads.ts";
import { itemAt } from "../../src/store/log/scores.ts";
import { anyEngine, onBothEngines, onPostgres, testDb } from "../support/db.ts";
import { approves, at, feed, id, rejects, standing, storiesOf, told } from "../support/stories.ts";

onBothEngines(
  "the copies of a withdrawn item tell its story: the oldest first, the others as its copies",
  async (_, engine) => {
    await using db = await testDb(engine);
    const { say, withdraw } = feed(db);
    await say(told("a"));
    const [b, c] = [
      told("b", approves, { repeats: true, minute: 1 }),
      told("c", approves, { repeats: true, minute: 2 }),
    ];
    await say(b, c);
    await withdraw("a");
    assert.deepEqual(await standing(db), [
      { source: "a", copyOf: null, score: 10, revision: 1, status: "retracted" },
      { source: "b", copyOf: null, score: 80, revision: 1, status: "revised" },
      { source: "c", copyOf: "b", score: 10, revision: 1, status: "revised" },
    ]);
    const log = await itemsAfter(db.main, 3, 10);
    assert.deepEqual(
      log.map(({ seq, item }) => [seq, item.source, item.updated_at]),
      [
        [4, "a", at],
        [5, "b", at],
        [6, "c", at],
      ],
    );
    const { scoring } = log[1]?.item ?? assert.fail();
    assert.deepEqual(
      [scoring.actionability, scoring.actionability_comment, scoring.scored_at],
      [true, "approves", at],
    );
    const listed = await db.main.selectFrom("items").select(["id", "copy"]).orderBy("seq").execute();
    assert.deepEqual(
      listed.map((row) => [row.id, row.copy]),
      [
        [id("a"), false],
        [id("b"), false],
        [id("c"), true],
      ],
    );
    assert.equal((await itemAt(db.main, id("b"), null))?.score, null, "no older score stands in its place");
    // Whoever comes next copies the new first, here and in a process that reads what is stored.
    await say(told("d", approves, { minute: 3 }));
    await feed(db).say(told("e", approves, { minute: 4 }));
    await withdraw("b");
    assert.deepEqual((await storiesOf(db)).slice(2), [
      ["c", null],
      ["d", "c"],
      ["e", "c"],
    ]);
  },
);

onBothEngines(
  "an item that comes to tell another story leaves its copies behind, but for those that tell that too",
  async (_, engine) => {
    await using db = await testDb(engine);
    const { say } = feed(db);
    const body =
      "Halvorn Biotech said on Monday that regulators had approved its medicine HB-104 for 2 uses.";
    const story = (name: string, title: string) => {
      const symbols = ["NYSE:HLV"];
      const item = {
        title,
        body,
        symbols,
        about: symbols,
        source: name,
        publishedAt: new Date("2026-03-02T14:00:00Z"),
      };
      return { body, story: storyFacts(item, { events: [], direction: 0 }) };
    };
    const longer = `${approves}, shares rise`;
    await say(told("a", approves, story("a", approves)), told("b", approves, story("b", approves)));
    await say(told("a", longer, story("a", longer)));
    assert.deepEqual(
      await storiesOf(db),
      [
        ["b", "a"],
        ["a", null],
      ].toReversed(),
      "another headline over the same",
    );
    await say(told("a", rejects));
    assert.deepEqual(await storiesOf(db), [
      ["a", null],
      ["b", null],
    ]);
    assert.equal((await standing(db))[1]?.revision, 1);
  },
);

onBothEngines(
  "an item that its declared source takes over in other words leaves its copies behind",
  async (_, engine) => {
    await using db = await testDb(engine);
    const { say } = feed(db);
    await say(told("a"), told("b", approves, { repeats: true }), told("c", approves, { repeats: true }));
    await say(told("wire", rejects, { uniqueId: "guid:a:1" }));
    assert.deepEqual(await standing(db), [
      { source: "wire", copyOf: null, score: 10, revision: 1, status: "revised" },
      { source: "b", copyOf: null, score: 80, revision: 1, status: "revised" },
      { source: "c", copyOf: "b", score: 10, revision: 1, status: "revised" },
    ]);
  },
);

onBothEngines("what a withdrawn item told is no repeat when it is told again", async (_, engine) => {
  await using db = await testDb(engine);
  const { say, withdraw, recalled, writer, withdrawal } = feed(db);
  await say(told("a"));
  assert.notEqual(recalled("b"), null);
  await withdraw("a");
  assert.equal(recalled("b"), null);
  // Judged before the withdrawal, and stored behind it: in a batch of its own, and in the same.
  await say(told("b", approves, { repeats: true, minute: 1 }));
  const late = [
    told("c", approves, { repeats: true, minute: 2 }),
    told("d", approves, { repeats: true, minute: 3 }),
  ];
  await writer.append([withdrawal("b"), { items: late, sourceId: "c" }]);
  assert.deepEqual(
    (await standing(db)).map(({ source, copyOf, score }) => [source, copyOf, score]),
    [
      ["a", null, 10],
      ["b", null, 80],
      ["c", null, 80],
      ["d", "c", 10],
    ],
  );
  // And before it in one batch, in which the next to tell it is withdrawn too.
  await writer.append([
    { items: [told("e", approves, { minute: 4 }), told("f", approves, { minute: 5 })], sourceId: "e" },
    withdrawal("c", "d"),
  ]);
  assert.deepEqual((await storiesOf(db)).slice(2), [
    ["c", null],
    ["d", null],
    ["e", null],
    ["f", "e"],
  ]);
});

onBothEngines("an item that is revised and withdrawn in one batch is forgotten", async (_, engine) => {
  await using db = await testDb(engine);
  const { say, writer, withdrawal, recalled } = feed(db);
  await say(told("a"));
  const kill = told("b", `${approves} (withdrawn)`);
  const killed = { ...kill, item: { ...kill.item, status: "retracted" as const } };
  await writer.append([{ items: [told("a", rejects)], sourceId: "a" }, withdrawal("a")]);
  await say(told("b"));
  await writer.append([{ items: [killed], sourceId: "b" }]);
  assert.deepEqual([recalled("c"), recalled("c", rejects)], [null, null]);
  const fresh = feed(db);
  await fresh.writer.append([]);
  assert.deepEqual([fresh.recalled("c"), fresh.recalled("c", rejects)], [null, null]);
});

onPostgres("every process forgets what one of them withdrew, and knows who tells it now", async () => {
  await using db = await testDb("postgres");
  const [one, two] = [feed(db), feed(db)];
  await one.say(told("a"), told("x", "Halvorn Biotech opens a plant in Tarnfield with 90 jobs"));
  await two.say(told("b", approves, { minute: 1 }), told("c", approves, { minute: 2 }));
  await one.withdraw("a", "x");
  await two.say(told("d", approves, { minute: 3 }));
  assert.equal(two.recalled("y", "Halvorn Biotech opens a plant in Tarnfield with 90 jobs"), null);
  assert.deepEqual(
    (await storiesOf(db)).filter(([source]) => source === "d"),
    [["d", "b"]],
  );
});

onBothEngines("a batch that was not committed leaves stories as they were", async (_, engine) => {
  await using db = await testDb(engine);
  const { say, writer, withdrawal, recalled, withdraw } = feed(db);
  await say(told("a"), told("b", approves, { minute: 1 }), told("c", approves, { minute: 2 }));
  const bad = told("bad", rejects, { contentKey: "\u0000" });
  const batch = [
    withdrawal("a", "b"),
    { items: [told("c", rejects), told("d", rejects), bad], sourceId: "c" },
  ];
  await assert.rejects(writer.append(batch));
  assert.notEqual(recalled("e"), null);
  assert.equal(recalled("e", rejects), null);
  await say(told("e", approves, { minute: 3 }));
  await withdraw("a");
  assert.deepEqual(
    (await storiesOf(db)).slice(1),
    [
      ["b", null],
      ["c", "b"],
      ["e", "b"],
    ].toSorted(),
  );
});

test("200 copies are released at once, the oldest; what is beyond stays as it is", async () => {
  await using db = await testDb(anyEngine);
  const { say, withdraw } = feed(db);
  await say(told("a"));
  await say(...Array.from({ length: 300 }, (_, n) => told(`b${n}`)));
  await withdraw("a");
  const stories = new Map(await storiesOf(db));
  assert.deepEqual([stories.get("b0"), stories.get("b199"), stories.get("b200")], [null, "b0", "a"]);
  assert.equal([...stories.values()].filter((first) => first === "a").length, 100);
});

const step = fc.record({
  act: fc.constantFrom("tell", "tell", "tell", "withdraw"),
  name: fc.constantFrom("a", "b", "c", "d", "e"),
  title: fc.constantFrom(approves, approves, rejects),
  minute: fc.nat({ max: 90 }),
});

test("whatever is told, revised and withdrawn, a copy is of an item that stands and is no copy", async () => {
  await using db = await testDb(anyEngine);
  const { writer, withdrawal } = feed(db);
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(step, { maxLength: 5 }), { maxLength: 6 }), async (batches) => {
      run += 1;
      const { lastSeq: from } = await logHead(db.main);
      // Of a company of its own each: runs do not meet.
      const symbols = [`NYSE:R${run}`];
      for (const batch of batches)
        await writer.append(
          batch.map(({ act, name, title, minute }) =>
            act === "withdraw"
              ? withdrawal(`${name}${run}`)
              : { items: [told(`${name}${run}`, title, { minute, symbols })], sourceId: name },
          ),
        );
      const newest = new Map((await itemsAfter(db.main, from, 1_000)).map(({ item }) => [item.id, item]));
      for (const { copy_of, status } of newest.values()) {
        if (copy_of == null || status === "retracted") continue;
        const first = newest.get(copy_of);
        assert.deepEqual([first?.copy_of, first?.status === "retracted"], [null, false]);
      }
    }),
    { numRuns: 40 },
  );
});
