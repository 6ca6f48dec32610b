import { type RawBuilder, sql } from "kysely";
import type { LogItem } from "../../feed/item.ts";
import { wholeDoc } from "../../feed/view.ts";
import type { Queries } from "../engine/db.ts";

/** The head of the log. */
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

/** A stretch of the log. */
export interface LogStretch {
  /** In order, without items that an operator has dropped. */
  readonly items: readonly LogItem[];
  /** The stretch is complete up to this seq. */
  readonly reached: number;
}

/** A stretch of the log as one statement saw it. */
export interface LogPage extends LogStretch {
  readonly epoch: string;
  readonly head: number;
}

export interface LogPageAtHome extends LogPage {
  /** Whether the log still lives where its epoch was made. */
  readonly isHome: boolean;
}

/** A page for readers, which a standby may serve: it does not call log_home(), which fails there. */
export function readLog(db: Queries, afterSeq: number, limit: number): Promise<LogPage> {
  return readStretch(db, { afterSeq, limit, isHome: sql`true` });
}

/** A page for the process that follows the log, which must notice when the log is another. */
export function readLogAtHome(db: Queries, afterSeq: number, limit: number): Promise<LogPageAtHome> {
  return readStretch(db, { afterSeq, limit, isHome: sql`coalesce(home = log_home(), true)` });
}

/**
 * Entries after a position of the log, in order, at most `limit`: every version of every item, each as it was published.
 * Items whose month was dropped are skipped with all their versions. One statement, so one snapshot: an item that is
 * revised meanwhile is read as it was. The arrays and bounds let the planner use the index of the bodies and skip
 * partitions.
 */
async function readStretch(
  db: Queries,
  { afterSeq, limit, isHome: homeSql }: { afterSeq: number; limit: number; isHome: RawBuilder<unknown> },
): Promise<LogPageAtHome> {
  const found = await sql<Omit<LogPageAtHome, keyof LogStretch> & { seq: number | null; doc: string | null }>`
    with place as materialized (
      select epoch, last_seq as head, ${homeSql} as "isHome" from log_head
    ), entries as materialized (
      (select seq, id, published_at, null as doc from item_keys where seq > ${afterSeq} order by seq limit ${limit})
      union all
      (select seq, id, published_at, doc from item_versions where seq > ${afterSeq} order by seq limit ${limit})
      order by seq limit ${limit}
    ), current as (
      select id, doc from item_bodies
      where id = any(array(select id from entries))
        and published_at >= (select min(published_at) from entries)
        and published_at <= (select max(published_at) from entries)
    )
    select p.*, e.seq, case when c.id is not null then coalesce(e.doc, c.doc) end as doc
    from place p left join (entries e left join current c on c.id = e.id) on true
    order by e.seq`.execute(db);
  const [first] = found.rows;
  if (first === undefined) throw new Error("log_head has no row");
  const { epoch, isHome, head } = first;
  const rows = first.seq === null ? [] : found.rows;
  const items = rows.flatMap(({ doc }) => (doc === null ? [] : [logItemOf(doc)]));
  const last = rows.at(-1)?.seq ?? afterSeq;
  return { epoch, isHome, head, items, reached: rows.length < limit ? Math.max(head, last) : last };
}

/** The entries that still exist among the next `limit` positions. */
export async function itemsAfter(db: Queries, afterSeq: number, limit: number): Promise<LogItem[]> {
  const { items } = await readLog(db, afterSeq, limit);
  return [...items];
}

/** A stored document as an item of the log. We wrote it, so it is parsed but not validated again. */
export function logItemOf(stored: string): LogItem {
  const doc = wholeDoc(stored);
  const item: LogItem["item"] = JSON.parse(doc);
  return { seq: item.seq, item, doc };
}

/** The stored JSON of items, one per key; null: there is none. The bounds let the planner skip partitions. */
export async function docsOf(db: Queries, keys: readonly Key[]): Promise<(string | null)[]> {
  if (keys.length === 0) return [];
  const times = keys.map(({ published_at }) => published_at.getTime());
  const found = await sql<{ id: string; doc: string }>`
    select id, doc from item_bodies
    where id = any(${keys.map(({ id }) => id)}::uuid[])
      and published_at >= ${new Date(Math.min(...times))} and published_at <= ${new Date(Math.max(...times))}`.execute(
    db,
  );
  const docs = new Map(found.rows.map(({ id, doc }) => [id, wholeDoc(doc)]));
  return keys.map(({ id }) => docs.get(id) ?? null);
}
