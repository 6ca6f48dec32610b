import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { Scheduler } from "../../../src/ingest/polling/scheduler.ts";
import { claimSources, registerSources } from "../../../src/store/intake/sources.ts";
import { anyEngine, testDb } from "../../support/db.ts";
import { listenLocally } from "../../support/http.ts";
import { pollingOf } from "../../support/polls.ts";

const entry = (id: string, url: string) => ({ id, name: id, provider: "p", format: "feed" as const, url });

test("a silent host with hundreds of sources keeps nobody else from being polled", async () => {
  await using db = await testDb(anyEngine);
  let asked = 0;
  await using silent = await listenLocally(() => {
    asked += 1;
  });
  const { promise: polled, resolve } = Promise.withResolvers<void>();
  await using honest = await listenLocally((_, response) => {
    resolve();
    response.end("<rss><channel><title>t</title></channel></rss>");
  });
  const crowd = Array.from({ length: 300 }, (_, n) => entry(`silent-${n}`, `${silent.origin}/${n}`));
  const sources = [...crowd, entry("honest", `${honest.origin}/feed`)];
  await using polling = pollingOf(db, sources, "2026-03-02T12:00:00Z");
  await registerSources(
    db.main,
    sources.map(({ id }) => id),
  );
  // The others, never polled, are due before it.
  await sql`update sources set next_poll_at = now() where id = 'honest'`.execute(db.main);
  const stop = new AbortController();
  const running = new Scheduler(polling.deps, polling.deps.sources).run(stop.signal);
  await polled;
  assert.ok(asked <= 16, `${asked} at once at one host`);
  stop.abort();
  await running;
});

test("of a host as many sources are claimed as it has room for, the longest due first", async () => {
  await using db = await testDb(anyEngine);
  const ids = ["a1", "a2", "a3", "b1", "c1"];
  await registerSources(db.main, ids);
  await sql`update sources set next_poll_at = now() - interval '1 h' where id = 'a3'`.execute(db.main);
  await sql`update sources set next_poll_at = now() - interval '1 s' where id <> 'a3'`.execute(db.main);
  const rooms: Readonly<Record<string, number>> = { a: 2, b: 1, c: 0 };
  const hosts = ids.map(([host = ""]) => ({ host, room: rooms[host] ?? 0 }));
  const claimed = await claimSources(db.main, { sources: ids, hosts, limit: 9, leaseMs: 60_000 });
  assert.deepEqual(claimed.map(({ id }) => id).sort(), ["a1", "a3", "b1"]);
});
