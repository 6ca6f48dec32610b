import { type Selectable, sql } from "kysely";
import type { Queries } from "../engine/db.ts";
import type { Tables } from "../engine/tables.ts";

export type Gap = Selectable<Tables["gaps"]>;

/** Time that may be missing from a source. */
export interface NoticedGap {
  readonly sourceId: string;
  /** Time of the newest item known before. */
  readonly from: Date | null;
  /** Time of the oldest item that could be read. */
  readonly to: Date | null;
  readonly reason: string;
}

const shownOfSource = 20;

export async function saveGap(db: Queries, { sourceId, from, to, reason }: NoticedGap): Promise<void> {
  await sql`
    insert into gaps (source_id, from_at, to_at, noticed_at, reason)
    values (${sourceId}, ${from}, ${to}, now(), ${reason})`.execute(db);
}

/** Closes the gaps that end after `from`, and no later than `to`: what was missing has been read from elsewhere. */
export async function closeGaps(
  db: Queries,
  sourceId: string,
  { from, to }: { from: Date; to: Date },
): Promise<void> {
  await sql`
    update gaps set closed_at = now()
    where source_id = ${sourceId} and closed_at is null and to_at > ${from} and to_at <= ${to}`.execute(db);
}

/** The last gaps of each source, newest first. */
export async function recentGaps(db: Queries): Promise<Map<string, Gap[]>> {
  const found = await sql<Gap>`
    select * from (
      select *, row_number() over (partition by source_id order by noticed_at desc) as place from gaps
    ) g where place <= ${sql.lit(shownOfSource)} order by noticed_at desc`.execute(db);
  return Map.groupBy(found.rows, ({ source_id }) => source_id);
}

export async function dropOldGaps(db: Queries, days: number): Promise<void> {
  await sql`delete from gaps where noticed_at < now() - ${days}::float8 * interval '1 day'`.execute(db);
}
