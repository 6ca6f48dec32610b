/**
 * What a notice costs the writers of a PostgreSQL: commits with NOTIFY inside them, with notices sent after them on another
 * connection, one at a time and without waiting for the disk, and without notices. Each writer has a log of its own, as several installations on one cluster have, so that
 * nothing but the lock of NOTIFY makes them wait for one another. Two sessions listen.
 *
 *   node bench/notices.ts            PostgreSQL at TEST_DATABASE_URL or 127.0.0.1:5432
 */
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { createDatabase } from "../server/test/support/db.ts";
import { percentiles } from "./pushes.ts";
import { machineLine } from "./server-process.ts";

const writerCounts = [1, 4];
const perWayMs = 3_000;
const rounds = 2;
const listenerCount = 2;
const doc = "x".repeat(1_500);

const ways = ["none", "inside", "after"] as const;
type Way = (typeof ways)[number];

await using database = await createDatabase({ migrated: false });
await using stack = new AsyncDisposableStack();

async function session(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  stack.defer(() => client.end());
  return client;
}

/** Sends one notice at a time: what is wanted meanwhile shares the next. */
function notifier(client: pg.Client) {
  let wanted = 0;
  let sent = 0;
  let sending = Promise.resolve();
  const send = async () => {
    while (sent < wanted) {
      sent = wanted;
      await client.query("select set_config('synchronous_commit', 'off', true), pg_notify('log', $1)", [
        String(sent),
      ]);
    }
  };
  return {
    notify: () => {
      const isIdle = sent === wanted;
      wanted += 1;
      if (isIdle) sending = sending.then(send);
    },
    ended: () => sending,
  };
}

interface Writer {
  readonly client: pg.Client;
  readonly notices: ReturnType<typeof notifier>;
}

async function writeOn(
  { client, notices }: Writer,
  { n, way, until }: { n: number; way: Way; until: number },
) {
  const times: number[] = [];
  while (performance.now() < until) {
    const began = performance.now();
    await client.query("begin");
    await client.query(`update head_${n} set seq = seq + 1`);
    await client.query(`insert into entries_${n} values ($1)`, [doc]);
    if (way === "inside") await client.query("select pg_notify('log', $1)", [String(times.length)]);
    await client.query("commit");
    times.push(performance.now() - began);
    if (way === "after") notices.notify();
  }
  await notices.ended();
  return times;
}

console.log(machineLine());
for (let n = 0; n < listenerCount; n++) await (await session()).query("listen log");
const writers = await Promise.all(
  Array.from({ length: Math.max(...writerCounts) }, async () => ({
    client: await session(),
    notices: notifier(await session()),
  })),
);
for (const [n, { client }] of writers.entries())
  await client.query(
    `create table head_${n} (seq bigint); insert into head_${n} values (0); create table entries_${n} (doc text)`,
  );
console.log("\nwriters  notice     commits/s   commit p50   p99 ms");
for (const count of writerCounts) {
  const found = new Map<Way, number[]>(ways.map((way) => [way, []]));
  for (let round = 0; round < rounds; round++)
    for (const way of ways) {
      const until = performance.now() + perWayMs;
      const times = await Promise.all(
        writers.slice(0, count).map((writer, n) => writeOn(writer, { n, way, until })),
      );
      found.get(way)?.push(...times.flat());
      await pause(100);
    }
  for (const [way, times] of found) {
    const { p50, p99 } = percentiles(times);
    const rate = times.length / ((rounds * perWayMs) / 1_000);
    console.log(
      `${String(count).padEnd(8)} ${way.padEnd(8)} ${rate.toFixed(0).padStart(11)} ${p50.toFixed(2).padStart(12)} ${p99.toFixed(2).padStart(8)}`,
    );
  }
}
