import assert from "node:assert/strict";
import { problem } from "@tapewire/contract/errors/errors.ts";
import { type FeedStats, feedStats } from "@tapewire/contract/feed-reads/stats.ts";
import { type FeedItem, feedList } from "@tapewire/contract/feeds.ts";
import { systemClock } from "../../../src/runtime/clock.ts";
import { onAnyEngine } from "../../support/db.ts";
import { type Service, startService } from "../../support/service.ts";

const nowText = "2026-03-02T14:30:30.000Z";
const hourMs = 3_600_000;

const titles = [
  "Orbitex Robotics raises full-year guidance after record orders",
  "Brandmoor files for bankruptcy after fraud probe",
  "Five things to know about gardening",
];
/** One item every 20 minutes of a day and a half, told in turn by two wires about two symbols. */
const items = Array.from({ length: 108 }, (_, n) => ({
  external_id: String(n),
  title: `${titles[n % 3]}, part ${n}`,
  source: n % 4 === 0 ? "wire-b" : "wire-a",
  symbols: [...(n % 2 === 0 ? ["NASDAQ:AAPL"] : []), ...(n % 5 === 0 ? ["XETR:AAPL", "XQZ:NWHB"] : [])],
  tags: n % 3 === 0 ? ["earnings"] : [],
  published_at: new Date(Date.parse(nowText) - n * 20 * 60_000 - 60_000).toISOString(),
}));

type Tally = [items: number, actionable: number, scored: number, sum: number];

function tallyOf(held: readonly FeedItem[]): Tally {
  const scores = held.flatMap(({ scoring }) => scoring.sentiment_score ?? []);
  const actionable = held.filter(({ scoring }) => scoring.actionability === true).length;
  return [held.length, actionable, scores.length, scores.reduce((sum, one) => sum + one, 0)];
}

function pointsOf(held: readonly FeedItem[], stepMs: number) {
  const byStart = Map.groupBy(held, ({ published_at }) => Math.floor(Date.parse(published_at) / stepMs));
  return [...byStart]
    .sort(([x], [y]) => x - y)
    .map(([start, own]) => [start * stepMs, ...tallyOf(own)] as const);
}

async function refused(service: Service, key: string, query: string) {
  const response = await service.get(`/v1/feeds/stats?${query}`, key);
  const body = problem.parse(await response.json());
  return { status: response.status, code: body.code, names: body.errors?.map(({ name }) => name) ?? [] };
}

