import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { apiKey } from "@tapewire/contract/admin.ts";
import { renewedTabKey, session } from "@tapewire/contract/dashboard/people.ts";
import { exampleIds } from "@tapewire/contract/examples/values.ts";
import { z } from "zod";
import { type Clock, systemClock } from "../../../src/runtime/clock.ts";
import { anyEngine } from "../../support/db.ts";
import { peopleOf } from "../../support/people.ts";
import { type Service, startService } from "../../support/service.ts";
import { StreamClient } from "../../support/stream-client.ts";

describe("keys of browser tabs", () => {
  let service: Service;
  let shiftMs = 0;
  const clock: Clock = { ...systemClock, now: () => new Date(Date.now() + shiftMs) };
  before(async () => {
    service = await startService(anyEngine, { clock });
  });
  after(() => service[Symbol.asyncDispose]());

  const { operator, joined } = peopleOf(() => service);
  const post = (path: string, key: string, body: unknown) =>
    fetch(service.url + path, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const artifact = {
    artifact: { type: "news", title: "Orbitex Robotics raises its guidance", body: "Now 3 billion." },
  };

  test("a member's key reads and writes as the account, and is in no list", async () => {
    const { account_id } = await service.key("pro");
    const { browser } = await joined(account_id, "member");
    const tab = await browser.tabKey(account_id);
    assert.match(tab.key, /^tw_tab_[0-9A-Za-z]{38}$/);
    assert.deepEqual(
      [tab.right, tab.realtime_feeds_per_day, tab.base_url, tab.ws_url],
      ["member", null, service.url, `${service.url.replace("http", "ws")}/v1/stream`],
    );
    const free = await service.key("free");
    assert.equal((await (await operator()).tabKey(free.account_id)).realtime_feeds_per_day, 50);
    assert.equal((await service.get("/v1/feeds", tab.key)).status, 200);
    assert.equal((await post("/v1/score", tab.key, artifact)).status, 200);
    assert.equal((await service.get("/admin/v1/keys", tab.key)).status, 401);
    const listed = z
      .object({ data: z.array(apiKey) })
      .parse(await (await service.admin("GET", "/admin/v1/keys")).json());
    assert.equal(
      listed.data.some(({ prefix }) => prefix.startsWith("tw_tab")),
      false,
    );
  });

  test("a viewer's key only reads, and sees no signing secret", async () => {
    const { account_id, key } = await service.key("pro");
    const { browser } = await joined(account_id, "viewer");
    const tab = await browser.tabKey(account_id);
    assert.equal((await service.get("/v1/feeds", tab.key)).status, 200);
    assert.equal((await post("/v1/score", tab.key, artifact)).status, 403);
    const made = await post("/v1/webhooks", key, { url: "https://example.com/hook" });
    const { id } = z.looseObject({ id: z.string() }).parse(await made.json());
    const urlsFor = async (by: string) =>
      z
        .object({ data: z.array(z.object({ url: z.string() })) })
        .parse(await (await service.get("/v1/webhooks", by)).json())
        .data.map(({ url }) => url);
    const secretUrl = "https://example.com/bot1:secret/sendMessage?chat_id=5";
    await post("/v1/webhooks", key, { url: secretUrl, format: "telegram" });
    assert.deepEqual(await urlsFor(tab.key), ["https://example.com", "https://example.com"]);
    assert.deepEqual(await urlsFor(key), ["https://example.com/hook", secretUrl]);
    assert.equal((await service.get(`/v1/webhooks/${id}`, tab.key)).status, 403);
    assert.equal((await post(`/v1/webhooks/${id}/test`, tab.key, {})).status, 403);
    assert.equal(
      (await service.get(`/v1/webhooks/${id}/deliveries/${exampleIds.delivery}`, tab.key)).status,
      403,
    );
    await using stream = await StreamClient.connect(tab.ws_url, { key: tab.key });
    await stream.next("welcome");
  });

  test("only the operator gets a key for the admin API", async () => {
    const { account_id } = await service.key("pro");
    const tab = await (await operator()).tabKey(account_id, "operator");
    assert.equal((await service.get("/admin/v1/keys", tab.key)).status, 200);
    assert.equal((await service.get("/metrics", tab.key)).status, 200);
    assert.equal((await service.get("/v1/feeds", tab.key)).status, 200);
    const { browser } = await joined(account_id, "owner");
    const asked = { account_id, as: "operator" };
    assert.equal(await browser.refused("POST", "/app/v1/token", asked), "forbidden");
    const plain = await (await operator()).tabKey(account_id);
    assert.equal((await service.get("/admin/v1/keys", plain.key)).status, 401);
  });

  test("a key lives 15 minutes and can be renewed by its own session only", async () => {
    const { account_id } = await service.key("pro");
    const { browser } = await joined(account_id, "member");
    const other = (await joined(account_id, "member")).browser;
    const tab = await browser.tabKey(account_id);
    shiftMs = 10 * 60_000;
    assert.equal(await other.refused("POST", "/app/v1/token/renew", { key: tab.key }), "not_found");
    const { expires_at } = await browser.ask(renewedTabKey, "POST", "/app/v1/token/renew", { key: tab.key });
    assert.ok(Date.parse(expires_at) > Date.parse(tab.expires_at));
    shiftMs = 20 * 60_000;
    assert.equal((await service.get("/v1/me", tab.key)).status, 200);
    shiftMs = 30 * 60_000;
    assert.equal((await service.get("/v1/me", tab.key)).status, 401);
    assert.equal(await browser.refused("POST", "/app/v1/token/renew", { key: tab.key }), "not_found");
    shiftMs = 0;
  });

  test("signing out ends the tab's key and its open stream within 5 seconds", async () => {
    const { account_id } = await service.key("pro");
    const { browser } = await joined(account_id, "member");
    const tab = await browser.tabKey(account_id);
    await using stream = await StreamClient.connect(tab.ws_url, { key: tab.key });
    await stream.next("welcome");
    const response = await browser.send("DELETE", "/app/v1/session");
    assert.equal(response.status, 200);
    assert.match(response.headers.get("set-cookie") ?? "", /^tw=; Path=\/app; .*Max-Age=0/);
    assert.equal((await service.get("/v1/me", tab.key)).status, 401);
    const late = Symbol("late");
    const closed = await Promise.race([stream.closed, delay(6_000, late, { ref: false })]);
    assert.notEqual(closed, late);
  });

  test("a changed role and a removed membership end the person's keys for the account", async () => {
    const { account_id } = await service.key("pro");
    const owner = (await joined(account_id, "owner")).browser;
    const { browser, personId } = await joined(account_id, "member");
    const path = `/app/v1/accounts/${account_id}/people/${personId}`;
    const first = await browser.tabKey(account_id);
    await owner.ask(z.unknown(), "PATCH", path, { role: "viewer" });
    assert.equal((await service.get("/v1/me", first.key)).status, 401);
    const second = await browser.tabKey(account_id);
    assert.equal(second.right, "viewer");
    await owner.ask(z.unknown(), "DELETE", path);
    assert.equal((await service.get("/v1/me", second.key)).status, 401);
    assert.deepEqual((await browser.ask(session, "GET", "/app/v1/session")).accounts, []);
    assert.equal(await browser.refused("POST", "/app/v1/token", { account_id }), "not_found");
  });

  test("a session holds a hundred keys at a time", async () => {
    const { account_id } = await service.key("pro");
    const { browser } = await joined(account_id, "member");
    for (let made = 0; made < 100; made++) await browser.tabKey(account_id);
    assert.equal(await browser.refused("POST", "/app/v1/token", { account_id }), "rate_limited");
  });
});
