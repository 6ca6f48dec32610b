import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { sourceHealthList } from "@tapewire/contract/admin.ts";
import { sourceConfig } from "../../src/config/sources.ts";
import { mountHubs } from "../../src/http/hubs.ts";
import { serverOf } from "../../src/http/wire/node-server.ts";
import { Router } from "../../src/http/wire/router.ts";
import { FetchError } from "../../src/ingest/fetch/types.ts";
import { Hubs, hubPath } from "../../src/ingest/hubs.ts";
import { type Clock, systemClock } from "../../src/runtime/clock.ts";
import { silentLog } from "../../src/runtime/log.ts";
import { type Db, openPostgres } from "../../src/store/engine/db.ts";
import { hubSubscription, pushedSources } from "../../src/store/intake/hub-subscriptions.ts";
import { claimSources, nextDueInMs, registerSources, savePoll } from "../../src/store/intake/sources.ts";
import { onBothEngines, onPostgres, testDb } from "../support/db.ts";
import { listening, listenLocally } from "../support/http.ts";
import { temporaryFolder, writeSources } from "../support/process.ts";
import { startService } from "../support/service.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const topic = "https://brandmoor.example/feed";
const entry = {
  name: "brandmoor",
  provider: "brandmoor",
  format: "feed",
  url: topic,
};
let made = 0;

