import { sql } from "kysely";
import type { Queries } from "../engine/db.ts";

/** Transactions that began one after another read times that differ by less. */
const clocksDiffer = sql`interval '1 minute'`;

export interface ReferenceFile {
  readonly fetchedAt: Date;
  readonly body: string;
}

/** @param after return the file only if it was not fetched at this time: it may have been later and seem earlier, as clocks are put back */
export async function referenceFile(
  db: Queries,
  name: string,
  after: Date | null = null,
): Promise<ReferenceFile | null> {
  const found = await sql<{ fetched_at: Date; body: string }>`
    select fetched_at, body from reference_files
    where name = ${name} and body is not null and (${after}::timestamptz is null or date_trunc('milliseconds', fetched_at) <> ${after})`.execute(
    db,
  );
  const [row] = found.rows;
  return row === undefined ? null : { fetchedAt: row.fetched_at, body: row.body };
}

/**
 * Whether this process should fetch the file now: it is older than `maxAgeMs`, and no process has claimed it in the last
 * `retryMs`. A time in the future is from before the clock was put back.
 */
export async function claimReferenceFile(
  db: Queries,
  name: string,
  { maxAgeMs, retryMs }: { maxAgeMs: number; retryMs: number },
): Promise<boolean> {
  const found = await sql`
    insert into reference_files as f (name, asked_at) values (${name}, now())
    on conflict (name) do update set asked_at = now()
    where (f.asked_at < now() - ${retryMs}::float8 * interval '1 ms' or f.asked_at > now() + ${clocksDiffer})
      and (f.fetched_at is null or f.fetched_at < now() - ${maxAgeMs}::float8 * interval '1 ms'
        or f.fetched_at > now() + ${clocksDiffer})
    returning name`.execute(db);
  return found.rows.length > 0;
}

export async function saveReferenceFile(db: Queries, name: string, body: string): Promise<void> {
  await db
    .updateTable("reference_files")
    .set({ body, fetched_at: sql`now()` })
    .where("name", "=", name)
    .execute();
}
