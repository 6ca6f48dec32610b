/** Embedded databases for tests: copies of a migrated one, used again by the tests of a process. */
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atEnd, runsManyFiles } from "../../../tools/testing/at-end.ts";
import { type Db, pgliteDb } from "../../src/store/engine/db.ts";
import { PgliteError, PgliteHost } from "../../src/store/engine/pglite.ts";
import { migrationsHash, onceForAll, prepareDatabase } from "./migrated.ts";
import { type Run, rememberPristine, restorePristine } from "./pristine.ts";

/** A database in memory of its own, migrated and empty. */
export async function testPglite(): Promise<Db> {
  await holdCompiledEngine();
  const used = idle.pop();
  const isRestored = used !== undefined && (await restored(used));
  return pgliteDb(
    lent(isRestored ? used : await PgliteHost.open({ dataDir: null, snapshot: await snapshot() })),
  );
}

/** Embedded databases that tests of this process are done with: to restore one takes a fraction of the time of a new one. */
const idle: PgliteHost[] = [];
let keepsIdle = runsManyFiles;
atEnd(async () => {
  keepsIdle = false;
  await Promise.all(idle.splice(0).map((host) => host.close()));
});

/** Answers until it is closed; from then on no late statement of one test can reach the database of the next. */
function lent(host: PgliteHost): PgliteHost {
  let open = true;
  const query: PgliteHost["query"] = (sql, params) =>
    open
      ? host.query(sql, params)
      : Promise.reject(new PgliteError({ message: "the embedded database has stopped" }));
  const close = async () => {
    if (!open) return;
    open = false;
    if (keepsIdle) idle.push(host);
    else await host.close();
  };
  return new Proxy(host, {
    get: (target, name) => {
      if (name === "query") return query;
      return name === "close" ? close : Reflect.get(target, name, target);
    },
  });
}

/** @returns whether it is as after the migrations again; closed when not */
async function restored(host: PgliteHost): Promise<boolean> {
  try {
    // A transaction that a test left open would keep its locks.
    await host.query("rollback", []);
    await host.query("discard all", []);
    if (await restorePristine(runIn(host))) return true;
  } catch {
    // It is of no more use.
  }
  await host.close();
  return false;
}

/** Node has it; TypeScript knows it with the types of a browser only. */
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<object> };

let compiled: Promise<object> | null = null;

/**
 * V8 shares compiled code between the threads of a process while anyone holds it: with the engine's code held here, a
 * database that starts when no other is open takes a third of the processor time.
 */
async function holdCompiledEngine(): Promise<void> {
  compiled ??= WebAssembly.compile(
    readFileSync(new URL("pglite.wasm", import.meta.resolve("@electric-sql/pglite"))),
  );
  await compiled;
}

const runIn =
  (host: PgliteHost): Run =>
  async (statements) =>
    (await host.query(statements, [])).rows ?? [];

const cache = join(tmpdir(), "tapewire-test");

/** A migrated PGlite is made once per state of the migrations: a new one takes seconds. */
async function snapshot(): Promise<Uint8Array<ArrayBuffer>> {
  const path = join(cache, `pglite-${migrationsHash()}.tar`);
  await onceForAll(path, async () => {
    const host = await PgliteHost.open({ dataDir: null, snapshot: null });
    await prepareDatabase(pgliteDb(host));
    await rememberPristine(runIn(host));
    await dropTemplates(runIn(host));
    // Renamed into place: nobody reads the half of it.
    writeFileSync(`${path}.new`, await host.dump());
    renameSync(`${path}.new`, path);
    await host.close();
  });
  return new Uint8Array(readFileSync(path));
}

/** The two databases that others are made from: no test makes one, and each copy of the files would read and write theirs. */
async function dropTemplates(run: Run): Promise<void> {
  for (const name of ["template0", "template1"]) {
    await run(`update pg_database set datistemplate = false where datname = '${name}'`);
    await run(`drop database ${name}`);
  }
}

/** Fills an empty data directory with a migrated embedded database: to make one takes seconds, to copy it does not. */
export async function seedDataDir(dataDir: string): Promise<void> {
  await holdCompiledEngine();
  const path = join(cache, `data-${migrationsHash()}`);
  await onceForAll(path, async () => {
    const made = `${path}.new`;
    rmSync(made, { recursive: true, force: true });
    mkdirSync(made, { mode: 0o700 });
    const host = await PgliteHost.open({ dataDir: join(made, "pglite"), snapshot: await snapshot() });
    await host.close();
    renameSync(made, path);
  });
  cpSync(path, dataDir, { recursive: true });
}
