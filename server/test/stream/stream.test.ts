import assert from "node:assert/strict";
import { once } from "node:events";
import { createConnection } from "node:net";
import { after, before, describe, test } from "node:test";
import { onBothEngines } from "../support/db.ts";
import { type Service, startService } from "../support/service.ts";
import { refusal, StreamClient } from "../support/stream-client.ts";

/** Unlike any other: what is not unlike would be a duplicate. */
let made = 0;
const notice = (facts: object = {}) => {
  made += 1;
  return { title: `Notice ${made}`, external_id: `notice-${made}`, ...facts };
};
const notices = (count: number, facts: object = {}) => Array.from({ length: count }, () => notice(facts));
const titles = (frames: readonly { data: { title: string | null } }[]) =>
  frames.map(({ data }) => data.title);

/** A connection with its welcome read. */
async function connect(service: Service, key: string): Promise<StreamClient> {
  const client = await StreamClient.connect(service.app.wsUrl, { key });
  await client.next("welcome");
  return client;
}

describe("stream", () => {
  let service: Service;
  let key = "";
  before(async () => {
    service = await startService("pglite");
    key = (await service.key("enterprise")).key;
  });
  after(() => service[Symbol.asyncDispose]());

  test("welcome comes first and tells tier and limits", async () => {
    const cases = [
      ["free", { realtime_feeds_per_day: 50, scored_feed: false }],
      ["starter", { realtime_feeds_per_day: 5000, scored_feed: true }],
      ["pro", { realtime_feeds_per_day: null, scored_feed: true }],
    ] as const;
    for (const [tier, limits] of cases) {
      await using client = await StreamClient.connect(service.app.wsUrl, {
        key: (await service.key(tier)).key,
      });
      assert.deepEqual(await client.next("welcome"), { type: "welcome", tier, limits });
    }
  });

  test("the key goes in api_key or in the Authorization header, on each of the paths", async () => {
    for (const path of ["/", "/v1/stream", "/v1/stream/"]) {
      const url = new URL(path, service.app.wsUrl).href;
      for (const options of [{ key }, { query: `api_key=${key}` }]) {
        await using client = await StreamClient.connect(url, options);
        await client.next("welcome");
      }
    }
  });

  test("an upgrade without a good key, or elsewhere, is refused with a problem document", async () => {
    for (const options of [{}, { key: "tw_live_x" }, { query: "api_key=" }, { key: service.adminToken }]) {
      const { status, headers, problem } = await refusal(service.app.wsUrl, options);
      assert.equal(status, 401);
      assert.equal(headers["www-authenticate"], "Bearer");
      assert.equal(headers["content-type"], "application/problem+json");
      assert.equal(problem.code, "unauthorized");
      assert.equal(problem.instance, "/v1/stream");
      assert.equal(headers["x-request-id"], problem.request_id);
    }
    const elsewhere = await refusal(new URL("/v1/feeds", service.app.wsUrl).href, { key });
    assert.deepEqual([elsewhere.status, elsewhere.problem.code], [404, "not_found"]);
  });

  test("nothing is delivered before a subscribe; its answer with the cursor comes before any item", async () => {
    await using client = await connect(service, key);
    await service.push(notice());
    const head = (await client.settle()).cursor;
    const subscribed = await client.subscribe({ id: "s1", filters: { symbols: ["obtx"] } });
    assert.equal(subscribed.cursor, head);
    assert.deepEqual(
      [subscribed.id, subscribed.filters, subscribed.resumed, subscribed.snapshot],
      ["s1", { symbols: ["OBTX"] }, false, 0],
    );
  });

  test("a pushed item arrives live, as the list shows it, with its latency", async () => {
    await using client = await connect(service, key);
    const { cursor } = await client.subscribe();
    const [result] = await service.push({
      title: "Orbitex Robotics raises full-year guidance",
      symbols: ["DEMO:OBTX"],
      published_at: "2026-03-02T14:30:00Z",
      external_id: "live",
    });
    const frame = await client.next("feed");
    assert.equal(frame.snapshot, false);
    assert.equal(frame.data.id, result?.id);
    assert.equal(frame.seq, frame.data.seq);
    assert.equal(frame.cursor, cursor.replace(/\d+$/, String(frame.seq)));
    assert.equal(frame.data.scoring.locked, false);
    assert.ok((frame.data.scoring.sentiment_short ?? 0) > 0);
    assert.equal(frame.latency.source_time, "2026-03-02T14:30:00.000Z");
    assert.equal(frame.latency.received_time, frame.data.scraped_at);
    assert.equal(
      frame.latency.source_to_publish_ms,
      Date.parse(frame.latency.publish_time) - Date.parse("2026-03-02T14:30:00Z"),
    );
  });

  test("a subscription gets what matches its filters, on every axis", async () => {
    const good = {
      title: "Orbitex Robotics raises full-year guidance again",
      symbols: ["DEMO:OBTX"],
      source: "axis-a",
      provider: "house-a",
      tags: ["earnings"],
    };
    const dull = { symbols: ["TEST:NWHB"], source: "axis-b", provider: "house-b", tags: ["gdp", "bond"] };
    const cases: [filters: object, good: boolean, dull: boolean][] = [
      [{}, true, true],
      [{ symbols: [] }, true, true],
      [{ symbols: ["obtx"] }, true, false],
      [{ symbols: ["TEST:NWHB", "DEMO:OBTX"] }, true, true],
      [{ exchanges: ["test"] }, false, true],
      [{ aggregators: ["AXIS-A"] }, true, false],
      [{ providers: ["House-B"] }, false, true],
      [{ actionability: true }, true, false],
      [{ actionability: false }, false, true],
      [{ sentiment_min: 6 }, true, false],
      [{ sentiment_max: 5 }, false, true],
      [{ tags: { corp_activity: ["earnings", "ipo"] } }, true, false],
      [{ tags: { economic_category: ["gdp"], market: ["bond", "etf"] } }, false, true],
      [{ tags: { economic_category: ["gdp"], corp_activity: ["earnings"] } }, false, false],
      [{ tags: { market_country: ["VA"] } }, false, false],
      [{ symbols: ["OBTX"], aggregators: ["axis-b"] }, false, false],
    ];
    await using stack = new AsyncDisposableStack();
    const clients: StreamClient[] = [];
    for (const [filters] of cases) {
      const client = stack.use(await connect(service, key));
      await client.subscribe({ filters });
      clients.push(client);
    }
    const last = "axis-end";
    await service.push(notice(good), notice(dull));
    for (const [index, [filters, wantsGood, wantsDull]] of cases.entries()) {
      const client = clients[index];
      const wanted = [...(wantsGood ? ["axis-a"] : []), ...(wantsDull ? ["axis-b"] : [])];
      const found = await client?.feeds(wanted.length);
      assert.deepEqual(
        found?.map(({ data }) => data.source),
        wanted,
        JSON.stringify(filters),
      );
      // What would come too much comes before this one.
      await client?.subscribe({ filters: { aggregators: [last] } });
    }
    await service.push(notice({ source: last }));
    for (const client of clients) assert.equal((await client.next("feed")).data.source, last);
  });

  test("a snapshot is the newest N that match, oldest first, then live", async () => {
    const source = "snap";
    const at = (minute: number) => `2026-03-03T10:0${minute}:00Z`;
    // Pushed out of order: the order of a snapshot is that of the list.
    await service.push(
      ...[3, 1, 4, 2].map((minute) => notice({ title: `M${minute}`, source, published_at: at(minute) })),
    );
    await using client = await connect(service, key);
    const subscribed = await client.subscribe({ snapshot: 3, filters: { aggregators: [source] } });
    assert.equal(subscribed.snapshot, 3);
    await service.push(notice({ title: "M0", source, published_at: at(0) }));
    const frames = await client.feeds(4);
    assert.deepEqual(titles(frames), ["M2", "M3", "M4", "M0"]);
    assert.deepEqual(
      frames.map(({ snapshot }) => snapshot),
      [true, true, true, false],
    );
  });

  test("a snapshot is clamped to 500 and says what it grants", async () => {
    await service.push(...notices(505, { source: "bulk" }));
    await using client = await connect(service, key);
    const subscribed = await client.subscribe({ snapshot: 9_999, filters: { aggregators: ["bulk"] } });
    assert.equal(subscribed.snapshot, 500);
    assert.ok((await client.feeds(500)).every(({ snapshot }) => snapshot));
    await service.push(notice({ source: "bulk" }));
    assert.equal((await client.next("feed")).snapshot, false);
  });

  test("count numbers the account's live items: rising, and unique over its connections", async () => {
    const { key: pro } = await service.key("pro");
    await using one = await connect(service, pro);
    await using two = await connect(service, pro);
    await one.subscribe({ filters: { aggregators: ["count"] } });
    await two.subscribe({ filters: { aggregators: ["count"] } });
    await service.push(...notices(20, { source: "count" }));
    const counts = await Promise.all(
      [one, two].map(async (client) => (await client.feeds(20)).map(({ count }) => count)),
    );
    for (const list of counts)
      assert.deepEqual(
        list,
        list.toSorted((a, b) => a - b),
      );
    assert.deepEqual(
      counts.flat().sort((a, b) => a - b),
      Array.from({ length: 40 }, (_, index) => index + 1),
    );
  });

  test("pong carries the head of the log, so that a rare filter advances too", async () => {
    await using client = await connect(service, key);
    const before = await client.subscribe({ filters: { symbols: ["NOBODY"] } });
    await using witness = await connect(service, key);
    await witness.subscribe();
    await service.push(notice());
    const seen = await witness.next("feed");
    let cursor = before.cursor;
    while (cursor !== seen.cursor) {
      assert.equal(cursor, before.cursor);
      ({ cursor } = await client.settle());
    }
  });

  test("a second subscribe replaces the filters, a bad one leaves the old in force", async () => {
    await using client = await connect(service, key);
    await client.subscribe({ filters: { aggregators: ["old"] } });
    await client.subscribe({ filters: { aggregators: ["new"] } });
    await service.push(notice({ source: "old" }), notice({ source: "new" }));
    assert.equal((await client.next("feed")).data.source, "new");
    client.send({ type: "subscribe", filters: { aggregator: ["old"] } });
    const error = await client.next("error");
    assert.deepEqual([error.code, error.fatal], ["invalid_frame", false]);
    assert.match(error.message, /filters\.aggregator: unknown member/);
    client.send({ type: "subscribe", after: "x.1", snapshot: 1, id: 9 });
    const both = await client.next("error");
    assert.deepEqual([both.code, both.id], ["invalid_frame", 9]);
    await service.push(notice({ source: "old" }), notice({ source: "new" }));
    assert.equal((await client.next("feed")).data.source, "new");
  });

  test("unsubscribe stops delivery and keeps the connection", async () => {
    await using client = await connect(service, key);
    await client.subscribe({ filters: { aggregators: ["on-off"] } });
    client.send({ type: "unsubscribe", id: "u" });
    assert.equal((await client.next("unsubscribed")).id, "u");
    await service.push(notice({ source: "on-off" }));
    await client.subscribe({ filters: { aggregators: ["on-off"] } });
    const [later] = notices(1, { source: "on-off" });
    await service.push(later ?? notice());
    assert.equal((await client.next("feed")).data.title, later?.title);
  });

  test("a cursor that is not of this log goes on live and says so", async () => {
    await using client = await connect(service, key);
    const [epoch, seq] = (await client.settle()).cursor.split(".");
    for (const cursor of ["nonsense", "", `other.${seq}`, `${epoch}.${Number(seq) + 1}`, `${epoch}.-1`]) {
      const subscribed = await client.subscribe({ after: cursor, filters: { aggregators: ["after"] } });
      assert.deepEqual(
        [subscribed.resumed, subscribed.reason, subscribed.oldest],
        [false, "cursor_unknown", `${epoch}.0`],
      );
    }
    const known = notice({ source: "after" });
    await service.push(known);
    assert.equal((await client.next("feed")).data.title, known.title);
  });

  test("three bad frames close 4500, a binary one is bad", async () => {
    await using client = await connect(service, key);
    client.sendRaw("{");
    client.sendRaw(Buffer.from('{"type":"ping"}'));
    client.send({ type: "nonsense" });
    const errors = [await client.next("error"), await client.next("error"), await client.next("error")];
    assert.deepEqual(
      errors.map(({ fatal }) => fatal),
      [false, false, true],
    );
    assert.equal((await client.closed).code, 4500);
  });

  test("a frame of 64 KiB is read, one over it closes 1009", async () => {
    await using client = await connect(service, key);
    client.sendRaw(" ".repeat(64 * 1024));
    assert.match((await client.next("error")).message, /not JSON/);
    client.sendRaw(" ".repeat(64 * 1024 + 1));
    assert.equal((await client.closed).code, 1009);
  });

  test("a revoked key gets an error frame and 4501, its account's other key stays", async () => {
    const first = await service.key("pro");
    const answer = await service.admin("POST", "/admin/v1/keys", { account_id: first.account_id });
    const second: unknown = await answer.json();
    assert.ok(typeof second === "object" && second !== null && "key" in second);
    await using ended = await connect(service, first.key);
    await using kept = await connect(service, String(second.key));
    await service.admin("DELETE", `/admin/v1/keys/${first.id}`);
    const error = await ended.next("error");
    assert.deepEqual([error.code, error.fatal], ["key_revoked", true]);
    assert.equal((await ended.closed).code, 4501);
    await kept.settle();
  });

  test("a change of plan gets an error frame and 4503", async () => {
    const { key: pro, account_id } = await service.key("pro");
    await using client = await connect(service, pro);
    await service.admin("PATCH", `/admin/v1/accounts/${account_id}`, { name: "another name" });
    await service.admin("PATCH", `/admin/v1/accounts/${account_id}`, { plan: "quant" });
    const error = await client.next("error");
    assert.deepEqual([error.code, error.fatal], ["plan_changed", true]);
    assert.equal((await client.closed).code, 4503);
  });

  test("a second connection on Free is refused with 429 until the first has ended", async () => {
    const free = await service.key("free");
    const first = await connect(service, free.key);
    for (let i = 0; i < 2; i++) {
      const { status, problem } = await refusal(service.app.wsUrl, { key: free.key });
      assert.deepEqual([status, problem.code], [429, "too_many_connections"]);
    }
    await first.close();
    await using again = await connectAgain(service, free.key);
    await again.settle();
  });

  test("upgrades that are refused or broken off do not use up the connections of a plan", async () => {
    const free = await service.key("free");
    for (let i = 0; i < 5; i++) {
      const { status } = await service.get("/v1/stream", free.key);
      assert.equal(status, 404);
      await brokenUpgrade(service.url, free.key);
      // The first of them is looked up in the database: it goes while its key is not yet known.
      await service.admin("PATCH", `/admin/v1/accounts/${free.account_id}`, { name: `name ${i}` });
    }
    await using client = await connectAgain(service, free.key);
    await client.settle();
  });
});

