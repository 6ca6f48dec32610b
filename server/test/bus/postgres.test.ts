import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { createDatabase, onPostgres } from "../support/db.ts";
import { deafProxy } from "../support/deaf-proxy.ts";
import { until } from "../support/receiver.ts";
import { startService } from "../support/service.ts";
import { connect, notices, titles } from "../support/stream-connect.ts";
import { busOf, isConnected } from "./support.ts";

/** Ends the sessions that listen. @returns how many */
async function endListeners(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const found = await client.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'listen %'",
    );
    return found.rowCount ?? 0;
  } finally {
    await client.end();
  }
}

onPostgres(
  "a session that listens is ended again and again under 200 pushes: none lost, none doubled",
  async () => {
    await using database = await createDatabase();
    await using first = await startService("postgres", { databaseUrl: database.url });
    await using second = await startService("postgres", { databaseUrl: database.url });
    await Promise.all([first, second].map(isConnected));
    const { key } = await first.key("quant");
    await using client = await connect(second, key);
    await client.subscribe();
    const wanted = notices(200);
    let ended = 0;
    const ending = (async () => {
      for (let round = 0; round < 4; round++) {
        ended += await endListeners(database.url);
        await sleep(150);
      }
    })();
    for (const one of wanted) await first.push(one);
    await ending;
    assert.ok(ended >= 2, "both sessions were ended at least once");
    assert.deepEqual(titles(await client.feeds(200)), titles(wanted.map((data) => ({ data }))));
    await client.settle();
    await Promise.all([first, second].map(isConnected));
  },
);

onPostgres(
  "behind a connection that hears no notices polling delivers, and the service says so",
  async () => {
    await using database = await createDatabase();
    await using proxy = await deafProxy(database.url);
    await using first = await startService("postgres", { databaseUrl: database.url });
    await using second = await startService("postgres", { databaseUrl: proxy.url });
    await until(() => proxy.withheld > 0, "a notice of its own that it does not hear");
    await isConnected(first);
    const { key } = await first.key("quant");
    await using client = await connect(second, key);
    await client.subscribe();
    const wanted = notices(5);
    for (const one of wanted) await first.push(one);
    assert.deepEqual(titles(await client.feeds(5)), titles(wanted.map((data) => ({ data }))));
    assert.deepEqual(await busOf(second), { name: "postgres", connected: false });
  },
);
