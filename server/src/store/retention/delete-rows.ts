import { type RawBuilder, sql } from "kysely";
import type { Queries } from "../engine/db.ts";
import { overBlocks, type Walk } from "./blocks.ts";

export const sweptTables = ["item_aliases", "item_versions", "filings", "item_keys"] as const;
export type Swept = (typeof sweptTables)[number];

export interface Sweep extends Walk {
  readonly since: Date;
  readonly now: Date;
  /** Called after each statement. */
  readonly deleted: (table: Swept, rows: number) => void;
}

/**
 * Deletes the names of items that were published before. The names of those whose time their source does not tell are kept
 * as hashes. An item that is listed under another time than that of its first sight is listed under its source's own: that
 * one shows how old it is when it comes again. Before the items' tables and keys go, which tell this.
 * Looked up one by one: a join may read all keys for each of the steps.
 */
export async function retireAliases(db: Queries, sweep: Sweep): Promise<void> {
  const { since, now, deleted } = sweep;
  const step = async (inBlocks: RawBuilder<boolean>) => {
    const { rows } = await sql<{ rows: number }>`
      with gone as (
        delete from item_aliases t
        where ${inBlocks} and (select published_at from item_keys where id = t.item_id) < ${since}
        returning t.alias, t.item_id as id,
          (select published_at from item_keys where id = t.item_id) as published_at
      ), retired as (
        insert into retired_aliases (hash, met_at)
        select distinct alias_hash(alias), ${now}::timestamptz from gone g
        where coalesce((
          select scraped_at = published_at from items i where i.id = g.id and i.published_at = g.published_at), true)
        on conflict (hash) do update set met_at = excluded.met_at
      )
      select count(*)::int as rows from gone`.execute(db);
    deleted("item_aliases", rows[0]?.rows ?? 0);
  };
  await overBlocks(db, "item_aliases", step, sweep);
}

/** Deletes everything else that hangs on items that were published before; the keys last, since the rest is found by them. */
export async function sweepRows(db: Queries, sweep: Sweep): Promise<void> {
  for (const table of sweptTables) {
    if (table === "item_aliases") continue;
    const step = async (inBlocks: RawBuilder<boolean>) => {
      const { numAffectedRows = 0n } = await sql`
        delete from ${sql.table(table)} t where ${inBlocks} and t.published_at < ${sweep.since}`.execute(db);
      sweep.deleted(table, Number(numAffectedRows));
    };
    await overBlocks(db, table, step, sweep);
  }
}

/** A source that is away for shorter brings nothing back, however few months are kept. */
const rememberedMs = 400 * 86_400_000;

/** Forgets names that no source has listed for as long as items are kept, and for more than a year. */
export async function forgetRetired(db: Queries, sweep: Sweep): Promise<void> {
  const before = new Date(Math.min(sweep.since.getTime(), sweep.now.getTime() - rememberedMs));
  const step = async (inBlocks: RawBuilder<boolean>) => {
    await sql`delete from retired_aliases t where ${inBlocks} and t.met_at < ${before}`.execute(db);
  };
  await overBlocks(db, "retired_aliases", step, sweep);
}
