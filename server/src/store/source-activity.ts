import { sql } from "kysely";
import type { Queries } from "./db.ts";

/** What the items of a source tell of it. */
export interface SourceActivity {
  readonly count: number;
  readonly latestAt: Date | null;
  /** Published in the last 24 hours. */
  readonly lastDay: number;
}

/** Names that items came under. */
export async function sourceNames(db: Queries): Promise<string[]> {
  const found = await db.selectFrom("terms").select("value").where("kind", "=", "aggregator").execute();
  return found.map(({ value }) => value);
}

export async function sourceActivity(db: Queries, name: string, now: Date): Promise<SourceActivity> {
  const term = await db
    .selectFrom("terms")
    .select(["id", "count", "latest_at"])
    .where("kind", "=", "aggregator")
    .where("value", "=", name.toLowerCase())
    .executeTakeFirst();
  if (term === undefined) return { count: 0, latestAt: null, lastDay: 0 };
  const since = new Date(now.getTime() - 86_400_000);
  const found = await sql<{ count: number }>`
    select count(*) as count from items where published_at >= ${since} and terms @> ${[term.id]}::int[]`.execute(
    db,
  );
  return { count: term.count, latestAt: term.latest_at, lastDay: found.rows[0]?.count ?? 0 };
}
