import assert from "node:assert/strict";
import { sql } from "kysely";
import type { NewItem } from "../../src/feed/item.ts";
import type { ListPosition } from "../../src/feed/list-key.ts";
import type { Clock } from "../../src/runtime/clock.ts";
import { systemClock } from "../../src/runtime/clock.ts";
import { silentLog } from "../../src/runtime/log.ts";
import type { Db } from "../../src/store/engine/db.ts";
import { readLog } from "../../src/store/log/item-reads.ts";
import { keptFrom, readKept } from "../../src/store/retention/kept-since.ts";
import { Keeper } from "../../src/store/retention/old-months-remover.ts";
import { startProcess } from "./index-process.ts";
import { type Facts, newItem } from "./items.ts";
import { until } from "./receiver.ts";

const clockAt = (now: Date): Clock => ({ ...systemClock, now: () => now });

/** Deletes what is older than so many months at that time. @returns what was deleted */
export async function purge(db: Db, now: Date, keepMonths: number): Promise<Keeper["deleted"]> {
  await using keeper = new Keeper({ db, clock: clockAt(now), log: silentLog, keepMonths });
  const since = keptFrom(now, keepMonths).getTime();
  const done = async () =>
    keeper.state === "idle" && ((await readKept(db.main)).clearedSince?.getTime() ?? 0) >= since;
  await until(done, `everything before ${new Date(since).toISOString()} is deleted`);
  return keeper.deleted;
}

/** An item whose source states its time and that is first seen a minute later. */
export function datedItem(facts: Facts & { publishedAt: string }, seenAt?: string): NewItem {
  const made = newItem(facts);
  const seen = seenAt ?? new Date(Date.parse(facts.publishedAt) + 60_000).toISOString();
  return { ...made, item: { ...made.item, scraped_at: seen, updated_at: seen } };
}

/** An item without a time of its source, seen at that time. */
export function undatedItem(facts: Facts, seenAt: string): NewItem {
  const made = newItem({ ...facts, publishedAt: seenAt });
  return { ...made, item: { ...made.item, source_time: null } };
}

const nothing = { tags: {} };

/** Month 0 is January 2026. */
export const dayOf = (month: number, day = 5) => new Date(Date.UTC(2026, month, day, 10)).toISOString();

export async function rowsOf(db: Db): Promise<Record<string, number>> {
  const tables = ["items", "item_bodies", "scores", "item_keys", "item_aliases", "item_versions", "filings"];
  const counts = [...tables, "retired_aliases", "counted_months"].map(async (table) => {
    const { rows } = await sql<{
      count: number;
    }>`select count(*)::int as count from ${sql.table(table)}`.execute(db.main);
    return [table, rows[0]?.count ?? 0] as const;
  });
  return Object.fromEntries(await Promise.all(counts));
}

/** Counts of terms as they are stored, and as the items have them. */
export async function termsAgree(db: Db): Promise<void> {
  const { rows } = await sql<{ kind: string; value: string; count: number; found: number }>`
    select kind, value, count, (
      select count(*) from items, unnest(terms) as term where term = t.id)::int as found
    from terms t`.execute(db.main);
  assert.deepEqual(
    rows.filter(({ count, found }) => count !== found),
    [],
  );
}

/** All pages of the list, as a process that has just been started shows them. */
export async function listed(db: Db, each = async () => {}): Promise<string[]> {
  await using process = await startProcess(db);
  await using index = await process.open({ cacheBytes: 1_000_000, bodyBytes: 1_000_000 });
  const found: string[] = [];
  for (let after: ListPosition | null = null; ; ) {
    const page = await index.page({ filter: nothing, after, limit: 3 });
    found.push(...page.docs.map((doc): string => JSON.parse(doc.toString()).unique_id));
    await each();
    if (page.last === null) return found;
    after = page.last;
  }
}

/** Entries of the log after a position, some at a time, as a stream that resumes there reads them. */
export async function logged(
  db: Db,
  after: number,
  each = async () => {},
): Promise<{ seq: number; name: string }[]> {
  const found: { seq: number; name: string }[] = [];
  for (let position = after; ; ) {
    const { items, reached, head } = await readLog(db.main, position, 3);
    found.push(...items.map(({ seq, item }) => ({ seq, name: item.unique_id })));
    await each();
    if (reached >= head) return found;
    position = reached;
  }
}
