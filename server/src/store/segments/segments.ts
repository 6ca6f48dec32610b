import { sql } from "kysely";
import type { Term } from "../../feed/filter.ts";
import { Segment, type Slice } from "../../feed/segments/segment.ts";
import type { Queries } from "../engine/db.ts";

/** The heads of these segments; one that is gone is left out. */
export async function segmentHeads(db: Queries, ids: readonly number[]): Promise<Segment[]> {
  if (ids.length === 0) return [];
  const found = await sql<{ id: number; month: string; head: Uint8Array }>`
    select id, month, head from segments where id = any(${[...ids]}::bigint[])`.execute(db);
  return found.rows.map((row) => new Segment(row));
}

/** The newest segment that was made without the words of titles, and how many there are; null: none. */
export async function wordlessSegment(db: Queries): Promise<{ segment: Segment; left: number } | null> {
  // The number that the head has for its blocks of words (feed/segments/segment.ts).
  const found = await sql<{ id: number; month: string; head: Uint8Array; left: number }>`
    select id, month, head, (count(*) over ())::int as left from segments
    where retired_at is null and substring(head from 29 for 4) = decode('00000000', 'hex')
      and to_regclass('items_' || month) is not null
    order by month desc, id desc limit 1`.execute(db);
  const [row] = found.rows;
  return row === undefined ? null : { segment: new Segment(row), left: row.left };
}

/** The whole body of a segment, for the one that rewrites it. @returns null: it is gone */
export async function segmentBody(db: Queries, id: number): Promise<Uint8Array | null> {
  const found = await sql<{ body: Uint8Array }>`select body from segments where id = ${id}`.execute(db);
  return found.rows[0]?.body ?? null;
}

/**
 * Parts of bodies, in the order of the slices; null: the segment is gone. As base64, which is a third smaller than the hex
 * digits of a bytea and takes a tenth of the time to read.
 */
export async function readSlices(
  db: Queries,
  slices: readonly (Slice & { readonly segment: number })[],
): Promise<(Uint8Array | null)[]> {
  const found = await sql<{ n: number; part: string }>`
    select w.n::int as n, encode(substring(s.body from w.at + 1 for w.bytes), 'base64') as part
    from unnest(
      ${slices.map(({ segment }) => segment)}::bigint[],
      ${slices.map(({ at }) => at)}::int[],
      ${slices.map(({ bytes }) => bytes)}::int[]
    ) with ordinality as w (segment, at, bytes, n)
    join segments s on s.id = w.segment`.execute(db);
  const parts: (Uint8Array | null)[] = slices.map(() => null);
  for (const { n, part } of found.rows) parts[n - 1] = Buffer.from(part, "base64");
  return parts;
}

/** Ids of values; a value that no item ever had is left out. */
export async function termIds(
  db: Queries,
  terms: readonly Term[],
): Promise<(Term & { readonly id: number })[]> {
  const found = await sql<Term & { id: number }>`
    select t.id, t.kind, t.value
    from unnest(${terms.map(({ kind }) => kind)}::text[], ${terms.map(({ value }) => value)}::text[]) as w (kind, value)
    join terms t on t.kind = w.kind and t.value = w.value`.execute(db);
  return found.rows;
}
