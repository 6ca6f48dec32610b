import assert from "node:assert/strict";
import { feedList } from "@tapewire/contract/feeds.ts";
import type { Filter } from "@tapewire/contract/filter.ts";
import fc from "fast-check";
import type { ListPosition } from "../../src/feed/list-key.ts";
import { ListPages, type ListRequest } from "../../src/http/handlers/list-pages.ts";
import { ListCursors } from "../../src/http/list-cursors.ts";
import type { FeedIndexLimits } from "../../src/itemlog/feed-index.ts";
import type { KeeperLimits } from "../../src/itemlog/segments/building.ts";
import { ItemWriter } from "../../src/store/append/item-writer.ts";
import { Partitions } from "../../src/store/log/partitions.ts";
import { onAnyEngine, testDb } from "../support/db.ts";
import { type Process, startProcess } from "../support/index-process.ts";
import { type Facts, newItem } from "../support/items.ts";
import { anyFacts, anyFilter, times } from "../support/list-shapes.ts";

const owner = "75c962cc-1daa-4702-b724-57d84c2e677f";

const cursors = new ListCursors(Buffer.alloc(32, 7));
const roomy: FeedIndexLimits = { cacheBytes: 10_000_000, bodyBytes: 20_000_000 };
const small: KeeperLimits = { foldEntries: 5, leastPerSegment: 1, segmentItems: 16 };

const anyStep = fc.oneof(
  fc.record({
    append: fc.array(anyFacts(120), { minLength: 1, maxLength: 4 }),
    retract: fc.array(
      fc.nat(119).map((n) => `guid:t:${n}`),
      { maxLength: 1 },
    ),
  }),
  fc.record({ filter: fc.nat(2), limit: fc.constantFrom(1, 3, 50), turn: fc.boolean() }),
);

async function samePages({ append, expected, open, keep }: Process) {
  // The first keeps no part of a segment and few documents; the second all.
  const limits = [{ cacheBytes: 1, bodyBytes: 8_000 }, roomy];
  await using stack = new AsyncDisposableStack();
  const indexes = await Promise.all(limits.map(async (one) => stack.use(await open(one))));
  const pages = indexes.map((index) => new ListPages(index, cursors));
  const [first] = indexes;
  assert.ok(first !== undefined);
  const keeper = stack.use(keep(first, small));

  await fc.assert(
    fc.asyncProperty(
      fc.array(anyFilter, { minLength: 3, maxLength: 3 }),
      fc.array(anyStep, { minLength: 6, maxLength: 12 }),
      async (filters, steps) => {
        const walks = new Map<string, ListPosition | null>();
        for (const step of steps) {
          if ("append" in step) {
            await append(step.append, step.retract);
            if (step.append.length > 2) await keeper.step();
            continue;
          }
          const filter = filters[step.filter] ?? { tags: {} };
          const { limit } = step;
          // A walk goes on from page to page, or its page is asked for again.
          const after = walks.get(JSON.stringify(filter)) ?? null;
          const want = expected(filter, after, limit);
          const cursor = after === null ? undefined : cursors.encode(after, filter);
          const next = want.last === null ? null : cursors.encode(want.last, filter);
          const body = `{"data":[${want.docs.join(",")}],"next_cursor":${JSON.stringify(next)}}`;
          for (const list of pages)
            assert.equal(
              (await list.page(requestOf({ filter, cursor, limit }), owner)).bytes.toString(),
              body,
            );
          if (step.turn) walks.set(JSON.stringify(filter), want.last);
        }
      },
    ),
    { numRuns: 20 },
  );
  const [few, all] = indexes.map((index) => index.stats());
  assert.ok(few !== undefined && few.segments > 3 && few.bodyBytes <= 8_000);
  assert.ok(all?.ready === true && all.reads > 0);
}

async function filledMeanwhile({ append, expected, open }: Process) {
  const facts = (n: number): Facts => ({
    uniqueId: `guid:fill:${n}`,
    publishedAt: times[n % times.length] ?? "",
    symbols: n % 3 === 0 ? ["NYSE:F"] : [],
  });
  const first = 1_300;
  for (let from = 0; from < first; from += 325)
    await append(Array.from({ length: 325 }, (_, n) => facts(from + n)));

  let filling = true;
  const opening = Promise.all([
    open({ cacheBytes: 100_000, bodyBytes: 500_000 }),
    open({ cacheBytes: 1, bodyBytes: 10_000 }),
  ]);
  const filled = opening.finally(() => {
    filling = false;
  });
  for (let n = 0; filling || n < 5; n++)
    await append([
      facts(first + n),
      { ...facts((n * 37) % first), title: `Changed ${n}`, symbols: ["NYSE:F"] },
    ]);
  await using stack = new AsyncDisposableStack();
  for (const window of await filled) {
    stack.use(window);
    for (const filter of [{ tags: {} }, { symbols: ["F"], tags: {} }] satisfies Filter[])
      for (let after: ListPosition | null = null, more = true; more; ) {
        const want = expected(filter, after, 400);
        const { docs, last } = await window.page({ filter, after, limit: 400 });
        assert.deepEqual(
          docs.map((doc) => doc.toString()),
          want.docs,
        );
        assert.deepEqual(last, want.last);
        after = last;
        more = last !== null;
      }
  }
}

async function ownItemsAtOnce({ db, append, open }: Process) {
  await using window = await open(roomy);
  const unheard = new ItemWriter(db, new Partitions());
  for (let n = 0; n < 5; n++) {
    await unheard.append([
      { items: [newItem({ uniqueId: `guid:theirs:${n}`, symbols: ["NYSE:RYW"] })], sourceId: null },
    ]);
    const [outcome] = await append([{ uniqueId: `guid:ours:${n}`, symbols: ["NYSE:RYW"] }]);
    const { docs } = await window.page({
      filter: { symbols: ["RYW"], tags: {} },
      after: null,
      limit: 50,
    });
    assert.equal(docs.length, 2 * (n + 1), "theirs too: the log has no gap");
    assert.ok(docs.some((doc) => doc.includes(outcome?.id ?? "?")));
  }
}

