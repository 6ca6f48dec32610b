import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { sourceHealthList } from "@tapewire/contract/admin.ts";
import { sql } from "kysely";
import { hubPath } from "../../src/ingest/hubs.ts";
import { type Clock, systemClock } from "../../src/runtime/clock.ts";
import { silentLog } from "../../src/runtime/log.ts";
import { openPostgres } from "../../src/store/engine/db.ts";
import { hubSubscription, pushedSources, saveRequested } from "../../src/store/intake/hub-subscriptions.ts";
import { registerSources } from "../../src/store/intake/sources.ts";
import { anyEngine, onAnyEngine, onPostgres, testDb } from "../support/db.ts";
import { listenLocally } from "../support/http.ts";
import {
  challengePath,
  dayMs,
  hourMs,
  lastAsked,
  pingOf,
  signed,
  startHub,
  startHubs,
  topic,
} from "../support/hubs.ts";
import { temporaryFolder, writeSources } from "../support/process.ts";
import { startService } from "../support/service.ts";

onAnyEngine("subscriptions to hubs", async (context, engine) => {
  await using db = await testDb(engine);
  await context.test(
    "a hub is asked once for a subscription, with an address and a secret of its own",
    async () => {
      await using hubs = await startHubs(db);
      for (let polls = 0; polls < 3; polls++) await hubs.follow();
      assert.equal(hubs.hub.state.asked.length, 1);
      const form = hubs.hub.state.asked[0];
      assert.deepEqual(
        ["hub.mode", "hub.topic", "hub.lease_seconds"].map((name) => form?.get(name)),
        ["subscribe", topic, "604800"],
      );
      const first = lastAsked(hubs);
      // A feed that has gone to another topic is asked for anew.
      await hubs.follow(hubs.hub.url, `${topic}?new`);
      assert.equal(hubs.hub.state.asked.length, 2);
      const second = lastAsked(hubs);
      assert.ok(second.token !== first.token && second.secret !== first.secret);
    },
  );
  await context.test("a challenge is answered for what was asked, and for nothing else", async () => {
    await using hubs = await startHubs(db);
    await hubs.follow();
    const { token } = lastAsked(hubs);
    const wrong: [token: string, more: Record<string, string>][] = [
      ["0".repeat(32), {}],
      [token, { "hub.topic": `${topic}2` }],
      [token, { "hub.mode": "unsubscribe" }],
      [token, { "hub.mode": "denied" }],
    ];
    for (const [told, more] of wrong) {
      const answer = await hubs.challenge(told, more);
      assert.deepEqual([answer.status, (await answer.text()).includes("say-this")], [404, false]);
    }
    assert.ok(!(await pushedSources(db.main)).has(hubs.id));
    const right = await hubs.challenge(token, { "hub.challenge": "<b>say</b>" });
    assert.deepEqual([right.status, await right.text()], [200, "<b>say</b>"]);
    assert.match(right.headers.get("content-type") ?? "", /^text\/plain/);
    assert.ok((await pushedSources(db.main)).has(hubs.id));
  });
  await context.test("a lease that the hub grants is believed from a minute to two weeks", async () => {
    await using hubs = await startHubs(db);
    await hubs.follow();
    const { token } = lastAsked(hubs);
    const cases: [told: string, seconds: number][] = [
      ["3600", 3_600],
      ["1", 60],
      ["-5", 60],
      ["99999999999999", 14 * 86_400],
      ["Infinity", 7 * 86_400],
      ["soon", 7 * 86_400],
    ];
    for (const [told, seconds] of cases) {
      assert.equal((await hubs.challenge(token, { "hub.lease_seconds": told })).status, 200);
      const until = (await hubSubscription(db.main, hubs.id))?.confirmed_until;
      const offMs = (until?.getTime() ?? 0) - Date.now() - 1_000 * seconds;
      assert.ok(Math.abs(offMs) < 20_000, `${told}: ${offMs} ms off`);
    }
  });
  await context.test("a subscription is renewed in the last day of its lease", async () => {
    await using hubs = await startHubs(db);
    await hubs.follow();
    const first = lastAsked(hubs);
    await hubs.challenge(first.token, { "hub.lease_seconds": "864000" });
    hubs.state.aheadMs = 9 * dayMs - hourMs;
    await hubs.follow();
    assert.equal(hubs.hub.state.asked.length, 1);
    hubs.state.aheadMs = 9 * dayMs + hourMs;
    await hubs.follow();
    assert.equal(hubs.hub.state.asked.length, 2);
    assert.equal((await hubs.challenge(lastAsked(hubs).token)).status, 200);
  });
  await context.test("a clock that was ahead does not keep a subscription from being renewed", async () => {
    await using hubs = await startHubs(db);
    await hubs.follow();
    const { token } = lastAsked(hubs);
    assert.equal((await hubs.challenge(token)).status, 200);
    const ahead = sql`interval '400 days'`;
    await sql`update hub_subscriptions set confirmed_until = confirmed_until + ${ahead} where source_id = ${hubs.id}`.execute(
      db.main,
    );
    await hubs.follow();
    assert.equal(hubs.hub.state.asked.length, 2, "confirmed then");
    assert.ok(
      !(await pushedSources(db.main)).has(hubs.id),
      "it is polled as others are, until the hub confirms",
    );
    assert.equal((await hubs.challenge(token)).status, 200);
    await sql`update hub_subscriptions set asked_at = asked_at + ${ahead} where source_id = ${hubs.id}`.execute(
      db.main,
    );
    for (let polls = 0; polls < 2; polls++) await hubs.follow();
    assert.equal(hubs.hub.state.asked.length, 3, "asked then");
  });
  await context.test("a hub that fails, or does not confirm, is asked again after six hours", async () => {
    await using hubs = await startHubs(db);
    hubs.hub.state.status = 500;
    // Resolves: the poll that found the hub goes on.
    await hubs.follow();
    assert.equal(hubs.hub.state.asked.length, 1);
    hubs.hub.state.status = 202;
    hubs.state.aheadMs = 6 * hourMs - 60_000;
    await hubs.follow();
    assert.equal(hubs.hub.state.asked.length, 1);
    hubs.state.aheadMs = 6 * hourMs + 60_000;
    await hubs.follow();
    assert.equal(hubs.hub.state.asked.length, 2);
    assert.equal((await hubs.challenge(lastAsked(hubs).token)).status, 200);
  });
  await context.test(
    "a hub that is gone is asked every six hours once the subscription has ended",
    async () => {
      await using hubs = await startHubs(db);
      await hubs.follow();
      assert.equal((await hubs.challenge(lastAsked(hubs).token)).status, 200);
      const set = async (askedAgoS: number, untilInS: number) => {
        await sql`update hub_subscriptions set asked_at = now() - ${askedAgoS}::float8 * interval '1 second',
        confirmed_until = now() + ${untilInS}::float8 * interval '1 second' where source_id = ${hubs.id}`.execute(
          db.main,
        );
      };
      hubs.hub.state.status = 500;
      await set(45, 30);
      await hubs.follow();
      assert.equal(
        hubs.hub.state.asked.length,
        1,
        "shortly before the end it is asked once a minute at most",
      );
      await set(7_200, -3_600);
      for (let polls = 0; polls < 3; polls++) await hubs.follow();
      assert.equal(hubs.hub.state.asked.length, 2, "at the end");
      hubs.state.aheadMs = 6 * hourMs - 60_000;
      await hubs.follow();
      assert.equal(hubs.hub.state.asked.length, 2, "before six hours");
      hubs.state.aheadMs = 6 * hourMs + 60_000;
      await hubs.follow();
      assert.equal(hubs.hub.state.asked.length, 3, "after six hours");
    },
  );
  await context.test("a service that the internet does not reach asks no hub", async () => {
    for (const publicUrl of [null, "http://127.0.0.1:9090", "http://localhost:9090/", "http://[::1]:9090"]) {
      await using hubs = await startHubs(db, { publicUrl });
      await hubs.follow();
      assert.equal(hubs.hub.state.asked.length, 0);
      assert.equal(await hubSubscription(db.main, hubs.id), null);
    }
  });
});

