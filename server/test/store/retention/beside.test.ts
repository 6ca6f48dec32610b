import assert from "node:assert/strict";
import fc from "fast-check";
import type { NewItem } from "../../../src/feed/item.ts";
import { Retention } from "../../../src/itemlog/retention.ts";
import { ItemWriter } from "../../../src/store/append/item-writer.ts";
import type { Db } from "../../../src/store/engine/db.ts";
import { Partitions } from "../../../src/store/log/partitions.ts";
import { monthsWithTables } from "../../../src/store/retention/months.ts";
import { onAnyEngine, testDb } from "../../support/db.ts";
import {
  datedItem,
  dayOf,
  listed,
  logged,
  purge,
  rowsOf,
  termsAgree,
  undatedItem,
} from "../../support/retention.ts";

/** An order of what happens; numbers choose among what there is. */
const anyStep = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant("append" as const), back: fc.nat(4), dated: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("revise" as const), which: fc.nat(30) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("month" as const), keep: fc.integer({ min: 1, max: 3 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("again" as const) }) },
);

onAnyEngine(
  "readers beside deleting miss nothing that is kept, and what is deleted does not come back",
  async (_, engine) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyStep, { minLength: 8, maxLength: 16 }),
        fc.nat(10),
        async (steps, start) => {
          await using db = await testDb(engine);
          await new Story(db).tell(steps, start);
        },
      ),
      { numRuns: 2, endOnFailure: true },
    );
  },
);

type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never;

/** What is stored, beside what should be. */
class Story {
  readonly #db: Db;
  readonly #partitions = new Partitions();
  readonly #writer: ItemWriter;
  readonly #all = new Map<string, NewItem>();
  #month = 5;
  #since = "";
  #count = 0;

  constructor(db: Db) {
    this.#db = db;
    this.#writer = new ItemWriter(db, this.#partitions);
  }

