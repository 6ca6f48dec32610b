import { sql } from "kysely";
import type { Queries } from "../engine/db.ts";
import type { WindowRow } from "../list/window-rows.ts";

/** Items whose newest version came after a position of the log, by seq. Those of dropped months are left out. */
export interface ChangedRows {
  readonly rows: readonly WindowRow[];
  /** They are all of them up to this seq; null: there are no more. */
  readonly reached: number | null;
}

export async function changedRows(db: Queries, afterSeq: number, limit: number): Promise<ChangedRows> {
  const found = await sql<Omit<WindowRow, "id"> & { id: string | null; key_seq: number }>`
    with entries as materialized (
      select seq, id, published_at from item_keys where seq > ${afterSeq} order by seq limit ${limit}
    )
    select e.seq as key_seq, i.seq, i.id, (extract(epoch from i.published_at) * 1000)::float8 as published_ms,
      i.actionable, i.sentiment, i.conviction, i.actionability_score, i.copy, i.terms, b.doc::json->>'title' as title
    from entries e left join items i on i.published_at = e.published_at and i.id = e.id
      and i.published_at >= (select min(published_at) from entries)
      and i.published_at <= (select max(published_at) from entries)
    left join item_bodies b on b.published_at = e.published_at and b.id = i.id
      and b.published_at >= (select min(published_at) from entries)
      and b.published_at <= (select max(published_at) from entries)
    order by e.seq`.execute(db);
  const rows = found.rows.flatMap(({ key_seq: _, id, ...row }) => (id === null ? [] : [{ ...row, id }]));
  return { rows, reached: found.rows.length < limit ? null : (found.rows.at(-1)?.key_seq ?? null) };
}
