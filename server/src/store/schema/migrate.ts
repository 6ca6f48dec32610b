import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { type MigrationResultSet, Migrator } from "kysely/migration";
import { StartError } from "../../runtime/start-error.ts";
import { version as ownVersion } from "../../runtime/version.ts";
import type { Db, Queries } from "../engine/db.ts";
import { codeOf, isDeadlock } from "../engine/errors.ts";
import { blockersOf, releaseTurn, takeTurn } from "./migration-turn.ts";

/** How often migrations that met deadlocks begin anew: a version that serves meanwhile locks tables in its own order. */
const maxTries = 5;

const ownFolder = join(import.meta.dirname, "..", "..", "..", "migrations");

export interface MigrateOptions {
  /** Folder of the migrations. */
  readonly folder?: string;
  /** Version of the migrating Tapewire. */
  readonly version?: string;
  /** How long to wait for another process that migrates. */
  readonly turnMs?: number;
  /** How long a migration may wait for a table's lock, which also delays all other users of the table. */
  readonly lockMs?: number;
  /** What becomes of a newer schema that says that this version can use it; refuse: the default, for what copies a database. */
  readonly newer?: "use" | "refuse";
}

/**
 * Brings the schema up to date from migrations/*.sql, all new ones in one transaction. Processes that start together
 * take turns. Records which version ran each migration, and from which schema on code can use what it made. A newer schema
 * that this version can use is left as it is, where `newer` says so: processes of two versions are replaced one by one.
 * @returns the number of that newer schema; null: the schema is that of this version
 * @throws {StartError} when a newer version has migrated it and this one cannot use it, another session is in the way, or
 *   the database refuses; nothing has changed then
 */
export async function migrate(db: Db, options: MigrateOptions = {}): Promise<number | null> {
  const { folder = ownFolder, version = ownVersion, turnMs = 60_000, lockMs = 10_000 } = options;
  const { newer = "refuse" } = options;
  const plan = await readPlan(folder);
  return db.slow.connection().execute(async (session) => {
    await takeTurn(session, turnMs);
    try {
      const ran = await ranOn(session);
      if (newer === "use" && isUsable(ran, plan)) return schemaOf(ran.map(({ name }) => name));
      refuseUnknown(ran, plan, version);
      await sql`select set_config('lock_timeout', ${String(lockMs)}, false)`.execute(session);
      const names = await runPlan(session, plan, lockMs);
      // A process may have been killed between its migrations and its notes.
      const unnoted = ran.flatMap((one) => (one.version === null ? one.name : []));
      if (names.length + unnoted.length > 0) await note(session, [...unnoted, ...names], { plan, version });
      return null;
    } finally {
      await sql`reset lock_timeout`.execute(session).catch(() => {});
      await releaseTurn(session);
    }
  });
}

/**
 * Checks that this version knows the whole schema, without changing it.
 * @throws {StartError} when another version made it
 */
export async function checkSchema(db: Db, options: MigrateOptions = {}): Promise<void> {
  const { folder = ownFolder, version = ownVersion } = options;
  const plan = await readPlan(folder);
  const ran = await refuseNewer(db.main, plan, version);
  if (ran > 0 && ran < plan.size)
    throw new StartError(
      `the database is of an older version of Tapewire (schema ${ran}); this is Tapewire ${version} (schema ${schemaOf(plan.keys())}): start the service once, which migrates it, or use the older version`,
      { exitCode: 2 },
    );
}

/** Whether migrate would change a database that is in use already. @throws {StartError} when a newer version made its schema */
export async function isOutdated(db: Db): Promise<boolean> {
  const plan = await readPlan(ownFolder);
  const ran = await refuseNewer(db.main, plan, ownVersion);
  return ran > 0 && ran < plan.size;
}

interface Migration {
  readonly text: string;
  /** The code of this schema, and of all later ones, can use what the migration makes; null: only its own. */
  readonly compatibleFrom: number | null;
}

/** Migrations by name, in order. */
type Plan = ReadonlyMap<string, Migration>;

/** A migration that a database has had. */
interface Ran {
  readonly name: string;
  readonly version: string | null;
  readonly compatibleFrom: number | null;
}

async function readPlan(folder: string): Promise<Plan> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
  const read = async (name: string) => {
    const text = await readFile(join(folder, name), "utf8");
    const from = /^-- compatible_from: (\d+)$/m.exec(text)?.[1];
    const compatibleFrom = from === undefined ? null : Number(from);
    return [name.replace(/\.sql$/, ""), { text, compatibleFrom }] as const;
  };
  return new Map(await Promise.all(names.map(read)));
}

