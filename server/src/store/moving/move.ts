import { sql } from "kysely";
import type { Log } from "../../runtime/log.ts";
import { DataDirError } from "../engine/data-dir.ts";
import { openDb, type Queries } from "../engine/db.ts";
import { checkSchema, migrate } from "../schema/migrate.ts";
import { transfer } from "../schema/transfer.ts";

/**
 * Copies the embedded database into an empty PostgreSQL, in one transaction: everything or nothing. The original stays as
 * it is. The log gets a new epoch, since its cursors are of another place.
 * @returns rows copied
 * @throws {DataDirError} when a service uses either of them, or the PostgreSQL is in use; {StartError} for an older schema
 */
export async function moveToPostgres(dataDir: string, databaseUrl: string, log: Log): Promise<number> {
  await using from = await openDb({ databaseUrl: null, dataDir, log });
  await checkSchema(from);
  await using to = await openDb({ databaseUrl, dataDir, log });
  await migrate(to);
  // Awaited here: both are open until it is done.
  return await to.slow.transaction().execute(async (tx) => {
    // A large database takes long, and its reading keeps the transaction waiting.
    await sql`set local statement_timeout = 0`.execute(tx);
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx);
    await refuseUsed(tx);
    return transfer(from.main, tx);
  });
}

async function refuseUsed(to: Queries): Promise<void> {
  // A sign of life in the future is from before the clock was put back.
  const { rows } = await sql<{ running: boolean; used: boolean }>`
    select exists (select from processes where abs(extract(epoch from clock_timestamp() - seen_at)) < 60) as running,
      exists (select from accounts) or exists (select from item_keys) as used`.execute(to);
  if (rows[0]?.running === true)
    throw new DataDirError("a service runs on the PostgreSQL: stop it, and try again after a minute");
  if (rows[0]?.used === true)
    throw new DataDirError("the PostgreSQL has accounts or items already: name an empty database");
}
