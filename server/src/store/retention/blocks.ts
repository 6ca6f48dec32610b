import { type RawBuilder, sql } from "kysely";
import type { Clock } from "../../runtime/clock.ts";
import type { Queries } from "../engine/db.ts";

/** Half a megabyte of a table: some 5,000 names or keys. */
const blocksAtOnce = 64;
/** Others get the embedded database's only connection in between, and the disk of a large one some rest. */
const pauseMs = 5;

export interface Walk {
  readonly clock: Pick<Clock, "sleep">;
  readonly signal: AbortSignal;
}

/**
 * Goes through a table once, some blocks at a time, in the order in which they lie on the disk: no index is needed, and no
 * statement takes longer on a large table than on a small one. A row that moves meanwhile may be missed.
 * @param step gets the condition that a row lies in the blocks, for a table that its statement calls `t`
 * @throws the signal's reason
 */
export async function overBlocks(
  db: Queries,
  table: string,
  step: (inBlocks: RawBuilder<boolean>) => Promise<void>,
  { clock, signal }: Walk,
): Promise<void> {
  const { rows } = await sql<{ blocks: number }>`
    select (pg_relation_size(${table}::regclass) / current_setting('block_size')::int)::int as blocks`.execute(
    db,
  );
  const blocks = rows[0]?.blocks ?? 0;
  for (let from = 0; from < blocks; from += blocksAtOnce) {
    signal.throwIfAborted();
    const [first, end] = [`(${from},0)`, `(${from + blocksAtOnce},0)`];
    await step(sql<boolean>`t.ctid >= ${sql.lit(first)}::tid and t.ctid < ${sql.lit(end)}::tid`);
    await clock.sleep(pauseMs, signal);
  }
}