/** As a query that says it would come. */
function requestOf(asked: Omit<ListRequest, "text">): ListRequest {
  return { text: JSON.stringify(asked), ...asked };
}

async function keptAnswers({ append, open }: Process) {
  await using window = await open(roomy);
  const pages = new ListPages(window, cursors);
  const filterOf = (symbol: string): Filter => ({ symbols: [symbol], tags: {} });
  const ask = async (symbol: string, cursor?: string) => {
    const request = requestOf({ filter: filterOf(symbol), cursor, limit: 2 });
    // An answer is kept when it is asked for a second time.
    await pages.page(request, owner);
    return pages.page(request, owner);
  };
  const item = (name: string, symbol: string, second: number, title = name) =>
    append([
      {
        uniqueId: `guid:kept:${name}`,
        symbols: [`NYSE:${symbol}`],
        publishedAt: `2026-03-02T14:30:0${second}.000Z`,
        title,
      },
    ]);
  const [oldest] = await item("a", "KPT", 1);
  await item("b", "KPT", 2);
  const empty = await ask("OTH");
  const one = await ask("KPT");
  assert.equal(await ask("KPT"), one);
  await item("other", "OTH", 3);
  assert.equal(await ask("KPT"), one, "another symbol's item leaves it alone");
  assert.notEqual(await ask("OTH"), empty);

  await item("c", "KPT", 4);
  const two = await ask("KPT");
  assert.notEqual(two.etag, one.etag);
  await item("late", "KPT", 0);
  assert.equal(await ask("KPT"), two, "so does a late item behind the page's end");

  const position = { publishedAt: new Date("2026-03-02T14:30:01.000Z"), id: oldest?.id ?? "" };
  const behind = await ask("KPT", cursors.encode(position, filterOf("KPT")));
  await item("d", "KPT", 5);
  assert.equal(
    await ask("KPT", cursors.encode(position, filterOf("KPT"))),
    behind,
    "so does a new item before its begin",
  );

  await item("d", "OTH", 5, "About another company");
  assert.equal((await ask("KPT")).etag, two.etag, "an item that no longer matches is gone");
  await append([], ["guid:kept:b"]);
  await append([], ["guid:kept:c"]);
  assert.match((await ask("KPT")).bytes.toString(), /"status":"retracted"/);
}

/** Behind a balancer, a walk goes from process to process; one learns within a second what another has appended. */
async function walkOverProcesses({ db, append, open }: Process) {
  if (db.engine === "pglite") return;
  await using other = await startProcess(db);
  await using stack = new AsyncDisposableStack();
  const windows = [stack.use(await open(roomy)), stack.use(await other.open(roomy))];
  const lists = windows.map((window) => new ListPages(window, cursors));
  const filter: Filter = { symbols: ["WLK"], tags: {} };
  const item = (name: string, second: number) => ({
    uniqueId: `guid:walk:${name}`,
    symbols: ["NYSE:WLK"],
    publishedAt: `2026-03-02T14:31:${String(second).padStart(2, "0")}.000Z`,
  });
  await append([item("a", 9), item("b", 8), item("c", 1)]);
  for (let walk = 1; walk <= 6; walk++) {
    // One among those that are known, one above them; every other walk begins where neither is known yet.
    await append([item(`late ${walk}`, 5), item(`new ${walk}`, 10 + walk)]);
    const first = walk % 2;
    let cursor: string | undefined;
    let shown = 0;
    for (let at = 0; at === 0 || cursor !== undefined; at++) {
      const body = await lists[at === 0 ? first : 1 - first]?.page(
        requestOf({ filter, cursor, limit: 2 }),
        owner,
      );
      const page = feedList.parse(JSON.parse(String(body?.bytes)));
      shown += page.data.length;
      cursor = page.next_cursor ?? undefined;
    }
    assert.equal(shown, 3 + 2 * walk);
  }
}

/** A page without items is small, its filter need not be. */
async function keptWithinBounds({ open }: Process) {
  await using window = await open(roomy);
  const pages = new ListPages(window, cursors);
  const ask = (n: number) => {
    const symbols = Array.from({ length: 50 }, (_, at) => `${n}-${at}`.padEnd(2_000, "Z"));
    return pages.page(requestOf({ filter: { symbols, tags: {} }, cursor: undefined, limit: 1 }), owner);
  };
  const askAgain = async (n: number) => {
    await ask(n);
    return await ask(n);
  };
  const first = await askAgain(0);
  assert.equal(await ask(0), first);
  for (let n = 1; n <= 120; n++) await askAgain(n);
  assert.notEqual(await ask(0), first, "filters of 12 MB, kept three times, are not kept within 32 MiB");
}

onAnyEngine("the recent window", async (context, engine) => {
  await using db = await testDb(engine);
  await using process = await startProcess(db);
  const claims: Record<string, (process: Process) => Promise<void>> = {
    "it, the table and memory give the same pages, whatever comes between them": samePages,
    "filled while items come and change, it is exact": filledMeanwhile,
    "an answer is kept until something comes that changes it": keptAnswers,
    "a walk over processes shows what was there at its start": walkOverProcesses,
    "what is kept is bounded, filters included": keptWithinBounds,
    "a page shows what its process has appended, though others append beside it": ownItemsAtOnce,
  };
  for (const [claim, prove] of Object.entries(claims)) await context.test(claim, () => prove(process));
});
