import assert from "node:assert/strict";
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { WebhookFilters } from "@tapewire/contract/filter.ts";
import { silentLog } from "../../src/runtime/log.ts";
import { openDb } from "../../src/store/engine/db.ts";
import { migrate } from "../../src/store/schema/migrate.ts";
import { createDatabase, type EngineName, onBothEngines, seedDataDir } from "../support/db.ts";
import { isFull } from "../support/full-length.ts";
import type { Facts } from "../support/items.ts";
import { plainly, temporaryFolder } from "../support/process.ts";
import { type Behaviour, type Received, startReceivers, until } from "../support/receiver.ts";
import type { Command } from "../support/webhook-worker.ts";
import { type Counts, makeAccount, makeEndpoint } from "../support/webhooks.ts";

/** One kill in every run; 20,000 items and five kills with TAPEWIRE_CHAOS=full. */
const size = isFull ? { items: 20_000, kills: 5 } : { items: 300, kills: 1 };
const batchItems = 100;
const symbols = 40;
const script = join(import.meta.dirname, "..", "support", "webhook-worker.ts");

interface Role {
  readonly count: number;
  readonly filters: (n: number) => WebhookFilters;
  readonly behaviour: Behaviour;
}

const later = (status: number, ms: number) =>
  new Promise<number>((resolve) => setTimeout(resolve, ms, status));
const some = (n: number) => ({ symbols: [`DEMO:S${n % symbols}`, `DEMO:S${(n + 7) % symbols}`] });

/** Failures stay too few to open a breaker, whose pauses are longer than this test. */
const roles: Readonly<Record<string, Role>> = {
  quick: { count: 7, filters: () => ({}), behaviour: () => 204 },
  picky: { count: 7, filters: some, behaviour: () => 200 },
  slow: { count: 3, filters: some, behaviour: () => later(200, 150) },
  failing: { count: 2, filters: () => ({}), behaviour: failsOnce() },
  dead: { count: 1, filters: () => ({}), behaviour: () => 503 },
};

function failsOnce(): Behaviour {
  const failed = new Set<string>();
  return ({ id, seq }) => {
    if (seq % 6 !== 0 || failed.has(id)) return 204;
    failed.add(id);
    return 500;
  };
}

const factsOf = (n: number): Facts => ({ uniqueId: `guid:crash:${n}`, symbols: [`DEMO:S${n % symbols}`] });

onBothEngines("through killed workers every endpoint gets all it is owed", async (_, engine: EngineName) => {
  await using stack = new AsyncDisposableStack();
  const { items, kills } = size;
  const behaviours: Record<string, Behaviour> = {};
  const plan = Object.entries(roles).flatMap(([role, { count, filters, behaviour }]) =>
    Array.from({ length: count }, (__, n) => {
      behaviours[`/${role}/${n}`] = behaviour;
      return { role, path: `/${role}/${n}`, filters: filters(n) };
    }),
  );
  const receivers = stack.use(await startReceivers(behaviours));
  const where = await place(engine, stack);
  const endpoints = await withDatabase(where, async (db) => {
    const accountId = await makeAccount(db);
    const made: ((typeof plan)[number] & { id: string })[] = [];
    for (const one of plan)
      made.push({ ...one, ...(await makeEndpoint(db, { accountId, url: receivers.url(one.path), ...one })) });
    return made;
  });

  let worker = await Worker.start(where);
  stack.defer(() => worker.kill());
  const batches = items / batchItems;
  const killAt = new Set(
    Array.from({ length: kills }, (__, n) => Math.floor(((n + 1) * batches) / (kills + 1))),
  );
  for (let batch = 0; batch < batches; batch++) {
    const append = Array.from({ length: batchItems }, (__, n) => factsOf(batch * batchItems + n));
    const appended = worker.ask({ append });
    if (killAt.has(batch)) {
      await worker.kill();
      worker = await Worker.start(where);
      await worker.ask({ append });
    } else await appended;
  }
  const owed = (filters: WebhookFilters) =>
    Array.from({ length: items }, (__, n) => n)
      .filter((n) => filters.symbols?.includes(`DEMO:S${n % symbols}`) ?? true)
      .map((n) => n + 1);
  const ids = endpoints.map(({ id }) => id);
  let counts: Counts[] = [];
  await until(
    async () => {
      counts = await worker.counts(ids);
      return endpoints.every(
        ({ role, filters }, at) => role === "dead" || counts[at]?.delivered === owed(filters).length,
      );
    },
    "everything delivered",
    isFull ? 300_000 : 30_000,
  );
  await worker.end();
  for (const [at, { role, path, filters }] of endpoints.entries()) {
    const { matched, delivered, due, dead, failed, expired } = counts[at] ?? assert.fail();
    assert.equal(matched, owed(filters).length, `${path} matched`);
    if (role === "dead") {
      assert.equal(delivered, 0);
      assert.ok(due + dead < 60, `${due + dead} rows for a dead endpoint`);
      continue;
    }
    assert.deepEqual(
      { delivered, due, dead, failed, expired },
      { delivered: matched, due: 0, dead: 0, failed: 0, expired: 0 },
    );
    assertComplete(receivers.at(path), owed(filters), path);
  }
});

/** All, repeats with the same id, and first comings in order but for the four that are under way at a time. */
function assertComplete(received: readonly Received[], owed: readonly number[], path: string): void {
  const first = new Map<number, string>();
  for (const { seq, id } of received) {
    assert.equal(first.get(seq) ?? id, id, `${path}: ids of ${seq}`);
    if (!first.has(seq)) first.set(seq, id);
  }
  const came = [...first.keys()];
  assert.deepEqual(
    came.toSorted((a, b) => a - b),
    owed,
    path,
  );
  assert.equal(new Set(first.values()).size, owed.length, `${path}: one id an item`);
  const place = new Map(owed.map((seq, at) => [seq, at]));
  for (const [at, seq] of came.entries())
    assert.ok((place.get(seq) ?? 0) - at < 4, `${path}: ${seq} came too early`);
}

async function place(engine: EngineName, stack: AsyncDisposableStack): Promise<string> {
  if (engine === "postgres") return stack.use(await createDatabase()).url;
  const folder = stack.use(temporaryFolder());
  await seedDataDir(folder.path);
  return folder.path;
}

async function withDatabase<T>(where: string, work: (db: Awaited<ReturnType<typeof openDb>>) => Promise<T>) {
  const databaseUrl = where.startsWith("postgres") ? where : null;
  await using db = await openDb({ databaseUrl, dataDir: where, log: silentLog });
  await migrate(db);
  return await work(db);
}

class Worker {
  readonly #child: ChildProcess;
  readonly #ended: Promise<null>;

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.#ended = once(child, "exit").then(() => null);
  }

  static async start(where: string): Promise<Worker> {
    const child = fork(script, [where], {
      execArgv: plainly,
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    const worker = new Worker(child);
    assert.ok(await worker.#next(), "it starts");
    return worker;
  }

  /** @returns what it answers; null when it was killed before */
  async ask(command: Command): Promise<unknown> {
    this.#child.send(command, () => {});
    return this.#next();
  }

  async counts(ids: readonly string[]): Promise<Counts[]> {
    const answered = await this.ask({ countsOf: ids });
    return Array.isArray(answered) ? answered : [];
  }

  async end(): Promise<void> {
    await this.ask({ end: true });
    await this.#ended;
  }

  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#ended;
  }

  #next(): Promise<unknown> {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    this.#child.once("message", resolve);
    void this.#ended.then(resolve);
    return promise;
  }
}
