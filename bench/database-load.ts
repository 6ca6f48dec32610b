/** Transactions of a database, by its own count. */
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";

/** The server adds up the transactions of a session when the session has been idle for a second. */
const settleMs = 1_500;

/** Transactions so far. */
async function transactions(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ done: string }>(
      "select xact_commit + xact_rollback as done from pg_stat_database where datname = current_database()",
    );
    return Number(rows[0]?.done);
  } finally {
    await client.end();
  }
}

export interface During<T> {
  readonly transactions: number;
  readonly tookS: number;
  readonly result: T;
}

/** Runs something, and counts the transactions of all sessions meanwhile. */
export async function during<T>(databaseUrl: string, work: () => Promise<T>): Promise<During<T>> {
  await pause(settleMs);
  const before = await transactions(databaseUrl);
  const beganMs = performance.now();
  const result = await work();
  await pause(settleMs);
  const tookS = (performance.now() - beganMs) / 1_000;
  return { transactions: (await transactions(databaseUrl)) - before, tookS, result };
}
