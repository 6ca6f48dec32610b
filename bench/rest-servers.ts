/** The measured servers, each a process of its own on the first core, started only for its turn. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createdKey } from "@tapewire/contract/admin.ts";
import pg from "pg";
import { writeRoomyPlans } from "./roomy-plans.ts";
import { cpuMsOf, serviceArgs, serviceFlags, start as startProcess } from "./server-process.ts";

/** A running server. */
export interface Running extends AsyncDisposable {
  readonly base: string;
  /** Processor time so far, all threads. */
  readonly cpuMs: () => number;
}

const root = join(import.meta.dirname, "..");

interface Program {
  /** Arguments of Node. */
  readonly args: readonly string[];
  readonly env: Record<string, string>;
  /** Matches its output once it listens; the first group is a port or an address. */
  readonly listening: RegExp;
  readonly input?: string;
}

async function start({ args, ...program }: Program): Promise<Running> {
  const {
    pid,
    said,
    [Symbol.asyncDispose]: stop,
  } = await startProcess({ command: [process.execPath, ...args], ...program });
  return {
    base: said.startsWith("http") ? said : `http://127.0.0.1:${said}`,
    cpuMs: () => cpuMsOf(pid),
    [Symbol.asyncDispose]: stop,
  };
}

/** The service as an operator starts it, with limits that a measurement does not reach. `key` opens the list. */
export async function startTapewire(options: {
  databaseUrl: string;
  /** null: the default */
  indexCacheMegabytes: number | null;
}): Promise<Running & { readonly key: string }> {
  await using stack = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), "tapewire-bench-"));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  const adminToken = "tw_admin_for_benches_only";
  const running = stack.use(
    await start({
      args: serviceArgs,
      env: {
        DATABASE_URL: options.databaseUrl,
        TAPEWIRE_PORT: "0",
        TAPEWIRE_DATA_DIR: join(folder, "data"),
        TAPEWIRE_SOURCES: join(root, "server", "test", "support", "no-sources.json"),
        TAPEWIRE_PLANS: writeRoomyPlans(folder),
        TAPEWIRE_ADMIN_TOKEN: adminToken,
        TAPEWIRE_LOG_LEVEL: "warn",
        ...(options.indexCacheMegabytes === null
          ? {}
          : { TAPEWIRE_INDEX_CACHE_MB: String(options.indexCacheMegabytes) }),
      },
      listening: /base_url {2}(\S+)[\s\S]*Try:/,
    }),
  );
  const made = await fetch(`${running.base}/admin/v1/keys`, {
    method: "POST",
    headers: { authorization: `Bearer ${adminToken}`, "content-type": "application/json" },
    body: JSON.stringify({ plan: "enterprise" }),
  });
  const { key } = createdKey.parse(await made.json());
  await quiet(running);
  const owned = stack.move();
  return { ...running, key, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** Enough for the first start over ten million items, which builds their index. */
const mostQuietTries = 3_600;
/** A builder that reads the next items is idle for a moment, too. */
const quietSeconds = 5;

/** Waits until it is idle, for example until its index is built. */
async function quiet({ cpuMs }: Running): Promise<void> {
  let idle = 0;
  for (let tries = 0; tries < mostQuietTries && idle < quietSeconds; tries++) {
    const before = cpuMs();
    await pause(1_000);
    idle = cpuMs() - before < 50 ? idle + 1 : 0;
  }
}

export function startBare(answer: { body: string; headers: Record<string, string> }): Promise<Running> {
  return start({
    args: [...serviceFlags, join(import.meta.dirname, "rest-bare.ts")],
    env: {},
    listening: /port (\d+)/,
    input: JSON.stringify(answer),
  });
}

/**
 * PostGraphile over a table that suits it: the newest month, the item as one JSON column, indexes for exactly the requested
 * order and the one filtered column.
 * @returns null when it is not installed and cannot be
 */
export async function startPostgraphile(databaseUrl: string): Promise<Running | null> {
  const folder = join(import.meta.dirname, "peers", "postgraphile");
  if (!isInstalled(folder)) return null;
  await makePeerTable(databaseUrl);
  return start({
    args: [...serviceFlags, join(folder, "serve.mjs")],
    env: { DATABASE_URL: databaseUrl },
    listening: /port (\d+)/,
  });
}

function isInstalled(folder: string): boolean {
  if (existsSync(join(folder, "node_modules"))) return true;
  try {
    execFileSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--workspaces=false"], {
      cwd: folder,
      stdio: "ignore",
    });
    return true;
  } catch {
    return false;
  }
}

async function makePeerTable(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const found = await client.query<{ there: boolean }>(
      "select to_regclass('peer.items') is not null as there",
    );
    if (found.rows[0]?.there === true) return;
    await client.query(`
      create schema if not exists peer;
      create table peer.items as
        select id, published_at, doc::json ->> 'source' as source, doc::json as doc from item_bodies
        where published_at >= (select max(published_at) from items) - interval '30 days';
      alter table peer.items add primary key (id);
      create index on peer.items (published_at desc, id);
      create index on peer.items (source, published_at desc, id);
      analyze peer.items;`);
  } finally {
    await client.end();
  }
}
