import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { sql } from "kysely";
import type { Queries } from "../engine/db.ts";

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** An answer of a source, as it was parsed. */
export interface KeptAnswer {
  readonly sourceId: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly fetchedAt: Date;
}

/** Headers that reading the body again takes. */
const keptHeaders = ["content-type", "content-location", "link"];

/** The bytes that were kept last from the same address are not kept again. */
export async function keepAnswer(
  db: Queries,
  { sourceId, url, headers, body, fetchedAt }: KeptAnswer,
): Promise<void> {
  const sha256 = createHash("sha256").update(body).digest("hex");
  const told = keptHeaders.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]]));
  const packed = await pack(body);
  await sql`
    insert into raw_answers (source_id, url, headers, fetched_at, sha256, body)
    select ${sourceId}::text, ${url}::text, ${JSON.stringify(Object.fromEntries(told))}::json, ${fetchedAt}::timestamptz,
      ${sha256}::text, ${packed}::bytea
    where ${sha256} is distinct from (
      select sha256 from raw_answers where source_id = ${sourceId} and url = ${url}
      order by fetched_at desc limit 1)`.execute(db);
}

/** A kept answer with its place in the order of their coming, still packed. */
export interface StoredAnswer {
  readonly id: number;
  readonly sourceId: string;
  readonly url: string;
  /** As it came. A body may be large: one at a time. */
  unpack(): Promise<KeptAnswer>;
}

/** Answers kept since a time, behind `after`, in the order they came. @param sourceId null: of every source */
export async function answersSince(
  db: Queries,
  { since, after, sourceId, limit }: { since: Date; after: number; sourceId: string | null; limit: number },
): Promise<StoredAnswer[]> {
  const found = await sql<{
    id: number;
    source_id: string;
    url: string;
    headers: Record<string, string>;
    fetched_at: Date;
    body: Uint8Array;
  }>`
    select id, source_id, url, headers, fetched_at, body from raw_answers
    where fetched_at >= ${since} and id > ${after} and (${sourceId}::text is null or source_id = ${sourceId})
    order by id limit ${limit}`.execute(db);
  return found.rows.map(({ id, source_id: source, url, headers, fetched_at: fetchedAt, body }) => ({
    id,
    sourceId: source,
    url,
    unpack: async () => ({ sourceId: source, url, headers, body: await unpack(body), fetchedAt }),
  }));
}

/** How many answers are kept since a time, behind `after`. */
export async function countAnswers(
  db: Queries,
  { since, after, sourceId }: { since: Date; after: number; sourceId: string | null },
): Promise<number> {
  const found = await sql<{ count: number }>`
    select count(*) as count from raw_answers
    where fetched_at >= ${since} and id > ${after} and (${sourceId}::text is null or source_id = ${sourceId})`.execute(
    db,
  );
  return found.rows[0]?.count ?? 0;
}

const droppedAtOnce = 500;

/** No source has more of the bytes: one that says something new all day would push out what the others said. */
const sourceShare = 0.25;

/**
 * Drops the oldest answers, some at a time: of each source what exceeds its share, then those older than the days they
 * are kept, and what exceeds the bytes.
 */
export async function dropAnswers(
  db: Queries,
  { before, mostBytes, signal }: { before: Date; mostBytes: number; signal: AbortSignal },
): Promise<void> {
  const shares = await sql<{ sourceId: string; last: number }>`
    select source_id as "sourceId", max(id) as last from (
      select id, source_id, sum(octet_length(body)) over (partition by source_id order by id desc) as own_behind
      from raw_answers
    ) r where own_behind > ${sourceShare * mostBytes} group by source_id`.execute(db);
  for (const { sourceId, last } of shares.rows) await dropTo(db, { last, sourceId, signal });
  const found = await sql<{ last: number | null }>`
    select max(id) as last from (
      select id, fetched_at, sum(octet_length(body)) over (order by id desc) as bytes_behind from raw_answers
    ) r where fetched_at < ${before} or bytes_behind > ${mostBytes}`.execute(db);
  const last = found.rows[0]?.last ?? null;
  if (last !== null) await dropTo(db, { last, sourceId: null, signal });
}

/** @param sourceId null: of every source */
async function dropTo(
  db: Queries,
  { last, sourceId, signal }: { last: number; sourceId: string | null; signal: AbortSignal },
): Promise<void> {
  for (let more = true; more && !signal.aborted; ) {
    const done = await sql`
      delete from raw_answers where id in (
        select id from raw_answers where id <= ${last} and (${sourceId}::text is null or source_id = ${sourceId})
        order by id limit ${sql.lit(droppedAtOnce)})`.execute(db);
    more = Number(done.numAffectedRows ?? 0) === droppedAtOnce;
  }
}
