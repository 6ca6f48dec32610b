import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { Peers } from "../../src/itemlog/peers.ts";
import { systemClock as clock } from "../../src/runtime/clock.ts";
import { createLog } from "../../src/runtime/log.ts";
import { migrate } from "../../src/store/schema/migrate.ts";
import { onPostgres, testDb } from "../support/db.ts";

const log = createLog("silent");

onPostgres("a process is alone until another may write, and again when that has ended", async () => {
  await using db = await testDb("postgres");
  await migrate(db);
  const first = await Peers.start({ db, clock, log });
  try {
    await first.known();
    assert.equal(first.alone, true);
    const second = await Peers.start({ db, clock, log });
    await second.known();
    assert.equal(first.alone, false);
    assert.equal(second.alone, false);
    await second[Symbol.asyncDispose]();
    while (!first.alone) await sleep(20);
  } finally {
    await first[Symbol.asyncDispose]();
  }
});

onPostgres("others have the whole time to hear of a process whose announcement was slow", async () => {
  await using db = await testDb("postgres");
  await migrate(db);
  const first = await Peers.start({ db, clock, log });
  await first.known();
  const locked = Promise.withResolvers<void>();
  const slow = db.main.transaction().execute(async (tx) => {
    await sql`lock table processes in exclusive mode`.execute(tx);
    locked.resolve();
    await sleep(700);
  });
  await locked.promise;
  const second = await Peers.start({ db, clock, log });
  await slow;
  const announcedMs = performance.now();
  await second.known();
  // Longer than a look of another process that found nobody stays valid.
  assert.ok(performance.now() - announcedMs > 400);
  assert.equal(first.alone, false);
  await second[Symbol.asyncDispose]();
  await first[Symbol.asyncDispose]();
});

onPostgres(
  "a process that knows of another looks for others as seldom as it gives a sign of life",
  async () => {
    await using db = await testDb("postgres");
    await migrate(db);
    let looks = 0;
    const main = new Proxy(db.main, {
      get: (target, name, receiver) => {
        if (name === "selectFrom") looks += 1;
        const value: unknown = Reflect.get(target, name, receiver);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    await using second = await Peers.start({ db, clock, log });
    await using first = await Peers.start({ db: { ...db, main }, clock, log });
    while (second.alone) await sleep(20);
    const before = looks;
    await sleep(1_500);
    assert.equal(first.alone, false);
    assert.ok(looks - before <= 1, `${looks - before} looks`);
  },
);