  async tell(steps: readonly Step[], start: number): Promise<void> {
    for (const step of steps) {
      if (step.kind === "append") await this.#append(step);
      else if (step.kind === "revise") await this.#revise(step.which);
      else if (step.kind === "again") await this.#listAgain();
      else {
        await this.#passMonth(step.keep, start);
        // Within the year for which the names of deleted items are remembered.
        if (this.#month % 6 === 0) await this.#listAgain();
      }
    }
    await this.#passMonth(1, start);
    await this.#listAgain();
    await termsAgree(this.#db);
  }

  get #kept(): NewItem[] {
    return [...this.#all.values()].filter(({ item }) => item.published_at >= this.#since);
  }

  async #append({ back, dated }: { back: number; dated: boolean }): Promise<void> {
    const uniqueId = `guid:${this.#count++}`;
    const facts = { uniqueId, symbols: [`DEMO:${uniqueId.slice(-1)}`], contentKey: "0" };
    const now = dayOf(this.#month, 2 + (this.#count % 20));
    const item = dated
      ? datedItem({ ...facts, publishedAt: dayOf(this.#month - back) }, now)
      : undatedItem(facts, now);
    const [outcome] = await this.#store([item]);
    assert.equal(outcome, item.item.published_at < this.#since ? "too_old" : "created");
    if (outcome === "created") this.#all.set(uniqueId, item);
  }

  async #store(items: readonly NewItem[]): Promise<string[]> {
    const { outcomes } = await this.#writer.append([{ items, sourceId: "a" }]);
    return outcomes.flat().map(({ status }) => status);
  }

  async #revise(which: number): Promise<void> {
    const kept = this.#kept;
    const item = kept[which % Math.max(1, kept.length)];
    if (item === undefined) return;
    const title = `Revised ${this.#count++}`;
    const symbols = which % 2 === 0 ? [] : item.item.symbols;
    const next = { ...item, contentKey: title, item: { ...item.item, title, symbols } };
    assert.deepEqual(await this.#store([next]), ["revised"]);
    this.#all.set(item.item.unique_id, next);
  }

  /** Everything that was ever listed, as an archive lists it. */
  async #listAgain(): Promise<void> {
    const now = dayOf(this.#month, 25);
    const items = [...this.#all.values()].map((item) =>
      item.item.source_time === null
        ? { ...item, item: { ...item.item, published_at: now, scraped_at: now, updated_at: now } }
        : item,
    );
    if (items.length === 0) return;
    const wanted = [...this.#all.values()].map(({ item }) =>
      item.published_at >= this.#since ? "duplicate" : "too_old",
    );
    assert.deepEqual(await this.#store(items), wanted);
  }

  /** Deletes while items come and readers read. */
  async #passMonth(keep: number, start: number): Promise<void> {
    this.#month += 1;
    const wanted = new Date(Date.UTC(2026, this.#month - keep, 1)).toISOString();
    const since = wanted > this.#since ? wanted : this.#since;
    const then = this.#kept
      .filter(({ item }) => item.published_at >= since)
      .map(({ item }) => item.unique_id);
    let isOver = false;
    const reading = Promise.all([
      listed(this.#db),
      logged(this.#db, start),
      (async () => {
        while (!isOver) await this.#append({ back: 0, dated: true });
      })(),
    ]);
    await purge(this.#db, new Date(dayOf(this.#month)), keep);
    isOver = true;
    const [list, log] = await reading;
    this.#since = since;
    for (const name of then) assert.equal(list.filter((one) => one === name).length, 1, name);
    const after = await logged(this.#db, start);
    const names = new Set(this.#kept.map(({ item }) => item.unique_id));
    assert.deepEqual(new Set(await listed(this.#db)), names);
    assert.deepEqual(
      after.filter(({ name }) => !names.has(name)),
      [],
    );
    // A reader that read meanwhile has every entry that a later one finds, and each once.
    const had = new Set(log.map(({ seq }) => seq));
    assert.equal(had.size, log.length);
    const end = Math.max(0, ...had);
    assert.deepEqual(
      after.filter(({ seq }) => seq <= end && !had.has(seq)),
      [],
    );
    const retention = new Retention(this.#db.main);
    await retention.look();
    const all = await logged(this.#db, 0);
    assert.ok((all[0]?.seq ?? Number.POSITIVE_INFINITY) > retention.floor);
    assert.ok(all.length === 0 || all[0]?.seq === retention.floor + 1);
  }
}

onAnyEngine(
  "three years of items, deleted as the months pass, take the room of the months that are kept",
  async (_, engine) => {
    await using db = await testDb(engine);
    const writer = new ItemWriter(db, new Partitions());
    const archive: NewItem[] = [];
    const madeBefore = new Set(await monthsWithTables(db.main));
    const sizes: { total: number; months: number }[] = [];
    for (let month = 0; month < 36; month++) {
      const items = Array.from({ length: 12 }, (_one, n) => {
        const facts = {
          uniqueId: `guid:${month}:${n}`,
          symbols: [`DEMO:S${n}`],
          aliases: [`page:${month}:${n}`],
        };
        return n % 4 === 0
          ? undatedItem(facts, dayOf(month, 2 + n))
          : datedItem({ ...facts, publishedAt: dayOf(month, 2 + n), contentKey: "1" });
      });
      await writer.append([{ items, sourceId: "a" }]);
      const revised = items
        .slice(1, 3)
        .map((one) => ({ ...one, contentKey: "2", item: { ...one.item, title: "R" } }));
      await writer.append([{ items: revised, sourceId: "a" }]);
      if (month % 2 === 1) await purge(db, new Date(dayOf(month, 28)), 2);
      archive.push(...items);
      // Its archive has all that are dated, and of the others those of half a year.
      const now = dayOf(month, 28);
      const again = archive.slice(-6 * 12).concat(archive.filter(({ item }) => item.source_time !== null));
      const listedNow = again.map((one) =>
        one.item.source_time === null
          ? { ...one, item: { ...one.item, published_at: now, scraped_at: now } }
          : one,
      );
      const { outcomes } = await writer.append([{ items: listedNow, sourceId: "a" }]);
      assert.deepEqual(
        outcomes.flat().filter(({ status }) => status === "created"),
        [],
      );
      const rows = await rowsOf(db);
      const months = (await monthsWithTables(db.main)).filter((one) => !madeBefore.has(one)).length;
      sizes.push({ total: Object.values(rows).reduce((sum, count) => sum + count, 0), months });
    }
    const year = (from: number) => Math.max(...sizes.slice(from, from + 12).map(({ total }) => total));
    assert.ok(year(24) <= year(12), JSON.stringify(sizes));
    assert.ok(sizes.every(({ months }) => months <= 5));
    await termsAgree(db);
  },
);
