import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { Peers } from "../../src/itemlog/peers.ts";
import { type Clock, systemClock as clock } from "../../src/runtime/clock.ts";
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

onPostgres("a process that found no other waits for none, and one that comes then knows of it", async () => {
  await using db = await testDb("postgres");
  await migrate(db);
  let sleeps = 0;
  const counted: Clock = {
    ...clock,
    sleep: (...args) => {
      sleeps += 1;
      return clock.sleep(...args);
    },
  };
  await using first = await Peers.start({ db, clock: counted, log });
  await first.known();
  assert.equal(sleeps, 0);
  await using second = await Peers.start({ db, clock: counted, log });
  assert.equal(second.alone, false);
  await second.known();
  assert.equal(sleeps, 1);
  assert.equal(first.alone, false);
});

onPostgres(
  "of processes that start at once none takes itself for alone while another may write",
  async () => {
    await using db = await testDb("postgres");
    await migrate(db);
    for (let round = 0; round < 4; round++) {
      await using stack = new AsyncDisposableStack();
      const started: Peers[] = [];
      await Promise.all(
        Array.from({ length: 4 }, async () => {
          const one = stack.use(await Peers.start({ db, clock, log }));
          started.push(one);
          await one.known();
          const others = started.filter((other) => other !== one);
          assert.deepEqual(
            others.filter(({ alone }) => alone),
            [],
          );
        }),
      );
    }
  },
);

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