onAnyEngine("GET /v1/feeds/stats", async (context, engine) => {
  const clock = { ...systemClock, now: () => new Date(nowText) };
  const state = { aheadMs: 0 };
  await using service = await startService(engine, {
    clock: { ...clock, now: () => new Date(Date.parse(nowText) + state.aheadMs) },
  });
  const { key } = await service.key("pro");
  const { key: free } = await service.key("free");
  await service.push(...items);
  const read = async (query: string, as = key): Promise<FeedStats> => {
    const response = await service.get(`/v1/feeds/stats?${query}`, as);
    const text = await response.text();
    assert.equal(response.status, 200, text);
    return feedStats.strict().parse(JSON.parse(text));
  };
  const listed = async (query: string) =>
    feedList.parse(await (await service.get(`/v1/feeds?limit=200&${query}`, key)).json()).data;

  await context.test("without parameters: the last day by hour, one series", async () => {
    const found = await read("");
    const day = await listed("since=2026-03-01T14:30:30Z&until=2026-03-02T14:30:30Z");
    assert.equal(day.length, 72);
    const points = pointsOf(day, hourMs);
    assert.deepEqual(found.series, [{ key: null, label: "All", points }]);
    const [count, actionable, scored, sum] = tallyOf(day);
    assert.ok(actionable > 0 && actionable < count && scored > 0);
    assert.deepEqual(found.totals, { items: count, actionable, scored, sentiment_sum: sum });
    assert.deepEqual(
      [found.interval, found.from, found.until, found.complete],
      ["hour", "2026-03-01T14:30:30.000Z", nowText, true],
    );
  });

  await context.test("by minute and by day, between since and until", async () => {
    const range = "since=2026-03-02T00:00:00Z&until=2026-03-02T12:00:00Z";
    for (const [interval, stepMs] of [
      ["minute", 60_000],
      ["day", 24 * hourMs],
    ] as const) {
      const { series } = await read(`interval=${interval}&${range}`);
      assert.deepEqual(series[0]?.points, pointsOf(await listed(range), stepMs));
    }
  });

  await context.test("by an axis: each series is what the list finds with the key as filter", async () => {
    for (const [by, filter] of [
      ["source", "aggregator"],
      ["symbol", "symbol"],
      ["exchange", "exchange"],
      ["event", "event"],
      ["actionability", "actionability"],
      ["corp_activity", "corp_activity"],
    ] as const) {
      const range = "since=2026-03-01T20:00:00Z&until=2026-03-02T14:00:00Z";
      const { series, totals } = await read(`by=${by}&${range}&top=12`);
      const named = series.filter((one) => one.key !== null);
      assert.ok(named.length > 0, by);
      for (const one of named)
        assert.deepEqual(one.points, pointsOf(await listed(`${filter}=${one.key}&${range}`), hourMs), by);
      assert.equal(totals.items, (await listed(range)).length);
    }
  });

  await context.test("by actionability_score: bins of ten scores, named by the lowest of each", async () => {
    const range = "since=2026-03-01T20:00:00Z&until=2026-03-02T14:00:00Z";
    const { series } = await read(`by=actionability_score&${range}&top=12`);
    const bins = Map.groupBy(await listed(range), ({ scoring: { actionability_score: score } }) =>
      score === null ? null : String(Math.min(90, score - (score % 10))),
    );
    assert.ok(bins.size > 2);
    assert.deepEqual(
      new Map(series.map(({ key, points }) => [key, points])),
      new Map([...bins].map(([bin, own]) => [bin, pointsOf(own, hourMs)])),
    );
    for (const { key, label } of series)
      assert.equal(
        label,
        key === null ? "Other" : key === "90" ? "90 to 100" : `${key} to ${Number(key) + 9}`,
      );
  });

  await context.test(
    "top keeps the largest; the rest are one series, each of its items counted once",
    async () => {
      const { series, totals } = await read("by=sentiment&top=1");
      const sums = series.map(({ points }) => points.reduce((sum, [, count]) => sum + count, 0));
      assert.equal(series.length, 2);
      assert.equal(series[1]?.key, null);
      assert.equal(series[1]?.label, "Other");
      assert.ok((sums[0] ?? 0) > 0);
      assert.equal((sums[0] ?? 0) + (sums[1] ?? 0), totals.items);
    },
  );

  await context.test("labels are names to show", async () => {
    const labels = async (by: string) =>
      new Map((await read(`by=${by}`)).series.map((one) => [one.key, one.label]));
    assert.match((await labels("symbol")).get("AAPL") ?? "", /^Apple/);
    assert.equal((await labels("symbol")).get("NWHB"), "NWHB");
    assert.equal((await labels("corp_activity")).get("earnings"), "Earnings");
    assert.equal((await labels("actionability")).get("true"), "Actionable");
  });

  await context.test("filters mean what they mean in the list", async () => {
    for (const filter of ["symbol=NWHB", "aggregator=wire-b&actionability=true", "sentiment_min=6"]) {
      const { totals } = await read(`${filter}&since=2026-03-01T00:00:00Z`);
      assert.equal(totals.items, (await listed(`${filter}&since=2026-03-01T00:00:00Z`)).length, filter);
      assert.ok(totals.items > 0, filter);
    }
    assert.deepEqual((await read("symbol=NOSUCH&by=source")).series, []);
  });

  await context.test("a plan without scores sees items only, and may not ask by scores", async () => {
    const { series, totals } = await read("by=source", free);
    const whole = await read("by=source");
    assert.deepEqual(totals, { items: 72, actionable: null, scored: null, sentiment_sum: null });
    assert.deepEqual(
      series.map((one) => one.points),
      whole.series.map((one) => one.points.map(([start, count]) => [start, count, null, null, null])),
    );
    for (const query of [
      "actionability=true",
      "sentiment_min=1",
      "min_conviction=3",
      "by=sentiment",
      "by=actionability",
      "by=actionability_score",
    ])
      assert.deepEqual(await refused(service, free, query), {
        status: 403,
        code: "plan_required",
        names: [],
      });
  });

  await context.test("400 names the wrong parameter", async () => {
    const cases = [
      ["interval=week", "interval"],
      ["by=title", "by"],
      ["top=0", "top"],
      ["top=13", "top"],
      ["top=x", "top"],
      ["since=yesterday", "since"],
      ["since=2026-03-03T00:00:00Z", "since"],
      ["since=2026-03-02T00:00:00Z&until=2026-03-01T00:00:00Z", "since"],
      ["since=2026-02-02T00:00:00Z&interval=minute", "interval"],
      ["since=2021-01-01T00:00:00Z&interval=day", "interval"],
      ["market=junk", "market"],
      ["symbol=A&symbol=B", "symbol"],
    ];
    for (const [query = "", name] of cases)
      assert.deepEqual(
        await refused(service, key, query),
        { status: 400, code: "invalid_parameter", names: [name] },
        query,
      );
  });

  await context.test("1,500 points are allowed, one more is not", async () => {
    const until = "until=2026-03-02T00:00:00Z&interval=minute";
    await read(`since=2026-02-28T23:00:00Z&${until}`);
    assert.equal((await refused(service, key, `since=2026-02-28T22:59:59Z&${until}`)).status, 400);
  });

  await context.test("counts against the rate of reference reads, and no key gets 401", async () => {
    const { headers } = await service.get("/v1/feeds/stats", key);
    const reference = await service.get("/v1/tags", key);
    assert.equal(headers.get("ratelimit-policy"), reference.headers.get("ratelimit-policy"));
    assert.equal((await service.get("/v1/feeds/stats")).status, 401);
  });

  await context.test("is kept for five seconds, then counts what came meanwhile", async () => {
    const query = "since=2026-03-02T00:00:00Z&until=2026-03-02T15:00:00Z";
    const before = (await read(query)).totals.items;
    await service.push({ title: "Late words", source: "wire-c", published_at: "2026-03-02T14:00:00Z" });
    assert.equal((await read(query)).totals.items, before);
    for (const same of [
      `${query}&x=1`,
      `${query}&interval=hour&by=none&top=8&cursor=junk`,
      "until=2026-03-02T16:00:00%2B01:00&since=2026-03-02T00:00:00.000Z",
    ])
      assert.equal((await read(same)).totals.items, before, `${same} asks for the same`);
    state.aheadMs = 5_000;
    assert.equal((await read(query)).totals.items, before + 1);
  });
});
