import { type RawBuilder, sql } from "kysely";
import type { Term } from "../../feed/filter.ts";
import type { ListPosition } from "../../feed/list-key.ts";
import { wholeDoc } from "../../feed/view.ts";
import type { Queries } from "../engine/db.ts";

/** The searchable values of one item. */
export interface WindowRow {
  readonly seq: number;
  readonly id: string;
  readonly published_ms: number;
  readonly actionable: boolean | null;
  readonly sentiment: number | null;
  readonly conviction: number | null;
  readonly actionability_score: number | null;
  readonly copy: boolean;
  /** Ids of the table of terms. */
  readonly terms: readonly number[];
  /** null: it has none. */
  readonly title: string | null;
}

/** Items after a position of the list, newest first, at most `limit`. */
export async function windowRows(
  db: Queries,
  after: ListPosition | null,
  limit: number,
): Promise<WindowRow[]> {
  const found = await sql<WindowRow>`
    select i.*, b.doc::json->>'title' as title
    from (
      select seq, id, published_at, (extract(epoch from published_at) * 1000)::float8 as published_ms, actionable, sentiment,
        conviction, actionability_score, copy, terms
      from items where ${behind(after)} order by published_at desc, id desc limit ${limit}
    ) i left join item_bodies b on b.id = i.id and b.published_at = i.published_at
    order by i.published_at desc, i.id desc`.execute(db);
  return found.rows;
}

/** Titles of the items of a range of the list, newest first, at most `limit`. */
export async function titleRows(
  db: Queries,
  { after, oldestMs, limit }: { after: ListPosition; oldestMs: number; limit: number },
): Promise<Pick<WindowRow, "id" | "published_ms" | "title">[]> {
  const found = await sql<Pick<WindowRow, "id" | "published_ms" | "title">>`
    select i.id, i.published_ms, b.doc::json->>'title' as title
    from (
      select id, published_at, (extract(epoch from published_at) * 1000)::float8 as published_ms
      from items where ${behind(after)} and published_at >= ${new Date(oldestMs)}
      order by published_at desc, id desc limit ${limit}
    ) i left join item_bodies b on b.id = i.id and b.published_at = i.published_at
    order by i.published_at desc, i.id desc`.execute(db);
  return found.rows;
}

/** The same items with their JSON, of the same version. */
export async function windowBodies(
  db: Queries,
  after: ListPosition | null,
  limit: number,
): Promise<(Pick<WindowRow, "seq" | "id" | "published_ms"> & { doc: string })[]> {
  const found = await sql<Pick<WindowRow, "seq" | "id" | "published_ms"> & { doc: string }>`
    select i.seq, i.id, (extract(epoch from i.published_at) * 1000)::float8 as published_ms, b.doc
    from (
      select seq, id, published_at from items where ${behind(after)}
      order by published_at desc, id desc limit ${limit}
    ) i join item_bodies b on b.id = i.id and b.published_at = i.published_at
    order by i.published_at desc, i.id desc`.execute(db);
  return found.rows.map((row) => ({ ...row, doc: wholeDoc(row.doc) }));
}

/** The first condition lets the planner skip partitions. */
function behind(after: ListPosition | null): RawBuilder<unknown> {
  if (after === null) return sql`true`;
  const { publishedAt, id } = after;
  return sql`published_at <= ${publishedAt} and (published_at, id) < (${publishedAt}, ${id}::uuid)`;
}

export async function termsById(
  db: Queries,
  ids: readonly number[],
): Promise<(Term & { readonly id: number })[]> {
  const found = await sql<Term & { id: number }>`
    select id, kind, value from terms where id = any(${[...ids]}::int[])`.execute(db);
  return found.rows;
}
