import { Kysely, PostgresDialect, type RawBuilder } from "kysely";
import type pg from "pg";
import type { Tables } from "./tables.ts";

type Queries = Kysely<Tables>;

/** A statement whose answer is not needed. */
export type Write = RawBuilder<unknown>;

/** What a transaction comes to. */
export interface Work<T> {
  readonly result: T;
  /** Its last statements. */
  readonly writes: readonly Write[];
}

export type Transact = <T>(work: (tx: Queries) => Promise<Work<T>>) => Promise<T>;

/** The server answered COMMIT with a rollback. */
class RolledBack extends Error {
  override readonly name = "RolledBack";
}

/** For an engine in this process: statements wait for nothing. */
export function plainly(db: Queries): Transact {
  return (work) =>
    db.transaction().execute(async (tx) => {
      const { result, writes } = await work(tx);
      for (const write of writes) await write.execute(tx);
      return result;
    });
}

/**
 * Transactions on connections in pipeline mode: BEGIN leaves with the first statement, and COMMIT with the last ones, so that
 * a lock is held for two round trips and those of what is read in between. A failed statement aborts the transaction, and the
 * server then answers COMMIT with a rollback.
 */
export function pipelined(pool: pg.Pool): Transact {
  return async (work) => {
    const client = await pool.connect();
    try {
      const begun = client.query("begin");
      begun.catch(() => {});
      const tx = queriesOn(client, begun);
      const { result, writes } = await work(tx);
      await begun;
      await commit(client, tx, writes);
      client.release();
      return result;
    } catch (error) {
      await client.query("rollback").then(
        () => client.release(),
        () => client.release(true),
      );
      throw error;
    }
  };
}

/** @param begun only the first statement does not wait for it: a lock, or a read, which does no harm outside of a transaction */
function queriesOn(client: pg.PoolClient, begun: Promise<unknown>): Queries {
  const lent = {
    query: client.query.bind(client),
    release: () => {},
  };
  let isFirst = true;
  const connect = async () => {
    if (!isFirst) await begun;
    isFirst = false;
    return lent;
  };
  return new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: { connect, end: async () => {}, options: {} } }),
  });
}

/** @throws the error of the first statement that failed */
async function commit(client: pg.PoolClient, tx: Queries, writes: readonly Write[]): Promise<void> {
  const sent = writes.map((write) => {
    const { sql, parameters } = write.compile(tx);
    return client.query(sql, [...parameters]);
  });
  const answers = await Promise.allSettled([...sent, client.query("commit")]);
  const failed = answers.find((answer) => answer.status === "rejected");
  if (failed !== undefined) throw failed.reason;
  const last = answers.at(-1);
  if (last?.status !== "fulfilled" || last.value.command !== "COMMIT")
    throw new RolledBack("the transaction was rolled back");
}
