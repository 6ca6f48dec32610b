import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { createDatabase, postgresUrl } from "../support/db.ts";
import { startService } from "../support/service.ts";
import { refusal } from "../support/stream-client.ts";
import { connect, notice } from "../support/stream-connect.ts";

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(50);
}

const options = postgresUrl === null ? { skip: "no PostgreSQL" } : {};
test("streams of two processes on one database", options, async (context) => {
  await using database = await createDatabase();
  await using first = await startService("postgres", { databaseUrl: database.url });
  await using second = await startService("postgres", { databaseUrl: database.url });
  const { key } = await first.key("quant");

  await context.test("a client resumes on the one that is behind the one it comes from", async () => {
    await using from = await connect(first, key);
    await from.subscribe();
    for (let turn = 0; turn < 2; turn++) {
      await first.push(notice());
      const { cursor } = await from.next("feed");
      await using to = await connect(second, key);
      const subscribed = await to.subscribe({ after: cursor });
      assert.deepEqual([subscribed.resumed, subscribed.cursor], [true, cursor]);
      const next = notice();
      await first.push(next);
      const { cursor: newest } = await from.next("feed");
      const frame = await to.next("feed");
      assert.deepEqual([frame.data.title, frame.cursor], [next.title, newest]);
      await to.close();
    }
  });

  await context.test("streams still count after their process was taken for gone", async () => {
    const { key: free } = await first.key("free");
    await using held = await connect(first, free);
    const { key: starter } = await first.key("starter");
    await using kept = await connect(first, starter);
    const ended = await connect(first, starter);
    const db = new pg.Client({ connectionString: database.url });
    await db.connect();
    try {
      // What the others do after a process has not shown itself for some seconds.
      await db.query("delete from gateways");
      await db.query("delete from stream_slots");
      // A stream that ends, and signs of life that fail half-way, while the database does not answer.
      await db.query("alter table stream_slots rename to away");
      await ended.close();
      await until(async () => (await db.query("select from gateways")).rowCount === 2);
      await db.query("alter table away rename to stream_slots");
      await until(async () => (await db.query("select from stream_slots")).rowCount === 2);
    } finally {
      await db.end();
    }
    const { status } = await refusal(second.app.wsUrl, { key: free });
    assert.equal(status, 429);
    await held.settle();
    // One stream is left to the other account: one of its two has ended meanwhile.
    await using another = await connect(second, starter);
    assert.equal((await refusal(second.app.wsUrl, { key: starter })).status, 429);
    await Promise.all([kept.settle(), another.settle()]);
  });
});