/** A feed that names its hub, and counts its readers. */
async function startFeed(hub: string) {
  const state = { polls: 0 };
  const links = `<atom:link rel="hub" href="${hub}"/><atom:link rel="self" href="${topic}"/>`;
  const item = `<item><title>Brandmoor opens a plant</title><guid>1</guid><pubDate>${new Date().toUTCString()}</pubDate></item>`;
  const server = await listenLocally((_, response) => {
    state.polls += 1;
    const body = `<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>t</title>${links}${item}</channel></rss>`;
    response.writeHead(200, { "content-type": "application/rss+xml" }).end(body);
  });
  return { state, url: `${server.origin}/feed`, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

async function until(isReached: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await isReached()); tries++) {
    assert.ok(tries < 500, "it does not come");
    await delay(30);
  }
}

onPostgres("the service follows the hub of a feed, and polls at once when it calls", async () => {
  await using hub = await startHub();
  await using feed = await startFeed(hub.url);
  using folder = temporaryFolder();
  const sourcesFile = writeSources(folder.path, [
    {
      id: "notices",
      name: "brandmoor",
      provider: "brandmoor",
      format: "feed",
      url: feed.url,
      interval_s: 3_600,
    },
  ]);
  await using service = await startService("postgres", { sourcesFile, publicUrl: "https://feeds.example" });
  assert.ok(service.config.databaseUrl !== null);
  await using db = await openPostgres(service.config.databaseUrl, silentLog);
  const health = async () =>
    sourceHealthList.parse(await (await service.admin("GET", "/admin/v1/sources")).json()).data[0];
  await until(async () => (await health())?.last_ok_at != null);
  const asked = await hubSubscription(db.main, "notices");
  assert.deepEqual([asked?.hub, asked?.topic], [hub.url, topic]);
  // Not a public address: the service does not post there, and the poll that found it is a good one.
  assert.equal(hub.state.asked.length, 0);
  const polled = await health();
  assert.deepEqual([polled?.items, polled?.failures, polled?.pushed], [1, 0, false]);

  const { token = "", secret = "" } = asked ?? {};
  for (const unknown of ["0".repeat(32), "0", token.toUpperCase(), `${token}0`])
    assert.equal((await fetch(`${service.url}${challengePath(unknown, {})}`)).status, 404, unknown);
  const answer = await fetch(`${service.url}${challengePath(token, {})}`);
  assert.deepEqual([answer.status, await answer.text()], [200, "say-this"]);
  assert.equal((await health())?.pushed, true);

  const ping = (body: string, signature?: string) =>
    fetch(`${service.url}${hubPath}/${token}`, pingOf(body, signature));
  assert.equal((await ping("news")).status, 204);
  const large = "x".repeat(8 * 1024 * 1024);
  // It need not be taken to its end to be answered.
  const refused = await ping(large, signed(secret, large)).catch(() => null);
  assert.equal(refused?.status ?? 204, 204);
  assert.equal((await health())?.next_poll_at, polled?.next_poll_at);
  assert.equal(feed.state.polls, 1);
  assert.equal((await ping("news", signed(secret, "news"))).status, 204);
  await until(() => feed.state.polls === 2);
});

