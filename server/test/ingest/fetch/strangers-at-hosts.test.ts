import assert from "node:assert/strict";
import type { RequestListener, ServerResponse } from "node:http";
import { test } from "node:test";
import { isOwnHost, strangersPace } from "../../../src/ingest/fetch/asker.ts";
import { Fetcher, type FetcherOptions } from "../../../src/ingest/fetch/fetcher.ts";
import { SharedHostGates } from "../../../src/ingest/fetch/host-gates.ts";
import { systemClock } from "../../../src/runtime/clock.ts";
import type { Db } from "../../../src/store/engine/db.ts";
import { forgetHosts, quietHosts } from "../../../src/store/intake/hosts.ts";
import { anyEngine, onAnyEngine, testDb } from "../../support/db.ts";
import { listenLocally } from "../../support/http.ts";

const requestsPerS = 100;

/** Fetches of two sources: the host's own, and one elsewhere that leads to it. */
function fetcherOf(db: Db, options: Partial<FetcherOptions> = {}) {
  const fetcher = new Fetcher({
    clock: systemClock,
    userAgent: "test",
    gates: new SharedHostGates(db),
    strangersPace: () => requestsPerS,
    isAllowed: () => true,
    ...options,
  });
  const fetch = (url: string, ownUrl: string) =>
    fetcher.fetch(
      { url, accept: "*/*", conditional: false, trusted: url === ownUrl },
      {
        validators: null,
        asker: { url: ownUrl, hosts: [], requests_per_s: requestsPerS },
        signal: AbortSignal.timeout(20_000),
      },
    );
  return {
    own: (url: string) => fetch(url, url),
    stranger: (url: string) => fetch(url, "http://elsewhere.example/feed"),
    redirected: (url: string) => fetch(url, url),
    [Symbol.asyncDispose]: () => fetcher[Symbol.asyncDispose](),
  };
}

/** Answers /feed at once; any other path when the test says so. */
function slowHost() {
  const waiting: ServerResponse[] = [];
  const asked = Promise.withResolvers<void>();
  const answer: RequestListener = ({ url }, response) => {
    if (url === "/feed") return void response.end("<rss/>");
    waiting.push(response);
    asked.resolve();
  };
  const release = () => {
    for (const response of waiting) response.end("slow");
  };
  return { answer, asked: asked.promise, release };
}

onAnyEngine("a redirect to a slow page of another's host does not hold up its owner", async (_, engine) => {
  await using db = await testDb(engine);
  await using fetches = fetcherOf(db);
  const slow = slowHost();
  await using victim = await listenLocally(slow.answer);
  await using evil = await listenLocally((_, response) =>
    response.writeHead(302, { location: `${victim.origin}/slow` }).end(),
  );
  const redirected = fetches.redirected(`${evil.origin}/feed`);
  await slow.asked;
  assert.equal((await fetches.own(`${victim.origin}/feed`)).status, "ok");
  slow.release();
  assert.equal((await redirected).status, "ok");
});

onAnyEngine("what a stranger is told to wait holds strangers alone", async (_, engine) => {
  await using db = await testDb(engine);
  await using fetches = fetcherOf(db);
  await using victim = await listenLocally(({ url }, response) => {
    if (url === "/feed") response.end("<rss/>");
    else response.writeHead(503, { "retry-after": "600" }).end();
  });
  await assert.rejects(fetches.stranger(`${victim.origin}/page`), /HTTP 503/);
  assert.equal((await fetches.own(`${victim.origin}/feed`)).status, "ok");
  await assert.rejects(fetches.stranger(`${victim.origin}/page`), /asked to wait/);
  assert.equal((await quietHosts(db.main)).size, 0, "the owner's health says nothing of it");
  await db.main
    .updateTable("hosts")
    .set({ next_at: new Date(0) })
    .execute();
  await forgetHosts(db.main);
  await assert.rejects(fetches.stranger(`${victim.origin}/page`), /asked to wait/);
  await assert.rejects(fetches.own(`${victim.origin}/other`), /HTTP 503/);
  await assert.rejects(fetches.own(`${victim.origin}/feed`), /asked to wait/);
});

onAnyEngine("strangers come behind the owners' turns, at their pace, over processes", async (_, engine) => {
  await using db = await testDb(engine);
  const never = new AbortController().signal;
  const [one, other] = [new SharedHostGates(db), new SharedHostGates(db)];
  const order: string[] = [];
  const visit = async (gates: SharedHostGates, who: string) => {
    const leave = await gates.enter("host:80", { requestsPerS: 10, isStranger: who === "stranger" }, never);
    order.push(who);
    leave();
  };
  const startedMs = performance.now();
  await visit(one, "owner");
  const owners = [visit(one, "owner"), visit(other, "owner")];
  await Promise.all([visit(one, "stranger"), visit(other, "stranger"), ...owners]);
  assert.deepEqual(order, ["owner", "owner", "owner", "stranger", "stranger"]);
  // Each turn is 100 ms behind the one before: never less, however slow the machine is.
  const tookMs = performance.now() - startedMs;
  assert.ok(tookMs > 4 * 100 - 5, `took ${tookMs} ms`);
});

test("a fetch at a host of others has a shorter cap, over all its redirects", async () => {
  await using db = await testDb(anyEngine);
  await using fetches = fetcherOf(db, { limits: { strangerMs: 30 } });
  const slow = slowHost();
  await using victim = await listenLocally(slow.answer);
  await using evil = await listenLocally((_, response) =>
    response.writeHead(302, { location: `${victim.origin}/slow` }).end(),
  );
  await assert.rejects(fetches.redirected(`${evil.origin}/feed`), /no complete answer within 30 ms/);
  await assert.rejects(fetches.stranger(`${victim.origin}/slow`), /no complete answer within 30 ms/);
});

test("slow large answers of strangers leave room for a source's own", async () => {
  await using db = await testDb(anyEngine);
  await using fetches = fetcherOf(db, { limits: { strangerMs: 2_000 } });
  const large = Buffer.alloc(1_500_000, " ");
  const open: ServerResponse[] = [];
  const drip: RequestListener = ({ url }, response) => {
    response.write(large);
    if (url === "/feed") response.end();
    else open.push(response);
  };
  await using first = await listenLocally(drip);
  await using second = await listenLocally(drip);
  await using victim = await listenLocally(drip);
  const strangers = [fetches.stranger(`${first.origin}/page`), fetches.stranger(`${second.origin}/page`)];
  const ended = Promise.allSettled(strangers);
  while (open.length < strangers.length) await new Promise(setImmediate);
  assert.equal((await fetches.own(`${victim.origin}/feed`)).status, "ok");
  for (const response of open) response.end();
  assert.deepEqual(
    (await ended).map(({ status }) => status),
    ["fulfilled", "fulfilled"],
  );
});

test("a source's own hosts are that of its address, those that it declares and what is under them", () => {
  const asker = { url: "https://feeds.news.example/rss", hosts: ["press.example"], requests_per_s: 0.1 };
  const own = ["feeds.news.example", "press.example", "www.press.example"];
  const others = ["news.example", "feeds.news.example:8443", "xpress.example", "other.example"];
  assert.deepEqual(
    [...own, ...others].filter((host) => isOwnHost(asker, host)),
    own,
  );
  const pace = strangersPace([
    { url: "https://a.example/1", requests_per_s: 3, enabled: true },
    { url: "https://a.example/2", requests_per_s: 2, enabled: true },
    { url: "https://a.example/3", requests_per_s: 1, enabled: false },
  ]);
  assert.deepEqual([pace("a.example"), pace("b.example")], [2, 5]);
});