/** The number of the newest migration. */
function schemaOf(names: Iterable<string>): number {
  return Math.max(0, ...[...names].map((name) => Number.parseInt(name, 10) || 0));
}

/** @returns how many migrations have run @throws {StartError} when some have that are not known here */
async function refuseNewer(db: Queries, plan: Plan, version: string): Promise<number> {
  const ran = await ranOn(db);
  refuseUnknown(ran, plan, version);
  return ran.length;
}

async function ranOn(db: Queries): Promise<readonly Ran[]> {
  const made = await sql<{ is: boolean }>`select to_regclass('kysely_migration') is not null as is`.execute(
    db,
  );
  if (made.rows[0]?.is !== true) return [];
  // Databases from before these were recorded have no such columns.
  const { rows } = await sql<Ran>`
    select name, to_jsonb(m) ->> 'version' as version,
      (to_jsonb(m) ->> 'compatible_from')::int as "compatibleFrom"
    from kysely_migration m order by name`.execute(db);
  return rows;
}

const unknownOf = (ran: readonly Ran[], plan: Plan) => ran.filter(({ name }) => !plan.has(name));

/** Whether a newer version made the schema, and this one can use it. */
function isUsable(ran: readonly Ran[], plan: Plan): boolean {
  const unknown = unknownOf(ran, plan);
  const own = schemaOf(plan.keys());
  const isWhole = ran.length - unknown.length === plan.size;
  const suits = ({ compatibleFrom }: Ran) => compatibleFrom !== null && compatibleFrom <= own;
  return isWhole && unknown.length > 0 && unknown.every(suits);
}

function refuseUnknown(ran: readonly Ran[], plan: Plan, version: string): void {
  const unknown = unknownOf(ran, plan);
  if (unknown.length === 0) return;
  const by = unknown.findLast((row) => row.version !== null)?.version ?? null;
  const whose = by === null ? "a newer version of Tapewire" : `Tapewire ${by}`;
  const schema = schemaOf(ran.map(({ name }) => name));
  throw new StartError(
    `the database was migrated by ${whose} (schema ${schema}); this is Tapewire ${version} (schema ${schemaOf(plan.keys())}): start the newer version, or restore a backup`,
    { exitCode: 2 },
  );
}

/** @returns the names of the migrations that ran */
async function runPlan(session: Queries, plan: Plan, lockMs: number): Promise<string[]> {
  const migrations = [...plan].map(([name, { text }]) => {
    const up = async (tx: Queries) => {
      await sql.raw(text).execute(tx);
    };
    return [name, { up }] as const;
  });
  const provider = { getMigrations: async () => Object.fromEntries(migrations) };
  const { error, results = [] } = await untilNoDeadlock(() =>
    new Migrator({ db: session, provider }).migrateToLatest(),
  );
  if (error === undefined) return results.map(({ migrationName }) => migrationName);
  const failed = results.find(({ status }) => status === "Error")?.migrationName ?? "the schema";
  if (codeOf(error) === "55P03") throw await inTheWay(session, failed, lockMs, error);
  if (codeOf(error) === null) throw error;
  const reason = error instanceof Error ? error.message : String(error);
  throw new StartError(`${failed} could not be migrated: ${reason}`, { cause: error });
}

/** A run that met a deadlock has changed nothing, and the database found the deadlock a second after it began. */
async function untilNoDeadlock(run: () => Promise<MigrationResultSet>): Promise<MigrationResultSet> {
  for (let tries = 1; ; tries += 1) {
    const result = await run();
    if (!isDeadlock(result.error) || tries === maxTries) return result;
  }
}

async function inTheWay(
  session: Queries,
  failed: string,
  lockMs: number,
  cause: unknown,
): Promise<StartError> {
  const blockers = await blockersOf(session, lockMs);
  const named = blockers.length === 0 ? "another session" : blockers.join("; ");
  return new StartError(
    `${failed} could not be migrated: for ${lockMs / 1_000} s a table was locked by ${named}. End it and start again`,
    { cause },
  );
}

async function note(
  session: Queries,
  names: readonly string[],
  { plan, version }: { plan: Plan; version: string },
): Promise<void> {
  await sql`
    alter table kysely_migration add column if not exists version text,
      add column if not exists compatible_from int`.execute(session);
  for (const name of names)
    await sql`
      update kysely_migration set version = ${version},
        compatible_from = ${plan.get(name)?.compatibleFrom ?? null}::int
      where name = ${name}`.execute(session);
}
