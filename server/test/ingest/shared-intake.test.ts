import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { SharedHostGates } from "../../src/ingest/host-gates.ts";
import {
  claimSources,
  registerSources,
  releaseLeases,
  savePoll,
  sourceState,
} from "../../src/store/sources.ts";
import { createDatabase, onBothEngines, onPostgres, testDb } from "../support/db.ts";
import { listenLocally } from "../support/http.ts";
import { spawnService, temporaryFolder, writeSources } from "../support/process.ts";

const never = new AbortController().signal;
const processA = "00000000-0000-4000-8000-00000000000a";
const processB = "00000000-0000-4000-8000-00000000000b";

onBothEngines(
  "a source is polled by one process at a time, and by another when that one dies",
  async (_, engine) => {
    await using db = await testDb(engine);
    const sources = ["one", "two", "three"];
    const claim = (owner: string, leaseMs = 60_000, limit = 2) =>
      claimSources(db.main, { owner, sources, limit, leaseMs }).then((claimed) =>
        claimed.map(({ id }) => id).sort(),
      );
    await registerSources(db.main, sources);
    const ofA = await claim(processA, 80);
    const ofB = await claim(processB);
    assert.deepEqual([ofA.length, ofB.length], [2, 1]);
    assert.deepEqual([...ofA, ...ofB].sort(), ["one", "three", "two"]);
    assert.deepEqual(await claim(processA), [], "all are taken");
    await delay(120);
    assert.deepEqual(await claim(processB), ofA, "the leases of a dead process have ended");

    const [id = ""] = ofA;
    const result = { id, nextPollInMs: 60_000, error: null, walking: false };
    await savePoll(db.main, { ...result, owner: processA });
    assert.equal(
      (await sourceState(db.main, id))?.last_poll_at,
      null,
      "whoever lost the lease saves nothing",
    );
    await savePoll(db.main, { ...result, owner: processB });
    assert.ok((await sourceState(db.main, id))?.last_poll_at instanceof Date);
    await releaseLeases(db.main, processB);
    assert.equal((await claim(processA, 60_000, 9)).length, 2, "all but the one that is not due");
  },
);

onBothEngines("turns at a host keep its pace over all processes", async (_, engine) => {
  await using db = await testDb(engine);
  const processes = [new SharedHostGates(db), new SharedHostGates(db), new SharedHostGates(db)];
  const starts: number[] = [];
  const visit = async (gates: SharedHostGates) => {
    const release = await gates.enter("host:80", 20, never);
    starts.push(performance.now());
    release();
  };
  await Promise.all(processes.flatMap((gates) => [visit(gates), visit(gates), visit(gates)]));
  starts.sort((a, b) => a - b);
  const gaps = starts.slice(1).map((at, index) => at - (starts[index] ?? 0));
  // Timers end up to a millisecond early or late; the turns themselves are 50 ms apart.
  const tooClose = gaps.filter((gap) => gap < 30);
  assert.deepEqual(tooClose, [], `gaps ${gaps.map(Math.round)}`);
});

onBothEngines("a host that asks for quiet gets it from every process", async (_, engine) => {
  await using db = await testDb(engine);
  await new SharedHostGates(db).pause("host:80", 60_000);
  await assert.rejects(new SharedHostGates(db).enter("host:80", 20, never), /asked for quiet/);
  (await new SharedHostGates(db).enter("other:80", 20, never))();
});

test("one that gives up waiting hands its turn on", async () => {
  await using db = await testDb("pglite");
  const gates = new SharedHostGates(db);
  const first = await gates.enter("host:80", 100, never);
  const impatient = gates.enter("host:80", 100, AbortSignal.timeout(20));
  const patient = gates.enter("host:80", 100, never);
  await assert.rejects(impatient, /timeout/i);
  first();
  (await patient)();
});

onPostgres(
  "four processes share the sources: no poll too many, no host asked faster than it allows",
  async () => {
    const polls = new Map<string, number[]>();
    const item = (path: string, n: number) =>
      `<item><title>Brandmoor notice ${path} ${n}</title><guid>${path}-${n}</guid></item>`;
    await using host = await listenLocally((request, response) => {
      const path = request.url ?? "";
      const seen = polls.get(path) ?? [];
      polls.set(path, [...seen, performance.now()]);
      const items = Array.from({ length: seen.length + 1 }, (_, n) => item(path, n)).reverse();
      response.end(`<rss version="2.0"><channel><title>t</title>${items.join("")}</channel></rss>`);
    });
    const names = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta"];
    const intervalMs = 2_000;
    const requestsPerS = 5;
    await using database = await createDatabase();
    await using stack = new AsyncDisposableStack();
    const folders = Array.from({ length: 4 }, () => stack.use(temporaryFolder()));
    const sources = names.map((id) => ({
      id,
      name: id,
      provider: "recorded",
      format: "feed",
      url: `${host.origin}/${id}`,
      interval_s: intervalMs / 1000,
      requests_per_s: requestsPerS,
    }));
    const services = await Promise.all(
      folders.map((folder) =>
        spawnService({
          TAPEWIRE_DATA_DIR: folder.path,
          TAPEWIRE_ROLES: "ingest",
          TAPEWIRE_SOURCES: writeSources(folder.path, sources),
          DATABASE_URL: database.url,
        }),
      ),
    );
    for (const service of services) stack.use(service);
    while ([...polls.values()].some((times) => times.length < 6) || polls.size < names.length)
      await delay(50);

    for (const [path, times] of polls)
      for (const [index, at] of times.slice(1).entries()) {
        const gapMs = at - (times[index] ?? 0);
        assert.ok(gapMs > 0.75 * intervalMs, `${path} was asked again after ${Math.round(gapMs)} ms`);
      }
    const all = [...polls.values()].flat().sort((a, b) => a - b);
    for (const from of all) {
      const within = all.filter((at) => at >= from && at < from + 1_000).length;
      assert.ok(within <= requestsPerS + 1, `${within} requests within a second`);
    }
  },
);
