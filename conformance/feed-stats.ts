import assert from "node:assert/strict";
import { type FeedStats, feedStats, statsAxes } from "@tapewire/contract/feed-reads/stats.ts";
import { planNames } from "@tapewire/contract/plans.ts";
import { type FilterQuery, matches, type Seeded } from "./items.ts";
import type { Live } from "./live.ts";
import type { Section } from "./section.ts";

const path = "/v1/feeds/stats";
const steps = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;

const stats = async (live: Live, query: FilterQuery, key?: string): Promise<FeedStats> =>
  (await live.get(path, { query, ...(key === undefined ? {} : { key }) })).read(feedStats);

/** The time around the items of the run. */
function rangeOf({ all }: Seeded): FilterQuery {
  const times = all.map(({ published_at }) => Date.parse(published_at));
  return {
    since: new Date(Math.min(...times)).toISOString(),
    until: new Date(Math.max(...times) + 1).toISOString(),
  };
}

/** The filters that choose items of the run only. */
const ownOnly = ({ sources, exchanges }: Seeded): readonly FilterQuery[] => [
  { aggregator: sources.join(",") },
  { aggregator: sources[0], actionability: "true" },
  { exchange: exchanges[0], sentiment_min: "6" },
  { aggregator: sources.join(","), market: "stock" },
];

/** Whether the service still holds all of the range, which a busy one may not. */
const isWhole = ({ complete }: FeedStats) => complete;

export const statistics: Section = {
  name: "GET /v1/feeds/stats",
  rules: {
    "200 has counts of the last 24 hours by hour": async (live) => {
      const found = await stats(live, {});
      assert.equal(found.interval, "hour");
      assert.ok(Date.parse(found.until) - Date.parse(found.from) <= 86_400_000);
      assert.ok(Math.abs(Date.parse(found.until) - Date.now()) < 60_000);
    },
    "the counts are those of the items that match the filters": async (live, items) => {
      for (const filter of ownOnly(items)) {
        const query = { ...filter, ...rangeOf(items) };
        const found = await stats(live, query);
        if (!isWhole(found)) continue;
        const own = items.all.filter((item) => matches(item, query));
        const scores = own.flatMap(({ scoring }) => scoring.sentiment_score ?? []);
        assert.deepEqual(found.totals, {
          items: own.length,
          actionable: own.filter(({ scoring }) => scoring.actionability === true).length,
          scored: scores.length,
          sentiment_sum: scores.reduce((sum, one) => sum + one, 0),
        });
      }
    },
    "interval minute, hour and day: points begin at whole intervals and sum to the totals": async (
      live,
      items,
    ) => {
      for (const [interval, stepMs] of Object.entries(steps)) {
        const query = { aggregator: items.sources.join(","), ...rangeOf(items), interval };
        const { series, totals } = await stats(live, query);
        const points = series.flatMap((one) => one.points);
        assert.ok(points.every(([startMs, count]) => startMs % stepMs === 0 && count > 0));
        assert.equal(
          points.reduce((sum, [, count]) => sum + count, 0),
          totals.items,
        );
      }
    },
    "by: a series per value, at most `top`, and one with the key null for the others": async (
      live,
      items,
    ) => {
      for (const by of statsAxes) {
        const found = await stats(live, { ...rangeOf(items), by, top: "2" });
        const keys = found.series.map(({ key }) => key);
        assert.ok(keys.filter((key) => key !== null).length <= (by === "none" ? 0 : 2), by);
        assert.ok(keys.indexOf(null) === -1 || keys.indexOf(null) === keys.length - 1, by);
      }
    },
    "by source and symbol: a series has the items that the filter of its key finds": async (live, items) => {
      const range = rangeOf(items);
      const own = { aggregator: items.sources.join(","), ...range };
      for (const [by, filter] of [
        ["source", "aggregator"],
        ["symbol", "symbol"],
      ] as const) {
        const found = await stats(live, { ...own, by, top: "12" });
        if (!isWhole(found)) continue;
        const named = found.series.filter(({ key }) => key !== null);
        assert.ok(named.length > 1, by);
        for (const { key, points } of named) {
          const query = { ...own, [filter]: key ?? "" };
          const count = items.all.filter((item) => matches(item, query)).length;
          assert.equal(
            points.reduce((sum, [, more]) => sum + more, 0),
            count,
            `${by} ${key}`,
          );
        }
      }
    },
    "by actionability_score: a series for each ten scores, the last with 100, and one of items without a score":
      async (live, items) => {
        const query = { aggregator: items.sources.join(","), ...rangeOf(items) };
        const found = await stats(live, { ...query, by: "actionability_score", top: "12" });
        if (!isWhole(found)) return;
        const binOf = ({ scoring: { actionability_score: score } }: (typeof items.all)[number]) =>
          score === null ? null : String(Math.min(90, 10 * Math.floor(score / 10)));
        const bins = Map.groupBy(
          items.all.filter((item) => matches(item, query)),
          binOf,
        );
        assert.deepEqual(
          new Map(
            found.series.map(({ key, points }) => [key, points.reduce((sum, [, more]) => sum + more, 0)]),
          ),
          new Map([...bins].map(([bin, own]) => [bin, own.length])),
        );
      },
    "400 for an unknown interval or axis, top outside 1 to 12, too many points, bad filters": async (
      live,
    ) => {
      const cases = [
        [{ interval: "week" }, "interval"],
        [{ by: "title" }, "by"],
        [{ top: "0" }, "top"],
        [{ top: "13" }, "top"],
        [{ since: "2020-01-01T00:00:00Z", until: "2020-02-01T00:00:00Z", interval: "minute" }, "interval"],
        [{ since: "2020-02-01T00:00:00Z", until: "2020-01-01T00:00:00Z" }, "since"],
        [{ since: "2999-01-01T00:00:00Z" }, "since"],
        [{ market: "junk" }, "market"],
      ] as const;
      for (const [query, field] of cases)
        await live.refuses("invalid_parameter", "GET", path, { query, fields: [field] });
    },
    "on every plan; the Free plan sees items only, and may not filter or group by scores": async (live) => {
      for (const plan of planNames) await stats(live, {}, await live.key(plan));
      const key = await live.key("free");
      const { totals, series } = await stats(live, { by: "source" }, key);
      assert.deepEqual([totals.actionable, totals.scored, totals.sentiment_sum], [null, null, null]);
      for (const { points } of series)
        assert.ok(points.every((point) => point.slice(2).every((value) => value === null)));
      for (const query of [
        "actionability=true",
        "by=sentiment",
        "by=actionability_score",
        "min_conviction=1",
      ])
        await live.refuses("plan_required", "GET", path, { key, query });
    },
    "uses no quota, and not the rate of the list": async (live) => {
      const { key } = await live.newKey({ plan: "pro" });
      const answer = await live.get(path, { key });
      const reference = await live.get("/v1/tags", { key });
      assert.equal(answer.header("ratelimit-policy"), reference.header("ratelimit-policy"));
    },
  },
};
