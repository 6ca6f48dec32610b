/** Segments that were made before titles could be searched. */
import assert from "node:assert/strict";
import { titleQueryOf } from "@tapewire/contract/title/title.ts";
import { sql } from "kysely";
import { matches } from "../../src/feed/filter.ts";
import { nextTurn } from "../../src/itemlog/segments/building.ts";
import { draftOf } from "../../src/itemlog/segments/drafts.ts";
import type { Db } from "../../src/store/engine/db.ts";
import { segmentBody, segmentHeads, wordlessSegment } from "../../src/store/segments/segments.ts";
import { changeSegments, segmentList } from "../../src/store/segments/state.ts";
import { onAnyEngine, testDb } from "../support/db.ts";
import { type Process, startProcess } from "../support/index-process.ts";
import { times } from "../support/list-shapes.ts";
import { until } from "../support/receiver.ts";

const limits = { cacheBytes: 10_000_000, bodyBytes: 1_000_000 };
const small = { foldEntries: 10, leastPerSegment: 1, segmentItems: 16 };
const items = 60;
const titles = ["Profit warning of Halvorn", "A warning: no profit", "Brandmoor wins", "Société Générale"];
const queries = ["warning", '"profit warning"', "-profit", "societe", "warning -halvorn", "nowhere"];

const factsOf = (n: number) => ({
  uniqueId: `guid:old:${n}`,
  publishedAt: times[n % times.length] ?? "",
  title: titles[n % 3 === 0 ? 1 : n % titles.length] ?? "",
  symbols: n % 2 === 0 ? ["NYSE:F"] : [],
});

/** Makes all segments what they would be without words. */
async function takeWordsAway(db: Db): Promise<number> {
  const { ids, state } = await segmentList(db.main);
  const segments = await segmentHeads(db.main, ids);
  const added = await Promise.all(
    segments.map(async (segment) => {
      const draft = draftOf(segment, (await segmentBody(db.main, segment.id)) ?? new Uint8Array());
      draft.words = null;
      return { month: segment.month, ...(await draft.encode(0, draft.items, nextTurn)) };
    }),
  );
  assert.ok(await changeSegments(db, { added, replaced: ids, state }));
  await sql`delete from segments where retired_at is not null`.execute(db.main);
  return ids.length;
}

async function folded({ append, open, keep }: Process): Promise<void> {
  await append(Array.from({ length: items }, (_, n) => factsOf(n)));
  await using index = await open(limits);
  await using keeper = keep(index, small);
  await until(async () => {
    await keeper.step();
    return index.stats().unfolded < small.foldEntries;
  }, "items are in segments");
}

async function answersRight(process: Process): Promise<void> {
  await using index = await process.open(limits);
  for (const q of queries)
    for (const symbols of [undefined, ["F"]]) {
      const filter = { title: titleQueryOf(q), symbols, tags: {} };
      const { docs } = await index.page({ filter, after: null, limit: 100 });
      assert.deepEqual(
        docs.map((doc) => doc.toString()),
        process.expected(filter, null, 100).docs,
        q,
      );
      const { totals } = await index.counts(filter, {
        fromMs: Date.parse(times[0]) - 1,
        untilMs: Date.parse(times[3]) + 1,
        bucketMs: 86_400_000,
        by: null,
        top: 1,
        turn: () => {},
      });
      const want = process.logged().filter(({ item }) => matches(item, filter)).length;
      assert.equal(totals[0], want, q);
    }
}

onAnyEngine(
  "lists and counts are right before old segments have words, and when some have them",
  async (_, engine) => {
    await using db = await testDb(engine);
    await using process = await startProcess(db);
    await folded(process);
    const segments = await takeWordsAway(db);
    assert.ok(segments > 3);
    assert.equal((await wordlessSegment(db.main))?.left, segments);
    await answersRight(process);
    // An item of an old segment has a newer version with another title.
    await process.append([{ ...factsOf(1), title: "Changed profit warning" }]);
    await answersRight(process);

    await using index = await process.open(limits);
    {
      await using keeper = process.keep(index, { ...small, foldEntries: 1_000 });
      await until(async () => {
        await keeper.step();
        return ((await wordlessSegment(db.main))?.left ?? 0) < segments;
      }, "a segment has words");
    }
    await answersRight(process);
    // The next process goes on where that one has ended; meanwhile new versions are folded into segments without words.
    await process.append(
      Array.from({ length: 12 }, (_, n) => ({ ...factsOf(5 * n), title: `Warning ${n}` })),
    );
    await answersRight(process);
    await using keeper = process.keep(index, small);
    await until(async () => {
      await keeper.step();
      return (await wordlessSegment(db.main)) === null;
    }, "all segments have words");
    await answersRight(process);
  },
);
