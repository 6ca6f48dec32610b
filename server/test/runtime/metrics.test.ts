import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, suite, test } from "node:test";
import { problem } from "@tapewire/contract/errors/errors.ts";
import { z } from "zod";
import { allQueries, metricsOf } from "../../../tools/grafana.ts";
import { PublishedMinutes } from "../../src/feed/published-minutes.ts";
import { publishedWatch } from "../../src/itemlog/metrics.ts";
import { silentLog } from "../../src/runtime/log.ts";
import { Metrics } from "../../src/runtime/metrics.ts";
import { parseExposition } from "../support/exposition.ts";
import { newItem } from "../support/items.ts";
import { startReceivers, until } from "../support/receiver.ts";
import { startService } from "../support/service.ts";
import { refusal } from "../support/stream-client.ts";
import { connect, notice, notices } from "../support/stream-connect.ts";

const symbol = "DEMO:BRND";

suite("/metrics", async () => {
  await using stack = new AsyncDisposableStack();
  const receivers = stack.use(await startReceivers({ "/broken": () => 500 }));
  const metricsToken = "tw_metrics_for_tests_only";
  const service = stack.use(
    await startService("pglite", { webhookAllow: ["127.0.0.0/8"], demo: "off", metricsToken }),
  );
  const held = stack.move();
  after(() => held.disposeAsync());
  const { key, account_id: accountId, id: keyId } = await service.key("pro");

  const scrape = async () => {
    const answer = await service.admin("GET", "/metrics");
    assert.equal(answer.status, 200);
    return parseExposition(await answer.text());
  };
  /** @returns reads a series as it stands at a scrape; 0 when there is none yet */
  const reader = async () => {
    const families = await scrape();
    return (series: string) => {
      const family = families.get(/^[a-z_]+?(?=(?:_sum|_count)?\{)/.exec(series)?.[0] ?? series);
      return family?.samples.get(series.includes("{") ? series : `${series}{}`) ?? 0;
    };
  };
  const call = async (method: string, path: string, body: object) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const answer = await fetch(service.url + path, { method, headers, body: JSON.stringify(body) });
    const text = await answer.text();
    assert.ok(answer.ok, text);
    return text;
  };
  const newEndpoint = async (path: string) => {
    const body = { url: receivers.url(path), filters: { symbols: [symbol] } };
    return z.object({ id: z.string() }).parse(JSON.parse(await call("POST", "/v1/webhooks", body))).id;
  };

  test("is for the admin token alone, and no part of the rate limits", async () => {
    for (const token of [undefined, key, "wrong"]) {
      const refused = await service.get("/metrics", token);
      assert.equal(refused.status, 401);
      assert.equal(refused.headers.get("www-authenticate"), "Bearer");
      assert.equal(problem.parse(await refused.json()).code, "unauthorized");
    }
    const answer = await service.admin("GET", "/metrics");
    assert.equal(answer.headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8");
    assert.equal(answer.headers.get("cache-control"), "no-store");
    assert.equal(answer.headers.get("ratelimit"), null);
    parseExposition(await answer.text());
    const head = await service.admin("HEAD", "/metrics");
    assert.equal(head.status, 200);
    assert.equal(await head.text(), "");
    assert.equal((await service.admin("POST", "/metrics")).status, 405);
  });

  test("opens to the scraper's token, which opens nothing else", async () => {
    parseExposition(await (await service.get("/metrics", metricsToken)).text());
    for (const path of ["/admin/v1/accounts", "/v1/me"])
      assert.equal((await service.get(path, metricsToken)).status, 401, path);
  });

  test("tells of requests, items, verdicts, streams, limits and deliveries as they happen", async () => {
    const endpoint = await newEndpoint("/hook");
    const broken = await newEndpoint("/broken");
    const before = await reader();
    await using client = await connect(service, key);
    await client.subscribe();
    const events = await fetch(`${service.url}/v1/stream/sse`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const [wanted, other] = [notice({ symbols: [symbol] }), notice()];
    await service.push(wanted, other);
    await service.push(wanted);
    await client.feeds(2);
    assert.equal((await service.get("/v1/feeds", key)).status, 200);
    assert.equal((await service.get("/v1/feeds?limit=x", key)).status, 400);
    assert.equal((await service.get("/v1/feeds/no-uuid", key)).status, 400);
    assert.equal((await service.get("/nothing/here")).status, 404);
    await call("POST", "/v1/score", {
      artifact: { type: "news", title: "Acme raises its outlook", body: "By a lot." },
    });
    await call("POST", `/v1/webhooks/${broken}/test`, {});
    const free = await service.key("free");
    await using only = await connect(service, free.key);
    assert.equal((await refusal(service.app.wsUrl, { key: free.key })).status, 429);
    for (let sent = 0; sent < 200; sent++) only.send({ type: "ping" });
    assert.equal((await only.closed).code, 4429);
    const delivered = 'tapewire_webhook_deliveries_total{outcome="delivered"}';
    // Of the test and of the item.
    const refused = 'tapewire_webhook_attempt_duration_seconds_count{outcome="refused"}';
    const matches = "tapewire_webhook_matches_total";
    const settled = (now: Scraped["now"]) =>
      now(matches) === before(matches) + 2 &&
      now('tapewire_webhook_endpoints{state="current"}') === 2 &&
      now(delivered) === before(delivered) + 1 &&
      now(refused) === before(refused) + 2 &&
      now("tapewire_webhook_exceptions") === 1 &&
      now("tapewire_webhook_lag_entries") === 0;
    await until(async () => settled(await reader()), "both deliveries are counted");
    const now = await reader();
    const scraped: Scraped = { now, moved: (series) => now(series) - before(series) };
    requestsAreTold(scraped);
    itemsAreTold(scraped);
    streamsAreTold(scraped);
    deliveriesAreTold(scraped);

    const text = await (await service.admin("GET", "/metrics")).text();
    for (const named of [endpoint, broken, accountId, keyId, symbol, new URL(receivers.url("/")).host])
      assert.ok(!text.includes(named), named);
    await events.body?.cancel();
  });

  test("answers while items, lists and other scrapes are under way", async () => {
    const load = Array.from({ length: 8 }, async () => {
      await service.push(...notices(100));
      await (await service.get("/v1/feeds?limit=100", key)).json();
    });
    const scrapes = await Promise.all(Array.from({ length: 8 }, scrape));
    await Promise.all(load);
    const [first] = scrapes;
    assert.ok(scrapes.every((families) => families.size === first?.size && families.size > 50));
  });

  test("has what docs/metrics.md lists, with its type and labels, and nothing else", async () => {
    const documented = new Map(
      readFileSync(new URL("../../../docs/metrics.md", import.meta.url), "utf8")
        .split("\n")
        .flatMap((line) => {
          const [, name, type, labels] = /^\| `(\w+)` \| (\w+) \| ([^|]*)\|/.exec(line) ?? [];
          return name === undefined ? [] : [[name, `${type} ${namesIn(labels ?? "")}`] as const];
        }),
    );
    const served = [...(await scrape())].map(
      ([name, { type, labels }]) => [name, `${type} ${[...labels].sort().join(" ")}`] as const,
    );
    const onLinux = process.platform === "linux" ? [] : ["process_open_fds", "process_max_fds"];
    for (const name of onLinux) documented.delete(name);
    assert.deepEqual(Object.fromEntries([...served].sort()), Object.fromEntries([...documented].sort()));
  });

  test("has every metric, label and value that the boards and alerts ask for", async () => {
    const families = await scrape();
    const missing = allQueries().flatMap(({ query, legend }) =>
      metricsOf(query).flatMap(({ name, matchers }) => {
        const family = families.get(name) ?? families.get(name.replace(/_(bucket|sum|count)$/, ""));
        if (family === undefined) return name === "up" ? [] : [`${query}: ${name}`];
        const series = [...family.samples.keys()];
        const values = matchers.flatMap(([label, value]) =>
          value.split("|").map((one) => `${label}="${one}"`),
        );
        const labels = [...`${query} ${legend}`.matchAll(/by \(([^)]*)\)|\{\{(\w+)\}\}/g)]
          .flatMap(([, by = "", shown = ""]) => [...by.split(", "), shown])
          .filter((label) => label !== "" && label !== "le" && label !== "instance");
        return [
          ...values.filter((value) => !series.some((one) => one.includes(value))),
          ...labels.filter((label) => !family.labels.has(label)),
        ].map((what) => `${query}: ${what}`);
      }),
    );
    assert.deepEqual(missing, []);
  });
});

/** How series stand at a scrape, and by how much each has grown since the scrape before. */
interface Scraped {
  readonly now: (series: string) => number;
  readonly moved: (series: string) => number;
}

function requestsAreTold({ moved }: Scraped): void {
  const requests = (labels: string) => moved(`tapewire_http_requests_total{${labels}}`);
  assert.equal(requests('route="/v1/feeds",method="GET",status="2xx"'), 1);
  assert.equal(requests('route="/v1/feeds",method="GET",status="4xx"'), 1);
  assert.equal(requests('route="/v1/feeds/{id}",method="GET",status="4xx"'), 1);
  assert.equal(requests('route="unknown",method="other",status="4xx"'), 1);
  assert.equal(moved('tapewire_http_request_duration_seconds_count{route="/v1/feeds",method="GET"}'), 2);
  assert.ok(moved('tapewire_http_request_duration_seconds_sum{route="/v1/feeds",method="GET"}') > 0);
}

function itemsAreTold({ now, moved }: Scraped): void {
  assert.equal(moved('tapewire_items_appended_total{outcome="created"}'), 2);
  assert.equal(moved('tapewire_items_appended_total{outcome="duplicate"}'), 1);
  assert.equal(moved("tapewire_log_head"), 2);
  assert.equal(moved("tapewire_index_items"), 2);
  assert.ok(moved("tapewire_index_body_bytes") > 0);
  assert.equal(moved('tapewire_item_latency_seconds_count{stage="receive_to_publish"}'), 2);
  assert.equal(moved('tapewire_item_latency_seconds_count{stage="source_to_publish"}'), 0);
  for (const part of ["items", "bodies", "scores", "other"])
    assert.ok(now(`tapewire_database_bytes{part="${part}"}`) > 8_000, part);
  assert.equal(now("tapewire_index_ready"), 1);
  assert.equal(moved("tapewire_scored_items_total"), 3);
  assert.ok(moved("tapewire_scored_items_seconds_total") > 0);
  assert.equal(moved('tapewire_score_duration_seconds_count{model="flash"}'), 1);
}

function streamsAreTold({ now, moved }: Scraped): void {
  assert.equal(now('tapewire_stream_connections{transport="websocket"}'), 1);
  assert.equal(now('tapewire_stream_connections{transport="sse"}'), 1);
  assert.equal(moved('tapewire_stream_opened_total{transport="websocket"}'), 2);
  assert.equal(now("tapewire_stream_subscriptions"), 2);
  assert.equal(moved("tapewire_stream_delivered_total"), 4);
  assert.equal(now("tapewire_stream_ring_items"), 2);
  assert.equal(moved('tapewire_stream_closes_total{code="4429",reason="too_many_frames"}'), 1);
  assert.equal(moved('tapewire_refusals_total{policy="streams"}'), 1);
}

function deliveriesAreTold({ now, moved }: Scraped): void {
  assert.equal(moved("tapewire_webhook_matches_total"), 2);
  const attempts = 'tapewire_webhook_attempt_duration_seconds_count{outcome="';
  assert.equal(moved(`${attempts}delivered"}`), 1);
  assert.equal(moved(`${attempts}refused"}`), 2);
  assert.ok(moved('tapewire_webhook_connections_total{kind="opened"}') >= 1);
  assert.equal(now('tapewire_webhook_endpoints{state="current"}'), 2);
  assert.equal(now("tapewire_webhook_exceptions"), 1);
  assert.equal(now("tapewire_webhook_shards"), 64);
  assert.equal(now("tapewire_webhook_lag_entries"), 0);
  const connections = (state: string) =>
    now(`tapewire_database_connections{pool="embedded",state="${state}"}`);
  assert.equal(connections("idle") + connections("busy"), 1);
  assert.ok(now("process_resident_memory_bytes") > 1e7 && now("process_cpu_seconds_total") > 0);
}

function namesIn(labels: string): string {
  return [...labels.matchAll(/`(\w+)`/g)]
    .map(([, name]) => name)
    .sort()
    .join(" ");
}

test("new items are measured up to their publication, unless they came late", async () => {
  const metrics = new Metrics(silentLog);
  const at = (second: number) => new Date(Date.UTC(2026, 2, 2, 14, 30, second));
  const watch = publishedWatch(metrics, { now: () => at(10) }, new PublishedMinutes());
  const { item } = newItem({ uniqueId: "guid:1" });
  const seen = (source: number | null, receivedS: number, revision = 0) => ({
    ...{ ...item, seq: 1, revision },
    ...{
      source_time: source === null ? null : at(source).toISOString(),
      scraped_at: at(receivedS).toISOString(),
    },
  });
  watch(seen(0, 9), "live");
  watch(seen(null, 8), "live");
  watch(seen(12, 10), "live");
  watch(seen(0, 7), "pushed");
  watch(seen(0, 0, 1), "live");
  watch(seen(0, 0), "backfill");
  const samples = parseExposition(await metrics.text()).get("tapewire_item_latency_seconds")?.samples;
  const read = (what: string, stage: string) =>
    samples?.get(`tapewire_item_latency_seconds_${what}{stage="${stage}"}`);
  assert.deepEqual([read("count", "source_to_publish"), read("sum", "source_to_publish")], [2, 10]);
  assert.deepEqual([read("count", "receive_to_publish"), read("sum", "receive_to_publish")], [4, 6]);
});

test("what cannot be read has no value, and keeps no other from being told; two services do not meet", async () => {
  const [one, other] = [new Metrics(silentLog), new Metrics(silentLog)];
  for (const metrics of [one, other]) {
    metrics.gauge({ name: "x_broken", help: "Never read." }, () => Promise.reject(new Error("away")));
    metrics.gauge({ name: "x_thrown", help: "Never read.", labels: ["of"] }, () => {
      throw new Error("away");
    });
    metrics.counter({ name: "x_kept_total", help: 'A quote: "\n.' }, () => 7);
  }
  other.gauge({ name: "x_more", help: "Of the other only.", labels: ["of"] }, () => [
    [{ of: 'a "b"\\\n' }, 1],
  ]);
  const found = parseExposition(await one.text());
  assert.deepEqual([...found.keys()], ["x_broken", "x_thrown", "x_kept_total"]);
  assert.deepEqual(
    [...found.values()].map(({ samples }) => samples.size),
    [0, 0, 1],
  );
  assert.equal(parseExposition(await other.text()).size, 4);
});
