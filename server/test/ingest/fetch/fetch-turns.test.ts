import assert from "node:assert/strict";
import type { RequestListener } from "node:http";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { LocalHostGates } from "../../support/host-gates.ts";
import { failure, get, newFetcher, site } from "../../support/sites.ts";

test("one request at a time to a host, all of them served", async () => {
  let open = 0;
  let most = 0;
  await using server = await site((_, response) => {
    open += 1;
    most = Math.max(most, open);
    setTimeout(() => {
      open -= 1;
      response.end("<rss/>");
    }, 5);
  });
  await using fetcher = newFetcher();
  const paths = Array.from({ length: 12 }, (_, index) => `/${index}`);
  const all = await Promise.all(paths.map((path) => get(fetcher, server.url + path)));
  assert.equal(most, 1);
  assert.ok(all.every(({ status }) => status === "ok"));
  assert.deepEqual(
    server.requests.map(({ url }) => url),
    paths,
  );
});

test("two hosts do not wait for each other", async () => {
  const { promise: bothAsked, resolve } = Promise.withResolvers<void>();
  let asked = 0;
  const answer: RequestListener = (_, response) => {
    asked += 1;
    if (asked === 2) resolve();
    void bothAsked.then(() => response.end());
  };
  await using first = await site(answer);
  await using second = await site(answer);
  await using fetcher = newFetcher();
  const both = await Promise.all([get(fetcher, first.url), get(fetcher, second.url)]);
  assert.deepEqual(
    both.map(({ status }) => status),
    ["ok", "ok"],
  );
});

test("after a 429 the host is left alone as long as it asked", async () => {
  await using server = await site((request, response) => {
    if (request.url === "/busy") response.writeHead(429, { "retry-after": "3600" }).end();
    else response.end();
  });
  await using other = await site((_, response) => response.end());
  await using fetcher = newFetcher();
  const error = await failure(get(fetcher, `${server.url}/busy`));
  assert.deepEqual([error.status, error.retryAfterMs], [429, 3_600_000]);
  const stop = new AbortController();
  const reason = new Error("stopped");
  const waiting = get(fetcher, server.url, { signal: stop.signal });
  assert.equal((await get(fetcher, other.url)).status, "ok");
  stop.abort(reason);
  await assert.rejects(waiting, (thrown) => thrown === reason);
  assert.equal(server.requests.length, 1);
});

test("an abort ends a request under way, with its own reason", async () => {
  const stop = new AbortController();
  const reason = new Error("stopped");
  await using server = await site(() => stop.abort(reason));
  await using fetcher = newFetcher();
  await assert.rejects(get(fetcher, server.url, { signal: stop.signal }), (thrown) => thrown === reason);
});

test("the host's turn: who stops waiting leaves the queue to the others", async () => {
  const gates = new LocalHostGates();
  const signal = new AbortController().signal;
  const visit = { requestsPerS: 1_000, isStranger: false };
  const release = await gates.enter("a.example", visit, signal);
  const stop = new AbortController();
  const reason = new Error("stopped");
  const impatient = gates.enter("a.example", visit, stop.signal);
  const patient = gates.enter("a.example", visit, signal);
  stop.abort(reason);
  await assert.rejects(impatient, (thrown) => thrown === reason);
  const early = await Promise.race([patient.then(() => "entered"), delay(20, "waiting")]);
  assert.equal(early, "waiting");
  release();
  (await patient)();
  await assert.rejects(gates.enter("a.example", visit, stop.signal), (thrown) => thrown === reason);
  (await gates.enter("a.example", visit, signal))();
});

test("the wait for a host's turn is not part of the time limit, the requests of all hops are", async () => {
  await using server = await site((request, response) => {
    const left = Number(request.url?.slice(1));
    setTimeout(() => {
      if (left === 0) response.end("<rss/>");
      else response.writeHead(302, { location: `/${left - 1}` }).end();
    }, 100);
  });
  const gates = { enter: async () => delay(250, () => {}), pause: async () => {} };
  await using patient = newFetcher({ gates, limits: { totalMs: 600 } });
  assert.equal((await get(patient, `${server.url}/2`)).status, "ok");
  await using fetcher = newFetcher({ limits: { totalMs: 350 } });
  const error = await failure(get(fetcher, `${server.url}/5`));
  assert.deepEqual([error.message, error.status], ["no complete answer within 350 ms", null]);
  assert.ok(server.requests.length < 3 + 6);
});
