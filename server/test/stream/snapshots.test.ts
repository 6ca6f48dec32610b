import assert from "node:assert/strict";
import { test } from "node:test";
import { planTable } from "@tapewire/contract/plans.ts";
import { Accounts } from "../../src/account/keys/accounts.ts";
import { Authenticator } from "../../src/account/keys/auth.ts";
import { SnapshotAllowance } from "../../src/account/snapshot-allowance.ts";
import { settings } from "../../src/config/config.ts";
import { readConfigFile } from "../../src/config/files.ts";
import { systemClock } from "../../src/runtime/clock.ts";
import { silentLog as log } from "../../src/runtime/log.ts";
import { type LatestItems, newestUntil } from "../../src/stream/snapshots.ts";
import { testDb } from "../support/db.ts";
import { newItem } from "../support/items.ts";

const { item } = newItem({ uniqueId: "guid:snapshot" });
const logItem = (seq: number) => ({ seq, item: { ...item, seq }, doc: "" });

test("a snapshot is whole though much has just come in that is not read yet", async () => {
  const tip = 50;
  const all = Array.from({ length: 4_000 }, (_, n) => logItem(4_000 - n));
  const owners = new Set<string>();
  const limits: number[] = [];
  const latest: LatestItems = async (_, { behind, limit, owner }) => {
    owners.add(owner);
    limits.push(limit);
    const from = behind === null ? 0 : 4_000 - behind.publishedAt.getTime() + 1;
    const items = all.slice(from, from + limit);
    const final = items.at(-1);
    const last = final === undefined ? null : { publishedAt: new Date(final.seq), id: final.item.id };
    return { items, last };
  };
  const found = await newestUntil(latest, { tags: {} }, { tip, wanted: 3, owner: "account" });
  assert.deepEqual(
    found.map(({ seq }) => seq),
    [50, 49, 48],
  );
  assert.deepEqual([...owners], ["account"]);
  assert.ok(Math.max(...limits) <= 1_000 && limits[0] === 23);
});

test("what a snapshot leaves over goes back to the day it was granted on", async () => {
  await using db = await testDb("pglite");
  let now = new Date("2026-03-02T23:59:59.900Z");
  const clock = { ...systemClock, now: () => now };
  const plans = readConfigFile(settings.plansFile.fallback, planTable);
  await using auth = new Authenticator({ db: db.main, plans, clock, log });
  const { key } = await new Accounts({ db: db.main, clock, auth }).createKey({ plan: "free", name: "snap" });
  const caller = await auth.authenticate(key);
  assert.ok(caller !== null);
  const allowance = new SnapshotAllowance({ db: db.main, clock, rates: auth.rates });
  const before = await allowance.grant(caller, 40);
  now = new Date("2026-03-03T00:00:00.100Z");
  const after = await allowance.grant(caller, 100);
  assert.deepEqual([before.items, after.items], [40, 50]);
  await before.refund(30);
  assert.equal((await allowance.grant(caller, 10)).items, 0);
  await after.refund(5);
  assert.equal((await allowance.grant(caller, 10)).items, 5);
});