/** Asks for an upgrade, and is gone before the answer. */
async function brokenUpgrade(url: string, key: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = createConnection(Number(port), hostname);
  await once(socket, "connect");
  const head = [
    "GET /v1/stream HTTP/1.1",
    "Host: x",
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
    `Authorization: Bearer ${key}`,
  ];
  socket.on("error", () => {});
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.write(`${head.join("\r\n")}\r\n\r\n`, () => socket.resetAndDestroy());
  await closed;
}

/** The server hears of the end of a connection after its client: until then it still counts. */
async function connectAgain(service: Service, key: string): Promise<StreamClient> {
  // Bounded, so that a connection that is never taken off the count fails the test.
  for (let tries = 1; ; tries++) {
    try {
      return await connect(service, key);
    } catch (error) {
      if (!String(error).includes("429") || tries === 300) throw error;
    }
  }
}

describe("stream on the Free plan", () => {
  const now = { at: new Date("2026-03-02T12:00:00Z") };
  // A day's end comes when the test says so.
  const sleepers = new Set<() => void>();
  const clock = {
    now: () => now.at,
    sleep: (ms: number, signal?: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        const wakeAtMs = now.at.getTime() + ms;
        const wake = () => {
          if (now.at.getTime() < wakeAtMs && ms > 60_000) return;
          sleepers.delete(wake);
          resolve();
        };
        sleepers.add(wake);
        signal?.addEventListener("abort", () => {
          sleepers.delete(wake);
          reject(signal.reason);
        });
        if (signal?.aborted === true) reject(signal.reason);
        // Short waits are of loops that only have to go on.
        if (ms <= 60_000) setTimeout(wake, 20);
      }),
  };
  const moveTo = (time: string) => {
    now.at = new Date(time);
    for (const wake of [...sleepers]) wake();
  };
  let service: Service;
  before(async () => {
    service = await startService("pglite", { clock });
  });
  after(() => service[Symbol.asyncDispose]());

  test("items are locked; 50 a day, one quota_exceeded, silence; after 00:00 UTC delivery goes on", async () => {
    const free = await service.key("free");
    await using client = await connect(service, free.key);
    await client.subscribe();
    await service.push(...notices(55, { symbols: ["DEMO:OBTX"] }));
    const frames = await client.feeds(50);
    assert.deepEqual(
      frames.map(({ count }) => count),
      Array.from({ length: 50 }, (_, index) => index + 1),
    );
    for (const { data } of frames) {
      const { locked, message, ...scores } = data.scoring;
      assert.equal(locked, true);
      assert.match(message ?? "", /Free/);
      assert.deepEqual([...new Set(Object.values(scores))], [null]);
    }
    const exceeded = await client.next("quota_exceeded");
    assert.equal(exceeded.limit, 50);
    assert.match(exceeded.message, /00:00 UTC/);
    await service.push(...notices(3));
    await client.settle();
    moveTo("2026-03-02T23:59:59.999Z");
    await service.push(notice());
    await client.settle();
    moveTo("2026-03-03T00:00:00.000Z");
    // It goes on from the tip: what was missed is not made up for.
    await client.settle();
    const next = notice();
    await service.push(next);
    const frame = await client.next("feed");
    assert.deepEqual([frame.data.title, frame.count], [next.title, 1]);
  });

  test("a filter on scores matches nothing: withheld scores are null, and a filter must not tell them", async () => {
    const free = await service.key("free");
    await using client = await connect(service, free.key);
    await service.push(notice());
    await client.subscribe({ filters: { sentiment_min: 0 }, snapshot: 10 });
    await service.push(notice());
    await client.settle();
    await client.subscribe({ filters: { actionability: false } });
    await service.push(notice());
    await client.settle();
    // Without scores asked for it gets the next, and that is its first of the day.
    await client.subscribe({ filters: {} });
    const last = notice();
    await service.push(last);
    const frame = await client.next("feed");
    assert.deepEqual([frame.data.title, frame.count, frame.snapshot], [last.title, 1, false]);
  });

  test("an account that moves to a larger plan at its cap gets items the same day", async () => {
    const { key, account_id } = await service.key("free");
    {
      await using client = await connect(service, key);
      await client.subscribe();
      await service.push(...notices(51));
      await client.feeds(50);
      await client.next("quota_exceeded");
    }
    await service.admin("PATCH", `/admin/v1/accounts/${account_id}`, { plan: "pro" });
    await using client = await connect(service, key);
    await client.subscribe();
    const next = notice();
    await service.push(next);
    const frame = await client.next("feed");
    assert.deepEqual([frame.data.title, frame.count], [next.title, 51]);
  });

  test("an account that moves to a smaller plan above its cap gets no more that day", async () => {
    const { key, account_id } = await service.key("pro");
    {
      await using client = await connect(service, key);
      await client.subscribe();
      await service.push(...notices(60));
      await client.feeds(60);
    }
    await service.admin("PATCH", `/admin/v1/accounts/${account_id}`, { plan: "free" });
    await using client = await connectAgain(service, key);
    await client.subscribe();
    await service.push(notice());
    assert.equal((await client.next("quota_exceeded")).limit, 50);
  });

  test("50 snapshot items a day are granted, free of the cap of live items", async () => {
    const { key } = await service.key("free");
    await using client = await connect(service, key);
    assert.equal((await client.subscribe({ snapshot: 40 })).snapshot, 40);
    const frames = await client.feeds(40);
    assert.ok(frames.every(({ data, snapshot }) => snapshot && data.scoring.locked));
    assert.equal((await client.subscribe({ snapshot: 40 })).snapshot, 10);
    await client.feeds(10);
    assert.equal((await client.subscribe({ snapshot: 40 })).snapshot, 0);
    await service.push(notice());
    assert.equal((await client.next("feed")).count, 1);
  });

  test("an expired key gets an error frame and 4501", async () => {
    const expires_at = new Date(now.at.getTime() + 60_000).toISOString();
    const answer = await service.admin("POST", "/admin/v1/keys", { plan: "pro", expires_at });
    const created: unknown = await answer.json();
    assert.ok(typeof created === "object" && created !== null && "key" in created);
    await using client = await connect(service, String(created.key));
    moveTo(expires_at);
    assert.equal((await client.next("error")).code, "key_revoked");
    assert.equal((await client.closed).code, 4501);
  });
});