/** A hub that keeps what it is asked. */
async function startHub() {
  const asked: URLSearchParams[] = [];
  const state = { asked, status: 202 };
  const server = await listenLocally((request, response) => {
    void (async () => {
      let text = "";
      for await (const chunk of request) text += chunk;
      state.asked.push(new URLSearchParams(text));
      response.writeHead(state.status).end();
    })();
  });
  return { state, url: `${server.origin}/`, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

/** Sends to any address: the service's own fetcher posts to public ones only, and the test's hub is on this machine. */
async function postAnywhere(address: string, form: URLSearchParams): Promise<void> {
  const { ok, status } = await fetch(address, { method: "POST", body: form });
  if (!ok) throw new FetchError(`HTTP ${status}`, { status });
}

/** Subscriptions of a source of its own, with a clock that the test moves and the address that hubs call. */
async function startHubs(
  db: Db,
  { publicUrl = "https://feeds.example/" }: { publicUrl?: string | null } = {},
) {
  await using stack = new AsyncDisposableStack();
  made += 1;
  const source = sourceConfig.parse({ ...entry, id: `notices-${made}` });
  const hub = stack.use(await startHub());
  const state = { aheadMs: 0 };
  const clock: Clock = { now: () => new Date(Date.now() + state.aheadMs), sleep: systemClock.sleep };
  const hubs = new Hubs({ db, clock, log: silentLog, publicUrl, fetcher: { post: postAnywhere } });
  const router = new Router();
  mountHubs(
    router,
    { ready: () => true },
    {
      path: hubPath,
      confirm: (token, query) => hubs.confirm(token, query),
      ping: (token, signature, body) => hubs.ping(token, signature, body),
    },
  );
  const { origin } = stack.use(await listening(serverOf(router, silentLog)));
  const owned = stack.move();
  return {
    id: source.id,
    db,
    hub,
    state,
    follow: (url = hub.url, of = topic) =>
      hubs.follow(source, { url, topic: of }, AbortSignal.timeout(10_000)),
    challenge: (token: string, more: Record<string, string> = {}) =>
      fetch(origin + challengePath(token, more)),
    ping: async (token: string, body: string, signature?: string) =>
      (await fetch(`${origin}${hubPath}/${token}`, pingOf(body, signature))).status,
    /** Tells of a body and keeps it back. @returns the status of an answer that comes all the same */
    pingWithoutEnd: (token: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const headers = { "content-length": "1000" };
        const outgoing = request(`${origin}${hubPath}/${token}`, { method: "POST", headers });
        outgoing.once("response", ({ statusCode }) => {
          resolve(statusCode);
          outgoing.destroy();
        });
        outgoing.once("error", reject);
        outgoing.write("<rss>");
      }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
type Started = Awaited<ReturnType<typeof startHubs>>;

function challengePath(token: string, more: Record<string, string>): string {
  const query = new URLSearchParams({
    "hub.mode": "subscribe",
    "hub.topic": topic,
    "hub.challenge": "say-this",
    "hub.lease_seconds": "604800",
    ...more,
  });
  return `${hubPath}/${token}?${query}`;
}

function pingOf(body: string, signature?: string) {
  return { method: "POST", body, headers: signature === undefined ? {} : { "x-hub-signature": signature } };
}

const signed = (secret: string, body: string, method = "sha256") =>
  `${method}=${createHmac(method, secret).update(body).digest("hex")}`;

/** What the hub was told last: where to call, and what to sign with. */
function lastAsked({ hub }: Pick<Started, "hub">) {
  const form = hub.state.asked.at(-1);
  const [, token] =
    /^https:\/\/feeds\.example\/hubs\/([0-9a-f]{32})$/.exec(form?.get("hub.callback") ?? "") ?? [];
  const secret = form?.get("hub.secret") ?? "";
  assert.ok(token !== undefined && /^[0-9a-f]{64}$/.test(secret));
  return { token, secret };
}

/** A poll of the source begins. @returns ends it, with the next one an hour away */
async function startPoll({ db, id }: Started): Promise<() => Promise<void>> {
  await registerSources(db.main, [id]);
  await db.main.updateTable("sources").set({ next_poll_at: null }).where("id", "=", id).execute();
  const startedMs = performance.now();
  const [claimed] = await claimSources(db.main, { sources: [id], limit: 1, leaseMs: 60_000 });
  const lease = claimed?.lease_owner ?? null;
  assert.ok(lease !== null, "nobody else polls it");
  const poll = { id, lease, nextPollInMs: hourMs, error: null, walking: false };
  return () => savePoll(db.main, { ...poll, tookMs: performance.now() - startedMs });
}

async function pollInAnHour(hubs: Started): Promise<void> {
  await (await startPoll(hubs))();
}

/** Whether the next poll comes at once, or as soon as the last one is some seconds past; else it is an hour away. */
async function isDue({ db, id }: Started): Promise<boolean> {
  const dueInMs = await nextDueInMs(db.main, [id]);
  assert.ok(dueInMs !== null);
  return dueInMs < 30_000;
}

onBothEngines("subscriptions to hubs", async (context, engine) => {
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
  await context.test("a service that the internet does not reach asks no hub", async () => {
    await using hubs = await startHubs(db, { publicUrl: null });
    await hubs.follow();
    assert.equal(hubs.hub.state.asked.length, 0);
    assert.equal(await hubSubscription(db.main, hubs.id), null);
  });
});

onBothEngines("pings of hubs", async (context, engine) => {
  await using db = await testDb(engine);
  await context.test(
    "a ping makes the source due when it is signed, and does nothing when it is not",
    async () => {
      await using hubs = await startHubs(db);
      await hubs.follow();
      const { token, secret } = lastAsked(hubs);
      await hubs.challenge(token);
      const body = "<rss/>";
      const good = signed(secret, body);
      const forged: [token: string, body: string, signature?: string][] = [
        [token, body],
        [token, body, ""],
        [token, body, signed("another", body)],
        [token, `${body} `, good],
        [token, body, good.slice(0, -2)],
        [token, body, good.replace("sha256", "sha1")],
        [token, body, good.replace("sha256", "md5")],
        [token, body, good.slice("sha256=".length)],
        [token, body, signed("", body)],
        ["0".repeat(32), body, good],
      ];
      await pollInAnHour(hubs);
      for (const [told, sent, signature] of forged) {
        assert.equal(await hubs.ping(told, sent, signature), 204);
        assert.equal(await isDue(hubs), false, signature ?? "no signature");
      }
      assert.equal(await hubs.pingWithoutEnd("0".repeat(32)), 204, "what nobody asked for is not taken in");
      for (const method of ["sha1", "sha256", "sha384", "sha512"]) {
        assert.equal(await hubs.ping(token, body, signed(secret, body, method)), 204);
        assert.equal(await isDue(hubs), true, method);
        await pollInAnHour(hubs);
        assert.equal(await isDue(hubs), false);
      }
    },
  );
  await context.test("a ping that comes during a poll is not lost: the answer may be older", async () => {
    await using hubs = await startHubs(db);
    await hubs.follow();
    const { token, secret } = lastAsked(hubs);
    await hubs.challenge(token);
    const endPoll = await startPoll(hubs);
    await hubs.ping(token, "news", signed(secret, "news"));
    await endPoll();
    assert.equal(await isDue(hubs), true);
  });
  await context.test("a ping of over 2 MiB is not read", async () => {
    await using hubs = await startHubs(db);
    await hubs.follow();
    const { token, secret } = lastAsked(hubs);
    await hubs.challenge(token);
    await pollInAnHour(hubs);
    const most = "x".repeat(2 * 1024 * 1024);
    assert.equal(await hubs.ping(token, `${most}x`, signed(secret, `${most}x`)), 204);
    assert.equal(await isDue(hubs), false);
    assert.equal(await hubs.ping(token, most, signed(secret, most)), 204);
    assert.equal(await isDue(hubs), true);
  });
  await context.test(
    "while a renewal is not confirmed, the subscription that runs still counts",
    async () => {
      await using hubs = await startHubs(db);
      await hubs.follow();
      const { token, secret } = lastAsked(hubs);
      await hubs.challenge(token);
      hubs.state.aheadMs = 6 * dayMs + hourMs;
      hubs.hub.state.status = 500;
      await hubs.follow();
      assert.equal(hubs.hub.state.asked.length, 2);
      await pollInAnHour(hubs);
      // Nothing has come of the renewal; for the hub the lease has a day to run, and it signs as it was told.
      await hubs.ping(token, "news", signed(secret, "news"));
      assert.equal(await isDue(hubs), true);
    },
  );
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
