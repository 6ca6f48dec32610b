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

/** The headers needed to read the body again. */
const keptHeaders = ["content-type", "content-location", "link"];

/** Keeps an answer, unless the last one kept from the same address has the same bytes. */
export async function keepAnswer(
  db: Queries,
  { sourceId, url, headers, body, fetchedAt }: KeptAnswer,
): Promise<void> {
  const sha256 = createHash("sha256").update(body).digest("hex");
  const kept = keptHeaders.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]]));
  const packed = await pack(body);
  await sql`
    insert into raw_answers (source_id, url, headers, fetched_at, sha256, body)
    select ${sourceId}::text, ${url}::text, ${JSON.stringify(Object.fromEntries(kept))}::json, ${fetchedAt}::timestamptz,
      ${sha256}::text, ${packed}::bytea
    where ${sha256} is distinct from (
      select sha256 from raw_answers where source_id = ${sourceId} and url = ${url}
      order by fetched_at desc limit 1)`.execute(db);
}

/** A kept answer with its position in the order of arrival, still packed. */
export interface StoredAnswer {
  readonly id: number;
  readonly sourceId: string;
  readonly url: string;
  /** The answer as it came. A body may be large: unpack one at a time. */
  unpack(): Promise<KeptAnswer>;
}

/** Answers kept since a time, after `after`, in order of arrival. @param sourceId null: of every source */
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

/** How many answers are kept since a time, after `after`. */
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

/** The share of the bytes that one source may have, so that a source with many answers does not displace the others. */
const sourceShare = 0.25;

/**
 * Drops the oldest answers, some at a time: first what exceeds the share of each source, then what is older than the
 * days they are kept, then what exceeds the bytes.
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
