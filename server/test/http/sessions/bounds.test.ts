import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { apiKey, createdKey } from "@tapewire/contract/admin.ts";
import { listedSession, session } from "@tapewire/contract/dashboard/people.ts";
import { problem } from "@tapewire/contract/errors/errors.ts";
import { z } from "zod";
import { checkPassword } from "../../../src/account/people/passwords.ts";
import { type Clock, systemClock } from "../../../src/runtime/clock.ts";
import { Browser } from "../../support/browser.ts";
import { anyEngine } from "../../support/db.ts";
import { password, peopleOf } from "../../support/people.ts";
import { type Service, startService } from "../../support/service.ts";

const mostSessions = 100;
const mostKeys = 200;
const sessions = z.strictObject({ data: z.array(listedSession) });

describe("nobody fills the service with sessions or keys", () => {
  let service: Service;
  let shiftMs = 0;
  const clock: Clock = { ...systemClock, now: () => new Date(Date.now() + shiftMs) };
  before(async () => {
    service = await startService(anyEngine, { clock });
  });
  after(() => service[Symbol.asyncDispose]());

  const { joined } = peopleOf(() => service);
  const create = (account_id: string) =>
    service.admin("POST", "/admin/v1/keys", { account_id, name: "one more" });

  test("the body of a stranger has at most 16 KiB, with a length that is told or not", async () => {
    const most = 16 * 1024;
    const json = { "content-type": "application/json", origin: service.url };
    for (const path of ["/app/v1/session", "/app/v1/links/look"]) {
      const fits = JSON.stringify({ secret: "x".repeat(most - 13) });
      assert.equal(fits.length, most);
      const post = (body: string) => fetch(service.url + path, { method: "POST", headers: json, body });
      assert.equal((await post(fits)).status, 400, path);
      const told = await post(`${fits} `);
      assert.equal(told.status, 413, path);
      assert.match(problem.parse(await told.json()).detail, /at most 16384 bytes/);
      const chunks = ReadableStream.from([Buffer.from(fits), Buffer.from(" ")]);
      const init = { method: "POST", headers: json, body: chunks, duplex: "half" } as const;
      assert.equal((await fetch(service.url + path, init)).status, 413, path);
    }
  });

  test("a key has a hundred sessions; one more ends the one that was unused longest, with its tab keys", async () => {
    const { key, account_id } = await service.key("pro");
    const signedIn = async () => {
      const browser = new Browser(service.url);
      await browser.signIn({ secret: key });
      return browser;
    };
    const other = new Browser(service.url);
    await other.signIn({ secret: (await service.key("pro")).key });
    const [used, unused] = [await signedIn(), await signedIn()];
    const tab = await unused.tabKey(account_id);
    for (let begun = 2; begun < mostSessions; begun++) await signedIn();
    shiftMs = 120_000;
    await used.ask(session, "GET", "/app/v1/session");
    assert.equal((await service.get("/v1/me", tab.key)).status, 200);
    await signedIn();
    assert.equal(await unused.refused("GET", "/app/v1/session"), "unauthorized");
    assert.equal((await service.get("/v1/me", tab.key)).status, 401);
    assert.equal((await used.ask(sessions, "GET", "/app/v1/sessions")).data.length, mostSessions);
    await other.ask(session, "GET", "/app/v1/session");
    shiftMs = 0;
  });

  test("an account has 200 valid keys, also when they are created at once; a rotation is no further one", async () => {
    const { account_id, id } = await service.key("pro");
    const { browser } = await joined(account_id, "owner");
    const soon = new Date(clock.now().getTime() + 1_000).toISOString();
    const wanted = { account_id, name: "expires", expires_at: soon };
    const expired = apiKey.parse(await (await service.admin("POST", "/admin/v1/keys", wanted)).json());
    shiftMs = 2_000;
    for (let made = 1; made < mostKeys - 4; made++) assert.equal((await create(account_id)).status, 201);
    const last = await Promise.all(Array.from({ length: 10 }, () => create(account_id)));
    assert.equal(last.filter(({ status }) => status === 201).length, 4);
    const refused = last.find(({ status }) => status === 409);
    assert.match(problem.parse(await refused?.json()).detail, /200 valid keys/);
    const path = `/app/v1/accounts/${account_id}/keys`;
    assert.equal(await browser.refused("POST", path, { name: "x" }), "conflict");
    assert.equal(await browser.refused("POST", `/app/v1/keys/${id}/rotate`, { grace_s: 60 }), "conflict");
    await browser.ask(createdKey, "POST", `/app/v1/keys/${id}/rotate`, { grace_s: 0 });
    assert.equal(await browser.refused("POST", path, { name: "x" }), "conflict");
    const later = new Date(clock.now().getTime() + 60_000).toISOString();
    for (const expires_at of [null, later])
      assert.equal(await browser.refused("PATCH", `/app/v1/keys/${expired.id}`, { expires_at }), "conflict");
    await browser.ask(apiKey, "PATCH", `/app/v1/keys/${expired.id}`, { name: "renamed" });
    const { data } = await browser.ask(z.strictObject({ data: z.array(apiKey) }), "GET", path);
    const valid = data.filter(({ revoked_at }) => revoked_at === null);
    await browser.ask(apiKey, "DELETE", `/app/v1/keys/${valid.at(-1)?.id}`);
    await browser.ask(apiKey, "PATCH", `/app/v1/keys/${expired.id}`, { expires_at: later });
    assert.equal(await browser.refused("POST", path, { name: "x" }), "conflict");
    shiftMs = 0;
  });

  test("keys that are revoked again and again are created a limited number of times a day", async () => {
    const { account_id } = await service.key("pro");
    const { browser } = await joined(account_id, "owner");
    const path = `/app/v1/accounts/${account_id}/keys`;
    let { id } = await browser.ask(createdKey, "POST", path, { name: "loop" });
    for (let made = 1; made < mostKeys; made++) {
      // The requests of a session are limited, too.
      shiftMs += 1_000;
      ({ id } = await browser.ask(createdKey, "POST", `/app/v1/keys/${id}/rotate`, { grace_s: 0 }));
    }
    const response = await browser.send("POST", `/app/v1/keys/${id}/rotate`, { grace_s: 0 });
    assert.equal(response.status, 429);
    assert.ok(Number(response.headers.get("retry-after")) > 0);
    assert.equal(await browser.refused("POST", path, { name: "x" }), "rate_limited");
    shiftMs = 0;
  });

  test("a current password that was not checked, since too many wait, is no attempt", async () => {
    const { browser } = await joined((await service.key("pro")).account_id, "owner");
    const { data } = await browser.ask(sessions, "GET", "/app/v1/sessions");
    const network = data[0]?.network ?? "";
    const change = { password: "another long password", current_password: password };
    let isOver = false;
    const stored = ["scrypt", 4, 8, 1, "salt", Buffer.alloc(32).toString("base64url")].join("$");
    const wait = async () => {
      while (!isOver) await checkPassword("some password", stored, network);
    };
    // Of a network one is checked and sixteen wait.
    const waiting = Array.from({ length: 17 }, wait);
    const refusals = Array.from({ length: 10 }, () => browser.refused("PATCH", "/app/v1/profile", change));
    assert.deepEqual(new Set(await Promise.all(refusals)), new Set(["overloaded"]));
    isOver = true;
    await Promise.all(waiting);
    assert.equal((await browser.send("PATCH", "/app/v1/profile", change)).status, 200);
  });
});
