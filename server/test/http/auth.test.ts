import assert from "node:assert/strict";
import { test } from "node:test";
import { crc32 } from "node:zlib";
import { apiKey } from "@tapewire/contract/admin.ts";
import { problem } from "@tapewire/contract/errors/errors.ts";
import { planTable } from "@tapewire/contract/plans.ts";
import fc from "fast-check";
import { z } from "zod";
import { Authenticator } from "../../src/account/keys/auth.ts";
import { isWellFormedKey, keyHint, makeKey } from "../../src/account/keys/key.ts";
import { isSameSecret } from "../../src/account/secrets.ts";
import { readConfigFile } from "../../src/config/files.ts";
import { type Clock, systemClock } from "../../src/runtime/clock.ts";
import { silentLog } from "../../src/runtime/log.ts";
import { anyEngine, testDb } from "../support/db.ts";
import { startService } from "../support/service.ts";

test("a request without a secret has nobody's, though one is empty", () => {
  assert.deepEqual(
    [isSameSecret("", ""), isSameSecret("a", ""), isSameSecret("a", "a")],
    [false, false, true],
  );
});

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

test("authentication over HTTP", async (context) => {
  let shiftMs = 0;
  const clock: Clock = { ...systemClock, now: () => new Date(Date.now() + shiftMs) };
  await using service = await startService(anyEngine, { clock });
  const good = await service.key("pro");
  const read = (authorization?: string) =>
    fetch(`${service.url}/v1/feeds`, authorization === undefined ? {} : { headers: { authorization } });

  await context.test("a valid key opens the list, whatever the case of the scheme", async () => {
    for (const scheme of ["Bearer", "bearer", "BEARER"])
      assert.equal((await read(`${scheme} ${good.key}`)).status, 200);
  });
  const flipped = good.key.slice(0, -1) + (good.key.endsWith("0") ? "1" : "0");
  const cases: [sentence: string, authorization: string | undefined][] = [
    ["no header", undefined],
    ["another scheme", `Basic ${Buffer.from(`x:${good.key}`).toString("base64")}`],
    ["a key without scheme", good.key],
    ["a scheme without key", "Bearer"],
    ["a malformed key", "Bearer tw_live_short"],
    ["a key with more behind it", `Bearer ${good.key} ${good.key}`],
    ["a bad checksum", `Bearer ${flipped}`],
    ["a well-formed key that nobody has", `Bearer ${makeKey()}`],
    ["the admin token", `Bearer ${service.adminToken}`],
  ];
  for (const [sentence, authorization] of cases)
    await context.test(`${sentence} is 401`, async () => assertUnauthorized(await read(authorization)));

  await context.test("a revoked key is 401 at once, though it was just used", async () => {
    const { key, id } = await service.key("pro");
    assert.equal((await service.get("/v1/feeds", key)).status, 200);
    assert.equal((await service.admin("DELETE", `/admin/v1/keys/${id}`)).status, 200);
    await assertUnauthorized(await service.get("/v1/feeds", key));
  });
  await context.test("a key created after it was guessed works at once", async () => {
    const { key, account_id } = await service.key("pro");
    await assertUnauthorized(await read(`Bearer ${makeKey()}`));
    const second = await service.admin("POST", "/admin/v1/keys", { account_id });
    assert.equal(second.status, 201);
    assert.equal((await service.get("/v1/feeds", key)).status, 200);
  });
  await context.test("a key is good until expires_at and 401 from then on", async () => {
    const expires_at = new Date(clock.now().getTime() + 3_600_000).toISOString();
    const created = await service.admin("POST", "/admin/v1/keys", { plan: "pro", expires_at });
    const { key, expires_at: told } = z
      .looseObject({ key: z.string(), expires_at: z.string() })
      .parse(await created.json());
    assert.equal(told, expires_at);
    assert.equal((await service.get("/v1/feeds", key)).status, 200);
    shiftMs = 3_600_000;
    await assertUnauthorized(await service.get("/v1/feeds", key));
    shiftMs = 0;
  });
  await context.test("the admin API takes the admin token alone", async () => {
    const call = (authorization?: string) =>
      fetch(
        `${service.url}/admin/v1/keys`,
        authorization === undefined ? {} : { headers: { authorization } },
      );
    assert.equal((await call(`Bearer ${service.adminToken}`)).status, 200);
    await assertUnauthorized(await call());
    await assertUnauthorized(await call(`Bearer ${good.key}`));
    await assertUnauthorized(await call(`Bearer ${service.adminToken}x`));
    await assertUnauthorized(await call(`Bearer ${service.adminToken.slice(0, -1)}`));
    await assertUnauthorized(await call(`Basic ${service.adminToken}`));
  });
  await context.test("a key is told once; lists show its first 12 and last 4 characters", async () => {
    const answer = await service.admin("GET", "/admin/v1/keys");
    const text = await answer.text();
    assert.ok(!text.includes(good.key));
    assert.ok(!text.includes(good.key.slice(12, -4)));
    const { data } = z.object({ data: z.array(apiKey.strict()) }).parse(JSON.parse(text));
    const listed = data.find(({ id }) => id === good.id);
    assert.equal(listed?.prefix, good.key.slice(0, 12));
    assert.equal(listed?.last4, good.key.slice(-4));
  });
  await context.test("a refusal tells whether a key came, and how to send one", async () => {
    const detailOf = async (answer: Promise<Response>) => problem.parse(await (await answer).json()).detail;
    for (const authorization of [undefined, good.key, `Basic ${good.key}`])
      assert.match(await detailOf(read(authorization)), /^No API key .*`Authorization: Bearer <API_KEY>`/);
    const wrong = await detailOf(read(`Bearer ${makeKey()}`));
    assert.match(wrong, /^The API key is unknown, .*`Authorization: Bearer <API_KEY>`/);
    const admin = await detailOf(service.get("/admin/v1/keys"));
    assert.match(admin, /^The admin token is missing or wrong: .*`Authorization: Bearer <TOKEN>`/);
  });
  await context.test("authentication comes before everything else that could be wrong", async () => {
    await assertUnauthorized(await service.get("/v1/feeds?limit=x"));
    await assertUnauthorized(await service.get("/v1/feeds/not-a-uuid"));
  });
});

