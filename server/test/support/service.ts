import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createdKey, pushAnswer, type pushItem } from "@tapewire/contract/admin.ts";
import { type PlanName, planTable } from "@tapewire/contract/plans.ts";
import type { z } from "zod";
import { atEnd, runsManyFiles } from "../../../tools/testing/at-end.ts";
import { type App, startApp } from "../../src/app/app.ts";
import { type Config, readConfig, settings } from "../../src/config/config.ts";
import { type Clock, systemClock } from "../../src/runtime/clock.ts";
import { type Log, silentLog } from "../../src/runtime/log.ts";
import { Engine } from "../../src/score/engine.ts";
import { ProPool } from "../../src/score/pro-pool.ts";
import { createDatabase, type EngineName, seedDataDir } from "./db.ts";

const adminToken = "tw_admin_for_tests_only";
const noSources = new URL("./no-sources.json", import.meta.url).pathname;

/** Its table serves every service of this process: without a holder it is read anew after each of them. */
const tableHolder = new Engine();

/**
 * A thread of pro takes two seconds of processor time to start: services of a process of many files share it. A busy machine
 * must not decide who answers.
 */
const sharedPool = runsManyFiles ? new ProPool({ deadlineMs: 20_000 }) : undefined;
atEnd(async () => sharedPool?.[Symbol.asyncDispose]());

/** A whole service on a port of its own, with a database of its own; gone when disposed. */
export interface Service extends AsyncDisposable {
  readonly app: App;
  readonly url: string;
  readonly adminToken: string;
  readonly config: Config;
  get(path: string, key?: string): Promise<Response>;
  admin(method: string, path: string, body?: unknown): Promise<Response>;
  /** A new key on a new account of the plan. */
  key(plan: PlanName): Promise<z.infer<typeof createdKey>>;
  push(...items: readonly z.input<typeof pushItem>[]): Promise<z.infer<typeof pushAnswer>["data"]>;
}

export async function startService(
  engine: EngineName,
  {
    clock = systemClock,
    stuckAfterMs,
    log = silentLog,
    ...overrides
  }: Partial<Config> & { clock?: Clock; stuckAfterMs?: number; log?: Log } = {},
): Promise<Service> {
  await using stack = new AsyncDisposableStack();
  const dataDir = mkdtempSync(join(tmpdir(), "tapewire-test-"));
  stack.defer(() => rmSync(dataDir, { recursive: true, force: true }));
  const database = engine === "postgres" ? stack.use(await createDatabase()) : null;
  if (engine === "pglite" && overrides.dataDir === undefined) await seedDataDir(dataDir);
  const config: Config = {
    ...readConfig({}),
    port: 0,
    dataDir,
    databaseUrl: database?.url ?? null,
    // Many services of tests share one server.
    databaseConnections: 6,
    adminToken,
    // A thread of pro takes seconds of processor time to start; tests of it name it.
    feedModel: "flash",
    sourcesFile: noSources,
    plansFile: writeFastPlans(dataDir),
    ...overrides,
  };
  void tableHolder.symbols;
  const isAboutPro = config.feedModel !== "flash" || config.roles.includes("score");
  const proPool = isAboutPro ? undefined : sharedPool;
  const app = stack.use(await startApp(config, { clock, log, stuckAfterMs, proPool }));
  const url = app.baseUrl;
  const call = (method: string, path: string, token: string | undefined, body?: unknown) =>
    fetch(url + path, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const admin = (method: string, path: string, body?: unknown) => call(method, path, adminToken, body);
  const owned = stack.move();
  return {
    app,
    url,
    adminToken,
    config,
    get: (path, key) => call("GET", path, key),
    admin,
    key: async (plan) => createdKey.parse(await (await admin("POST", "/admin/v1/keys", { plan })).json()),
    push: async (...items) =>
      pushAnswer.parse(await (await admin("POST", "/admin/v1/items", items)).json()).data,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** The plans that ship, with a thousand times their requests a minute: few tests are about that limit, all would meet it. */
function writeFastPlans(folder: string): string {
  const plans = planTable.parse(JSON.parse(readFileSync(settings.plansFile.fallback, "utf8")));
  const fast = Object.entries(plans).map(([name, plan]) => [
    name,
    { ...plan, requests_per_minute: 1_000 * plan.requests_per_minute },
  ]);
  const path = join(folder, "plans.json");
  writeFileSync(path, JSON.stringify(Object.fromEntries(fast)));
  return path;
}
