import type { Filter } from "@tapewire/contract/filter.ts";
import { inProcessBus } from "../../src/bus/bus.ts";
import { matches } from "../../src/feed/filter.ts";
import { type LogItem, newestFirst } from "../../src/feed/item.ts";
import type { ListPosition } from "../../src/feed/list-key.ts";
import { Sequencer } from "../../src/itemlog/append.ts";
import { FeedIndex, type FeedIndexLimits } from "../../src/itemlog/feed-index.ts";
import type { KeeperLimits } from "../../src/itemlog/segments/building.ts";
import { SegmentKeeper } from "../../src/itemlog/segments/keeper.ts";
import { ItemTail } from "../../src/itemlog/tail.ts";
import { systemClock as clock } from "../../src/runtime/clock.ts";
import { silentLog as log } from "../../src/runtime/log.ts";
import { ItemWriter } from "../../src/store/append/item-writer.ts";
import type { Db } from "../../src/store/engine/db.ts";
import { Partitions } from "../../src/store/log/partitions.ts";
import { type Facts, newItem } from "./items.ts";

/** One process on a database: what it appends, what it follows, and what it should show. */
export async function startProcess(db: Db) {
  await using stack = new AsyncDisposableStack();
  const bus = inProcessBus();
  const partitions = new Partitions();
  const tail = stack.use(await ItemTail.open({ db: db.main, bus, log, clock }));
  const sequencer = stack.use(new Sequencer(new ItemWriter(db, partitions), bus, log));
  const stored = new Map<string, LogItem>();
  stack.defer(
    bus.subscribe((message) => {
      if (message.kind !== "committed") return;
      for (const logItem of message.committed.items) stored.set(logItem.item.id, logItem);
    }),
  );
  const append = (facts: readonly Facts[], retracted: readonly string[] = []) =>
    sequencer.append({
      items: facts.map((one) => newItem({ contentKey: JSON.stringify(one), ...one })),
      sourceId: null,
      retracted: { identities: retracted, at: "2026-03-06T00:00:00.000Z" },
    });
  const open = async (limits: FeedIndexLimits) => {
    const index = new FeedIndex({ db, tail, peers: { alone: false }, clock, log }, limits);
    await index.loaded;
    return index;
  };
  /** Folds and builds beside the index, in the background. */
  const keep = (index: FeedIndex, limits: KeeperLimits) =>
    new SegmentKeeper({ db, tail, clock, log, changed: () => index.refresh() }, limits);
  /** The answer, made in memory of the documents as they were logged. */
  const expected = (filter: Filter, after: ListPosition | null, limit: number) => {
    const behind = [...stored.values()]
      .filter(({ item }) => matches(item, filter))
      .sort((x, y) => newestFirst(x.item, y.item))
      .filter(
        ({ item }) =>
          after === null ||
          newestFirst({ published_at: after.publishedAt.toISOString(), id: after.id }, item) < 0,
      );
    const shown = behind.slice(0, limit);
    const final = shown.at(-1)?.item;
    const last: ListPosition | null =
      behind.length > limit && final !== undefined
        ? { publishedAt: new Date(final.published_at), id: final.id }
        : null;
    return { docs: shown.map(({ doc }) => doc), last };
  };
  /** The newest version of every item. */
  const logged = () => [...stored.values()];
  const owned = stack.move();
  return {
    db,
    partitions,
    append,
    logged,
    open,
    keep,
    expected,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** A first page of the list, as a process shows it that has just begun. */
export async function firstPage(db: Db, filter: Filter, limit = 100): Promise<string[]> {
  await using process = await startProcess(db);
  await using index = await process.open({ cacheBytes: 1_000_000, bodyBytes: 1_000_000 });
  const { docs } = await index.page({ filter, after: null, limit });
  return docs.map((doc) => doc.toString());
}

export type Process = Awaited<ReturnType<typeof startProcess>>;