async function assertUnauthorized(response: Response): Promise<void> {
  assert.equal(response.status, 401);
  assert.equal(response.headers.get("www-authenticate"), "Bearer");
  assert.equal(response.headers.get("content-type"), "application/problem+json");
  const body = problem.parse(await response.json());
  assert.equal(body.code, "unauthorized");
  assert.equal(body.request_id, response.headers.get("x-request-id"));
}

test("a key is tw_live_, 32 base62 digits, and the CRC32 of all that in 6 base62 digits", () => {
  for (let i = 0; i < 200; i++) {
    const key = makeKey();
    assert.match(key, /^tw_live_[0-9A-Za-z]{38}$/);
    const value = [...key.slice(-6)].reduce((sum, digit) => sum * 62 + base62.indexOf(digit), 0);
    assert.equal(value, crc32(key.slice(0, -6)));
    assert.deepEqual(keyHint(key), { prefix: key.slice(0, 12), last4: key.slice(-4) });
  }
});

test("keys do not repeat, and use every digit", () => {
  const keys = Array.from({ length: 500 }, () => makeKey());
  assert.equal(new Set(keys).size, keys.length);
  assert.equal(new Set(keys.flatMap((key) => [...key.slice(8, -6)])).size, 62);
});

test("any one changed, dropped or doubled character makes a key ill-formed", () => {
  const anyKey = fc.constantFrom("live" as const, "tab" as const).map(makeKey);
  fc.assert(
    fc.property(anyKey, fc.nat(44), fc.string({ minLength: 1, maxLength: 1 }), (key, at, char) => {
      const changed = key.slice(0, at) + char + key.slice(at + 1);
      assert.equal(isWellFormedKey(key), true);
      assert.equal(isWellFormedKey(changed), changed === key);
      assert.equal(isWellFormedKey(key.slice(0, at) + key.slice(at + 1)), false);
      assert.equal(isWellFormedKey(key.slice(0, at) + key.slice(at, at + 1) + key.slice(at)), false);
    }),
  );
});

test("every other base62 digit at any place is refused", () => {
  const key = makeKey();
  for (let at = 8; at < key.length; at++)
    for (const digit of base62)
      if (digit !== key[at])
        assert.equal(isWellFormedKey(key.slice(0, at) + digit + key.slice(at + 1)), false);
});

test("an ill-formed key costs no query", async () => {
  const db = await testDb(anyEngine);
  const plans = readConfigFile(new URL("../../../config/plans.json", import.meta.url), planTable);
  await using auth = new Authenticator({ db: db.main, plans, clock: systemClock, log: silentLog });
  // A closed database fails every statement.
  await db[Symbol.asyncDispose]();
  const key = makeKey();
  assert.equal(await auth.authenticate(`${key.slice(0, -1)}${key.endsWith("a") ? "b" : "a"}`), null);
  assert.equal(await auth.authenticate("x"), null);
});
