import { sql } from "kysely";
import { StartError } from "../../runtime/start-error.ts";
import type { Queries } from "../engine/db.ts";
import { codeOf } from "../engine/errors.ts";

const lockKey = 7239;

/** A session of the database, described so that an operator can find and end it. */
interface Session {
  readonly pid: number;
  readonly application: string | null;
  readonly user: string | null;
  readonly state: string | null;
  /** Start of its transaction, or of the session itself. */
  readonly since: Date | null;
}

/**
 * Waits until no other process migrates the database, and takes the turn, which the session holds until it releases it.
 * @throws {StartError} after `turnMs`, naming the session that holds the turn
 */
export async function takeTurn(session: Queries, turnMs: number): Promise<void> {
  try {
    await sql`select set_config('lock_timeout', ${String(turnMs)}, false)`.execute(session);
    await sql`select pg_advisory_lock(${sql.lit(lockKey)}, 0)`.execute(session);
  } catch (cause) {
    if (codeOf(cause) !== "55P03") throw cause;
    const [holder = "not to be found any more"] = await sessionsWith(
      session,
      sql`l.locktype = 'advisory' and l.classid = ${sql.lit(lockKey)} and l.objid = 0`,
    );
    throw new StartError(
      `another process migrates this database, for longer than ${turnMs / 1_000} s: ${holder}. Start again when it is done`,
      { cause },
    );
  }
}

/** Does nothing when the turn was not taken, or the session is gone. */
export async function releaseTurn(session: Queries): Promise<void> {
  await sql`select pg_advisory_unlock(${sql.lit(lockKey)}, 0)`.execute(session).catch(() => {});
}

/** Sessions whose transaction has held a table at least as long as a migration has waited for one. */
export function blockersOf(session: Queries, waitedMs: number): Promise<string[]> {
  return sessionsWith(
    session,
    sql`l.locktype = 'relation' and a.xact_start < clock_timestamp() - ${waitedMs}::float8 * interval '1 ms'`,
  );
}

async function sessionsWith(session: Queries, condition: ReturnType<typeof sql>): Promise<string[]> {
  const { rows } = await sql<Session>`
    select distinct a.pid, a.application_name as application, a.usename as "user", a.state,
      coalesce(a.xact_start, a.backend_start) as since
    from pg_locks l join pg_stat_activity a on a.pid = l.pid
    where l.granted and a.pid <> pg_backend_pid() and ${condition}
      and l.database = (select oid from pg_database where datname = current_database())
    order by since limit 3`.execute(session);
  return rows.map(({ pid, application, user, state, since }) => {
    const facts = [application || "unnamed", `user ${user}`, `${state} since ${since?.toISOString()}`];
    return `session ${pid} (${facts.join(", ")})`;
  });
}
