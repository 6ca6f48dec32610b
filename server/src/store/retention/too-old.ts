import { sql } from "kysely";
import type { NewItem } from "../../feed/item.ts";
import type { Queries } from "../engine/db.ts";

/** Nothing was published on the web before this; an earlier date is broken, and says nothing. */
export const earliestTime = new Date("1990-01-01T00:00:00Z");

/** Whether a time that a source states is before what is kept. */
export function isBeforeKept(stated: Date | null, since: Date): boolean {
  return stated !== null && stated < since && stated >= earliestTime;
}

/** How exactly it is known when a name was last met: each listing would otherwise write. */
const metDays = 7;

/** Those of these names by which a deleted item was known whose time its source does not tell. They are met now. */
export async function retiredNames(
  db: Queries,
  names: readonly string[],
  now: Date,
): Promise<ReadonlySet<string>> {
  if (names.length === 0) return new Set();
  const { rows } = await sql<{ name: string; is_stale: boolean }>`
    select name, r.met_at < ${now}::timestamptz - ${metDays}::int * interval '1 day' as is_stale
    from unnest(${names}::text[]) as name join retired_aliases r on r.hash = alias_hash(name)`.execute(db);
  const stale = rows.flatMap(({ name, is_stale }) => (is_stale ? [name] : []));
  if (stale.length > 0)
    await sql`
      update retired_aliases set met_at = greatest(met_at, ${now})
      where hash in (select alias_hash(name) from unnest(${stale}::text[]) as name)`.execute(db);
  return new Set(rows.map(({ name }) => name));
}

/** @returns tells `since` for an item that is refused: it is older than what is kept, or was deleted for that; else null */
export async function refusedFor(
  db: Queries,
  items: readonly NewItem[],
  since: Date | null,
): Promise<(newItem: NewItem) => Date | null> {
  if (since === null) return () => null;
  // Others are listed under the time that their source states, which says how old they are.
  const undated = items.filter(({ item }) => item.published_at === item.scraped_at);
  const names = undated.flatMap(({ identity }) => identity);
  const latest = undated.reduce((last, { item }) => (item.scraped_at > last ? item.scraped_at : last), "");
  const retired = latest === "" ? new Set() : await retiredNames(db, names, new Date(latest));
  return ({ identity, item: { published_at, source_time } }) => {
    const isOld =
      new Date(published_at) < since ||
      isBeforeKept(source_time === null ? null : new Date(source_time), since) ||
      identity.some((name) => retired.has(name));
    return isOld ? since : null;
  };
}
