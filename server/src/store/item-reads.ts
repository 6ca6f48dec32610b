import { sql } from "kysely";
import type { LogItem } from "../feed/item.ts";
import type { Queries } from "./db.ts";

/** Where the log stands. */
export interface LogHead {
  readonly epoch: string;
  readonly lastSeq: number;
}

export async function logHead(db: Queries): Promise<LogHead> {
  const row = await db.selectFrom("log_head").select(["epoch", "last_seq"]).executeTakeFirstOrThrow();
  return { epoch: row.epoch, lastSeq: row.last_seq };
}

interface Key {
  id: string;
  published_at: Date;
}

/**
 * Entries behind a position of the log, in order, at most `limit`: every version of every item, each as it was
 * published. One statement, one snapshot: an item that is revised meanwhile is read as it was. The arrays and bounds
 * let the planner use the index of the bodies and leave out partitions.
 */
export async function itemsAfter(db: Queries, afterSeq: number, limit: number): Promise<LogItem[]> {
  const found = await sql<{ doc: string }>`
    with entries as materialized (
      (select seq, id, published_at, null as doc from item_keys where seq > ${afterSeq} order by seq limit ${limit})
      union all
      (select seq, id, published_at, doc from item_versions where seq > ${afterSeq} order by seq limit ${limit})
      order by seq limit ${limit}
    ), current as (
      select id, doc from item_bodies
      where id = any(array(select id from entries where doc is null))
        and published_at >= (select min(published_at) from entries)
        and published_at <= (select max(published_at) from entries)
    )
    select coalesce(e.doc, c.doc) as doc from entries e left join current c on c.id = e.id
    order by e.seq`.execute(db);
  return found.rows.map(({ doc }) => logItemOf(doc));
}

/** A stored document as an item of the log. It was written by us: parsed, not validated again. */
export function logItemOf(doc: string): LogItem {
  const item: LogItem["item"] = JSON.parse(doc);
  return { seq: item.seq, item, doc };
}

/** The stored JSON of items, one for each key; null: there is none. The bounds let the planner leave out partitions. */
export async function docsOf(db: Queries, keys: readonly Key[]): Promise<(string | null)[]> {
  if (keys.length === 0) return [];
  const times = keys.map(({ published_at }) => published_at.getTime());
  const found = await sql<{ id: string; doc: string }>`
    select id, doc from item_bodies
    where id = any(${keys.map(({ id }) => id)}::uuid[])
      and published_at >= ${new Date(Math.min(...times))} and published_at <= ${new Date(Math.max(...times))}`.execute(
    db,
  );
  const docs = new Map(found.rows.map(({ id, doc }) => [id, doc]));
  return keys.map(({ id }) => docs.get(id) ?? null);
}
