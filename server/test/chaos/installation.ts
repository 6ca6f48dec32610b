import assert from "node:assert/strict";
import { createdKey } from "@tapewire/contract/admin.ts";
import pg from "pg";
import { startApp } from "../../src/app/app.ts";
import { readConfig } from "../../src/config/config.ts";
import { systemClock } from "../../src/runtime/clock.ts";
import { silentLog } from "../../src/runtime/log.ts";
import { createDatabase, postgresUrl } from "../support/db.ts";
import { type NatsServer, startNats } from "../support/nats.ts";
import { spawnService, temporaryFolder, writeSources } from "../support/process.ts";
import { until } from "../support/receiver.ts";
import { admin } from "./admin.ts";
import { chaosEnv } from "./chaos-env.ts";
import { Deliveries } from "./deliveries.ts";
import { GrowingFeed } from "./growing-feed.ts";
import type { KnownLog } from "./tape-client.ts";
import { wholeLog } from "./whole-log.ts";

/** The processes, each named by its role. */
export const memberNames = ["ingest", "api-1", "api-2", "stream-1", "stream-2", "webhooks", "score"] as const;
export type MemberName = (typeof memberNames)[number];
export type Role = "ingest" | "api" | "stream" | "webhooks" | "score";

type Process = Awaited<ReturnType<typeof spawnService>>;

/** A part of the installation: a process, or a service in the process of the test. */
interface Member extends AsyncDisposable {
  readonly url: string;
  /** null: in the process of the test. */
  readonly process: Process | null;
}

interface Parts {
  readonly database: { readonly url: string };
  readonly nats: NatsServer;
  readonly feed: GrowingFeed;
  readonly deliveries: Deliveries;
  readonly env: Readonly<Record<string, string>>;
  readonly processes: readonly MemberName[];
  readonly owned: AsyncDisposable;
}

/** Each role by itself, on one PostgreSQL and one NATS. */
export class Installation implements AsyncDisposable {
  readonly nats: NatsServer;
  readonly feed: GrowingFeed;
  readonly deliveries: Deliveries;
  readonly #databaseUrl: string;
  readonly #env: Parts["env"];
  readonly #processes: readonly MemberName[];
  readonly #owned: AsyncDisposable;
  readonly #running = new Map<MemberName, Member>();
  /** What ended processes have said, which is errors only. */
  readonly #said: string[] = [];
  #pushes = 0;
  /** The process that was pushed to last. */
  lastAsked: MemberName = "api-1";
  key = "";

  private constructor({ database, nats, feed, deliveries, env, processes, owned }: Parts) {
    this.#databaseUrl = database.url;
    this.nats = nats;
    this.feed = feed;
    this.deliveries = deliveries;
    this.#env = env;
    this.#processes = processes;
    this.#owned = owned;
  }

  /** @param processes members that are processes of their own, to be killed; the others are in that of the test */
  static async start(processes: readonly MemberName[]): Promise<Installation> {
    await using stack = new AsyncDisposableStack();
    const { path: folder } = stack.use(temporaryFolder());
    const [database, nats] = [stack.use(await createDatabase()), stack.use(await startNats())];
    const [feed, deliveries] = [stack.use(await GrowingFeed.start()), stack.use(await Deliveries.start())];
    const env = {
      DATABASE_URL: database.url,
      NATS_URL: nats.url,
      ...chaosEnv(folder),
      TAPEWIRE_SOURCES: writeSources(folder, [feed.source]),
      TAPEWIRE_SCORE_THREADS: "1",
    };
    await using made = new AsyncDisposableStack();
    const installation = made.use(
      new Installation({ database, nats, feed, deliveries, env, processes, owned: stack.move() }),
    );
    await Promise.all(memberNames.map((name) => installation.revive(name)));
    const answer = await admin(installation.url("api-1"), "POST", "/admin/v1/keys", { plan: "enterprise" });
    installation.key = createdKey.parse(await answer.json()).key;
    made.move();
    return installation;
  }

  url(name: MemberName): string {
    return this.#running.get(name)?.url ?? "http://127.0.0.1:1";
  }

  runs(name: MemberName): boolean {
    return this.#running.has(name);
  }

  /** Whether it can be killed. */
  isProcess(name: MemberName): boolean {
    return this.#processes.includes(name);
  }

  /** Each push goes to the next process with the role api. */
  push(items: readonly object[]): Promise<Response> {
    this.lastAsked = this.#pushes++ % 2 === 0 ? "api-1" : "api-2";
    return admin(this.url(this.lastAsked), "POST", "/admin/v1/items", items);
  }

  /** @returns its exit code; null after SIGKILL */
  async end(name: MemberName, signal: "SIGKILL" | "SIGTERM"): Promise<number | null> {
    const process = this.#running.get(name)?.process ?? null;
    assert.ok(process !== null, `${name} does not run as a process`);
    this.#running.delete(name);
    const code = await process.end(signal);
    this.#keepWords(name, process);
    return code;
  }

  /** SIGSTOP and SIGCONT: a machine that stands still for a time, a container that is paused. */
  signal(name: MemberName, signal: "SIGSTOP" | "SIGCONT"): void {
    this.#running.get(name)?.process?.child.kill(signal);
  }

  async revive(name: MemberName): Promise<void> {
    const env = { ...this.#env, TAPEWIRE_ROLES: name.replace(/-\d$/, "") };
    this.#running.set(name, await (this.isProcess(name) ? spawned(env) : inThisProcess(env)));
  }

  /** Ends every session on the database, as a failover or a pooler's restart does. @returns how many */
  async dropConnections(): Promise<number> {
    const admin = new pg.Client({ connectionString: postgresUrl ?? "" });
    await admin.connect();
    try {
      const { rowCount } = await admin.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1",
        [new URL(this.#databaseUrl).pathname.slice(1)],
      );
      return rowCount ?? 0;
    } finally {
      await admin.end();
    }
  }

  log(): Promise<KnownLog> {
    return wholeLog(this.#databaseUrl);
  }

  /** All processes live, and say that they are ready. */
  async isWhole(withinMs: number): Promise<void> {
    for (const name of memberNames) {
      const member = this.#running.get(name);
      assert.ok(member !== undefined && !hasEnded(member), `${name} has ended`);
      const isReady = async () => (await fetch(`${member.url}/readyz`).catch(() => null))?.status === 200;
      await until(isReady, `${name} is ready`, withinMs);
    }
  }

  /** Lines that the processes wrote at the level error. */
  get said(): readonly string[] {
    for (const [name, { process }] of this.#running) if (process !== null) this.#keepWords(name, process);
    return this.#said;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#running.values()].map((member) => member[Symbol.asyncDispose]()));
    await this.#owned[Symbol.asyncDispose]();
  }

  #keepWords(name: MemberName, { output }: Process): void {
    for (const line of output().split("\n"))
      if (/"level":"?(error|fatal|50|60)|\b(ERROR|FATAL|error)\b/.test(line))
        this.#said.push(`${name}: ${line}`);
  }
}

async function spawned(env: Record<string, string>): Promise<Member> {
  const process = await spawnService(env);
  return { url: process.url, process, [Symbol.asyncDispose]: () => process[Symbol.asyncDispose]() };
}

async function inThisProcess(env: Record<string, string>): Promise<Member> {
  const app = await startApp({ ...readConfig(env), port: 0 }, { clock: systemClock, log: silentLog });
  return { url: app.baseUrl, process: null, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
}

function hasEnded({ process }: Member): boolean {
  return process !== null && (process.child.exitCode !== null || process.child.signalCode !== null);
}
