import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import { SharedHostGates } from "../../../src/ingest/fetch/host-gates.ts";
import {
  claimSources,
  registerSources,
  releaseLease,
  renewLease,
  savePoll,
} from "../../../src/store/intake/sources.ts";
import { createDatabase, onBothEngines, onPostgres, testDb } from "../../support/db.ts";
import { listenLocally } from "../../support/http.ts";
import { temporaryFolder, writeSources } from "../../support/process.ts";
import { startService } from "../../support/service.ts";
import { sourceState } from "../../support/sources.ts";

const never = new AbortController().signal;
const own = { requestsPerS: 20, isStranger: false };

onBothEngines(
  "a source is polled by one process at a time, and by another when that one dies",
  async (_, engine) => {
    await using db = await testDb(engine);
    const sources = ["one", "two", "three"];
    const claim = async (leaseMs = 60_000, limit = 2) => {
      const claimed = await claimSources(db.main, { sources, limit, leaseMs });
      return new Map(claimed.map(({ id, lease_owner }) => [id, lease_owner ?? ""]));
    };
    const ids = (claimed: ReadonlyMap<string, string>) => [...claimed.keys()].sort();
    await registerSources(db.main, sources);
    const ofA = await claim();
    const ofB = await claim();
    assert.deepEqual([ofA.size, ofB.size], [2, 1]);
    assert.deepEqual([...ids(ofA), ...ids(ofB)].sort(), ["one", "three", "two"]);
    assert.equal((await claim()).size, 0, "all are taken");
    const dead = [...ofA.keys()];
    await sql`update sources set lease_until = now() - interval '1 s' where id = any(${dead}::text[])`.execute(
      db.main,
    );
    const taken = await claim();
    assert.deepEqual(ids(taken), ids(ofA), "the leases of a dead process have ended");

    const [id = ""] = ids(ofA);
    const result = { id, tookMs: 5, nextPollInMs: 60_000, error: null, walking: false };
    const stale = ofA.get(id) ?? "";
    assert.equal(await renewLease(db.main, { id, lease: stale, leaseMs: 60_000 }), false);
    await savePoll(db.main, { ...result, lease: stale });
    assert.equal(
      (await sourceState(db.main, id))?.last_poll_at,
      null,
      "whoever lost the lease saves nothing",
    );
    await savePoll(db.main, { ...result, lease: taken.get(id) ?? "" });
    assert.ok((await sourceState(db.main, id))?.last_poll_at instanceof Date);
    const [, failing = ""] = ids(taken);
    const failed = { ...result, id: failing, lease: taken.get(failing) ?? "", nextPollInMs: 0 };
    await savePoll(db.main, { ...failed, error: "a".repeat(31_000) });
    assert.equal((await sourceState(db.main, failing))?.last_error?.length, 1_000);
    for (const lease of [...taken.values(), ...ofB.values()]) await releaseLease(db.main, lease);
    assert.equal((await claim(60_000, 9)).size, 2, "all but the one that is not due");
  },
);

onBothEngines("turns at a host keep its pace over all processes", async (_, engine) => {
  await using db = await testDb(engine);
  const processes = [new SharedHostGates(db), new SharedHostGates(db), new SharedHostGates(db)];
  const startedMs = performance.now();
  const visit = async (gates: SharedHostGates) => (await gates.enter("host:80", own, never))();
  await Promise.all(processes.flatMap((gates) => [visit(gates), visit(gates), visit(gates)]));
  // Nine turns, 50 ms apart, the first at once.
  assert.ok(performance.now() - startedMs > 8 * 50 - 5);
});

onBothEngines("a host that asks for quiet gets it from every process", async (_, engine) => {
  await using db = await testDb(engine);
  await new SharedHostGates(db).pause("host:80", 60_000, own);
  await assert.rejects(new SharedHostGates(db).enter("host:80", own, never), /asked to wait/);
  (await new SharedHostGates(db).enter("other:80", own, never))();
});

test("one that gives up waiting hands its turn on", async () => {
  await using db = await testDb("pglite");
  const gates = new SharedHostGates(db);
  const first = await gates.enter("host:80", own, never);
  const impatient = gates.enter("host:80", own, AbortSignal.timeout(20));
  const patient = gates.enter("host:80", own, never);
  await assert.rejects(impatient, /timeout/i);
  first();
  (await patient)();
});

onPostgres(
  "four services share the sources: no poll too many, no host asked faster than it allows",
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
    for (const folder of folders)
      stack.use(
        await startService("postgres", {
          roles: ["ingest"],
          sourcesFile: writeSources(folder.path, sources),
          databaseUrl: database.url,
        }),
      );
    while ([...polls.values()].some((times) => times.length < 4) || polls.size < names.length)
      await delay(50);

    for (const [path, times] of polls)
      for (const [index, at] of times.slice(1).entries()) {
        const gapMs = at - (times[index] ?? 0);
        assert.ok(gapMs > 0.75 * intervalMs, `${path} was asked again after ${Math.round(gapMs)} ms`);
      }
    const all = [...polls.values()].flat().sort((a, b) => a - b);
    for (const from of all) {
      // Over three seconds: a loaded machine delivers late what was sent in time.
      const within = all.filter((at) => at >= from && at < from + 3_000).length;
      assert.ok(within <= 3 * requestsPerS + 3, `${within} requests within three seconds`);
    }
  },
);
