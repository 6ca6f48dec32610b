import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { type AccountUnits, RealtimeQuota } from "../../src/account/realtime-quota.ts";
import { Usage } from "../../src/account/usage.ts";
import { systemClock as clock } from "../../src/runtime/clock.ts";
import { createLog } from "../../src/runtime/log.ts";
import { migrate } from "../../src/store/schema/migrate.ts";
import { onPostgres, testDb } from "../support/db.ts";
import { makeAccount } from "../support/webhooks.ts";

const log = createLog("silent");
/** Longer than units stay leased without use. */
const idleMs = 2_500;

/** The quotas of two processes on one database. */
async function twoProcesses() {
  await using stack = new AsyncDisposableStack();
  const db = stack.use(await testDb("postgres"));
  await migrate(db);
  const accountId = await makeAccount(db);
  const quota = () => {
    const usage = stack.use(new Usage({ db: db.main, clock, log }));
    return stack.use(new RealtimeQuota({ db: db.main, clock, log, usage }));
  };
  const [first, second] = [quota(), quota()];
  const owned = stack.move();
  return { first, second, accountId, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** Up to `count` units of the account; fewer: the cap is used up. */
async function take(account: AccountUnits, count: number, cap: number | null): Promise<number[]> {
  const taken: number[] = [];
  while (taken.length < count) {
    const units = account.take(cap, count - taken.length);
    if (units === "spent") break;
    if (units === "wait") await account.leased();
    else taken.push(...Array.from({ length: units.count }, (_, n) => units.first + n));
  }
  return taken;
}

onPostgres(
  "what a process has leased and does not use, another gives out before the cap is used up",
  async () => {
    await using processes = await twoProcesses();
    const [first, second] = [
      processes.first.of(processes.accountId),
      processes.second.of(processes.accountId),
    ];
    const early = await take(first, 301, 1_000);
    await sleep(idleMs);
    const late = await take(second, 1_000, 1_000);
    assert.deepEqual(
      [...early, ...late],
      Array.from({ length: 1_000 }, (_, n) => n + 1),
    );
    assert.equal(first.take(1_000, 1), "wait");
    await first.leased();
    assert.equal(first.take(1_000, 1), "spent");
  },
);

onPostgres(
  "without a cap the count follows what other processes have delivered, not what they hold",
  async () => {
    await using processes = await twoProcesses();
    const { first, second, accountId } = processes;
    await take(first.of(accountId), 20_000, null);
    await sleep(idleMs);
    assert.deepEqual(await take(second.of(accountId), 3, null), [20_001, 20_002, 20_003]);
    assert.equal(await second.usedToday(accountId), 20_003);
  },
);

onPostgres("leases that others' follow are kept, and used when items come again", async () => {
  await using processes = await twoProcesses();
  const [first, second] = [processes.first.of(processes.accountId), processes.second.of(processes.accountId)];
  const early = await take(first, 301, null);
  const between = await take(second, 1, null);
  await sleep(idleMs);
  const late = await take(first, 1, null);
  assert.deepEqual([early.at(-1), late], [301, [302]]);
  assert.ok((between[0] ?? 0) > 302);
});

onPostgres("what cannot be given back is used, whatever comes while that is tried", async () => {
  await using processes = await twoProcesses();
  const { accountId } = processes;
  const [first, second] = [processes.first.of(accountId), processes.second.of(accountId)];
  const given = [...(await take(first, 301, 1_000)), ...(await take(second, 1_000, 1_000))];
  // Two streams that end, and one that begins.
  for (let n = 0; n < 2; n++) processes.first.release(accountId);
  given.push(...(await take(first, 1_000 - given.length - 1, 1_000)));
  await first.leased();
  // All of the cap is leased now, but not given.
  processes.first.release(accountId);
  given.push(...(await take(first, 1, 1_000)));
  const missing = Array.from({ length: 1_000 }, (_, n) => n + 1).filter((n) => !given.includes(n));
  assert.deepEqual([missing, given.length], [[], 1_000]);
});

onPostgres(
  "a day that turns while the database is away costs what was leased, and nothing else",
  async () => {
    await using stack = new AsyncDisposableStack();
    const db = stack.use(await testDb("postgres"));
    await migrate(db);
    const accountId = await makeAccount(db);
    const at = { now: new Date("2026-03-02T23:59:59Z") };
    const dayClock = { ...clock, now: () => at.now };
    const usage = stack.use(new Usage({ db: db.main, clock: dayClock, log }));
    const quota = stack.use(new RealtimeQuota({ db: db.main, clock: dayClock, log, usage }));
    const units = quota.of(accountId);
    assert.deepEqual(await take(units, 2, null), [1, 2]);
    await sql`alter table usage_days rename to away`.execute(db.main);
    at.now = new Date("2026-03-03T00:00:00Z");
    await Promise.resolve();
    assert.equal(units.take(null, 1), "wait");
    await units.leased();
    await sql`alter table away rename to usage_days`.execute(db.main);
    assert.deepEqual(await take(units, 2, null), [1, 2]);
  },
);