onBothEngines("a stream resumes behind its cursor", async (context, engine) => {
  await using service = await startService(engine);
  const { key } = await service.key("pro");
  const filters = { aggregators: ["resume"] };
  const items = notices(12, { source: "resume" });
  const titlesOf = (from: number, to: number) => items.slice(from, to).map(({ title }) => title);
  let cursor = "";

  await context.test("across a reconnect without gap or double, and then live", async () => {
    {
      await using first = await connect(service, key);
      await first.subscribe({ filters });
      await service.push(...items.slice(0, 6));
      const frames = await first.feeds(3);
      assert.deepEqual(titles(frames), titlesOf(0, 3));
      cursor = frames.at(-1)?.cursor ?? "";
    }
    await service.push(notice({ source: "other" }), ...items.slice(6, 9));
    await using second = await connect(service, key);
    const subscribed = await second.subscribe({ filters, after: cursor });
    assert.deepEqual([subscribed.resumed, subscribed.cursor, subscribed.snapshot], [true, cursor, 0]);
    await service.push(...items.slice(9));
    const frames = await second.feeds(9);
    assert.deepEqual(titles(frames), titlesOf(3, 12));
    assert.ok(frames.every(({ snapshot }) => !snapshot));
  });
  await context.test("from the very first item, when the cursor is the oldest", async () => {
    await using client = await connect(service, key);
    const { oldest = "" } = await client.subscribe({ filters, after: "unknown" });
    await client.subscribe({ filters, after: oldest });
    assert.deepEqual(titles(await client.feeds(12)), titlesOf(0, 12));
  });
  await context.test("on the restarted service, from the cursor in the reason of its 1012", async () => {
    const client = await connect(service, key);
    await client.subscribe({ filters });
    const last = notice({ source: "resume" });
    await service.push(last);
    const frame = await client.next("feed");
    await service.app[Symbol.asyncDispose]();
    const { code, reason } = await client.closed;
    assert.equal(code, 1012);
    assert.equal(reason, `cursor=${frame.cursor}`);
    await using again = await startService(engine, {
      dataDir: service.config.dataDir,
      databaseUrl: service.config.databaseUrl,
    });
    await using resumed = await connect(again, key);
    assert.equal((await resumed.subscribe({ filters, after: reason.slice("cursor=".length) })).resumed, true);
    await resumed.settle();
    const next = notice({ source: "resume" });
    await again.push(next);
    assert.equal((await resumed.next("feed")).data.title, next.title);
  });
});
