import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { problem } from "@tapewire/contract/errors/errors.ts";
import { anyEngine } from "../support/db.ts";
import { type Service, startService } from "../support/service.ts";
import { refusal, StreamClient } from "../support/stream-client.ts";
import { connect, notice, notices, titles } from "../support/stream-connect.ts";

describe("stream", () => {
  let service: Service;
  let key = "";
  before(async () => {
    service = await startService(anyEngine);
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
    for (const path of ["/v1/feeds", "/v1/stream/sse"]) {
      const elsewhere = await refusal(new URL(path, service.app.wsUrl).href, { key });
      assert.deepEqual([elsewhere.status, elsewhere.problem.code], [404, "not_found"]);
    }
  });

  test("plain HTTP is told how to connect", async () => {
    for (const path of ["/v1/stream", "/v1/stream/"]) {
      const answer = await service.get(path, key);
      assert.deepEqual([answer.status, answer.headers.get("upgrade")], [426, "websocket"]);
      const { code, detail } = problem.parse(await answer.json());
      assert.equal(code, "upgrade_required");
      assert.match(detail, /\/v1\/stream\?api_key=/);
    }
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
});
