import assert from "node:assert/strict";
import { test } from "node:test";
import { IdempotentCalls } from "../../src/account/idempotent-calls.ts";
import { anyEngine, testDb } from "../support/db.ts";
import { makeAccount } from "../support/webhooks.ts";

test("of the answers of an account as many are kept as are allowed, the newest, whatever others keep", async () => {
  await using db = await testDb(anyEngine);
  const [many, large, other] = [await makeAccount(db), await makeAccount(db), await makeAccount(db)];
  const calls = new IdempotentCalls(db.main, { answers: 40, bytes: 4_000 });
  const call = (accountId: string, key: string) => ({ accountId, key, requestHash: "of the request" });
  const keep = async (accountId: string, key: string, answer: string) => {
    assert.deepEqual(await calls.begin(call(accountId, key)), { state: "first" });
    await calls.finish(call(accountId, key), answer);
  };
  const kept = async (accountId: string) => {
    const rows = await db.main
      .selectFrom("idempotent_calls")
      .select("key")
      .where("account_id", "=", accountId)
      .where("answer", "is not", null)
      .execute();
    return rows.map(({ key }) => Number(key)).sort((a, b) => a - b);
  };
  await keep(other, "0", "answer 0");
  await calls.begin(call(many, "-1"));
  for (let n = 0; n < 100; n++) await keep(many, `${n}`, `answer ${n}`);
  const newest = await kept(many);
  assert.ok(newest.length <= 42 && newest.length >= 38, `${newest.length} are kept`);
  assert.deepEqual(
    newest,
    newest.map((_, at) => 100 - newest.length + at),
  );
  assert.deepEqual(await calls.begin(call(many, "99")), { state: "answered", answer: "answer 99" });
  assert.deepEqual(await calls.begin(call(many, "-1")), { state: "running" }, "it has no answer yet");
  assert.deepEqual(await kept(other), [0]);

  for (let n = 0; n < 20; n++) await keep(large, `${n}`, "é".repeat(500));
  assert.deepEqual(await kept(large), [16, 17, 18, 19]);
});