onPostgres("guesses of hubs' addresses are limited, and none exist without a public address", async () => {
  const clock: Clock = { ...systemClock, now: () => new Date("2026-03-02T14:30:00Z") };
  const publicUrl = "https://feeds.example";
  await using service = await startService("postgres", { demo: "off", clock, publicUrl, trustedProxies: 1 });
  assert.ok(service.config.databaseUrl !== null);
  await using db = await openPostgres(service.config.databaseUrl, silentLog);
  const subscription = { source_id: "notices", hub: "https://hub.example", topic, secret: "of the hub" };
  const token = "f".repeat(32);
  await registerSources(db.main, ["notices"]);
  await saveRequested(db.main, { ...subscription, token });
  const call = (address: string, path: string, init: RequestInit = {}) =>
    fetch(service.url + path, { ...init, headers: { ...init.headers, "x-forwarded-for": address } });
  const guess = () => crypto.randomUUID().replaceAll("-", "");
  const ping = (address: string, told: string) =>
    call(address, `${hubPath}/${told}`, pingOf("news", signed("of the hub", "news")));
  const challenge = (address: string, told: string) => call(address, challengePath(told, {}));
  const calls: [call: typeof ping, address: string, inVain: number, good: number][] = [
    [ping, "198.51.100.1", 204, 204],
    [challenge, "198.51.100.2", 404, 200],
  ];
  for (const [make, address, inVain, good] of calls) {
    // What finds something is no guess, however often.
    const right = await Promise.all(Array.from({ length: 100 }, () => make(address, token)));
    assert.deepEqual(new Set(right.map(({ status }) => status)), new Set([good]));
    const wrong = await Promise.all(Array.from({ length: 60 }, () => make(address, guess())));
    assert.deepEqual(new Set(wrong.map(({ status }) => status)), new Set([inVain]));
    for (const told of [guess(), token]) {
      const refused = await make(address, told);
      assert.deepEqual([refused.status, refused.headers.get("retry-after")], [429, "1"]);
    }
    assert.equal((await make("198.51.100.9", token)).status, good);
  }

  await using unreached = await startService(anyEngine, { demo: "off" });
  assert.equal((await fetch(`${unreached.url}${challengePath(guess(), {})}`)).status, 404);
  const unknown = await fetch(`${unreached.url}${hubPath}/${guess()}`, pingOf("news"));
  assert.equal(unknown.status, 404);
});
