import assert from "node:assert/strict";
import { feedList } from "@tapewire/contract/feeds.ts";
import { type FilterQuery, matches, type Seeded } from "./items.ts";
import type { Live } from "./live.ts";
import type { Rule, Section } from "./section.ts";

/** Values of each filter, and the least number of the run's items that must match, so that no case is empty. */
function axes({ all, sources, exchanges, tickers }: Seeded) {
  const middle = all[Math.floor(all.length / 2)]?.published_at ?? "";
  return {
    since: [middle],
    until: [middle],
    actionability: ["true", "false"],
    sentiment_min: ["6", "0"],
    sentiment_max: ["4", "10"],
    min_conviction: ["1", "0"],
    min_actionability_score: ["50", "0"],
    event: ["guidance_raised", "Guidance_Raised,earnings_miss"],
    exchange: [exchanges[0], exchanges.join(",")],
    symbol: [tickers[0], `${exchanges[1]}:${tickers[0]}`, `${tickers[1]},${tickers[2]}`],
    corp_activity: ["earnings", "earnings,dividends"],
    market: ["stock", "stock,economic"],
    market_country: ["DE", "DE,JP"],
    economic_category: ["prices", "prices,money"],
    aggregator: [sources[0], sources.join(",")],
    q: ["Guidance", '"full-year guidance" -part'],
  } as const satisfies Record<string, readonly string[]>;
}

/** Compares the filtered list with the same filters applied to the single reads. */
async function agrees(live: Live, items: Seeded, query: FilterQuery): Promise<number> {
  const own = { aggregator: items.sources.join(","), ...query };
  const answer = await live.get("/v1/feeds", { query: { limit: 1000, ...own } });
  const want = items.all.filter((item) => matches(item, own)).map(({ id }) => id);
  const got = answer.read(feedList).data.map(({ id }) => id);
  assert.deepEqual(got, want, JSON.stringify(own));
  return want.length;
}

const each =
  (name: keyof ReturnType<typeof axes>): Rule =>
  async (live, items) => {
    for (const value of axes(items)[name]) {
      const found = await agrees(live, items, { [name]: value });
      assert.ok(found > 0, `no item of the run has ${name}=${value}`);
    }
  };

/** Values that a parameter must refuse. `limit` and `cursor` are tested with paging. */
const refused = {
  since: ["", "0", "yesterday", "2026-03-02", "2026-03-02T14:30:00", "2026-02-30T00:00:00Z", "1772461800"],
  until: ["", "x", "2026-13-01T00:00:00Z", "2026-03-02T25:00:00Z", "10000-01-01T00:00:00Z"],
  actionability: ["", "TRUE", "1", "yes", "null", "true,false"],
  sentiment_min: ["", "-1", "11", "1.5", "x", "1e1", " 5", "+5", "99999999999999999999"],
  sentiment_max: ["", "-1", "11", "1.5", "x", "0x5", "NaN"],
  min_conviction: ["", "-1", "101", "1.5", "x", "1e1"],
  min_actionability_score: ["", "-1", "101", "0x5", "NaN"],
  event: ["", "no_such_event", "guidance_raised,no_such_event", ","],
  exchange: ["", ",", "A,,B", "\u0000", "x".repeat(201)],
  symbol: ["", ",", "AAPL,", "\u0007", "x".repeat(201)],
  aggregator: ["", ",", "a,", "\u0000"],
  corp_activity: ["", "no_such_value", "earnings,no_such_value", ","],
  market: ["", "no_such_value"],
  market_country: ["", "XX", "USA", "DE,ZZ", "D"],
  economic_category: ["", "no_such_value"],
  q: ["", " ", "-", '""', "a b c d e f g h i", "x".repeat(201), "a\u0000"],
} as const satisfies Record<string, readonly string[]>;

const refusal =
  (name: keyof typeof refused): Rule =>
  async (live) => {
    for (const value of refused[name])
      await live.refuses("invalid_parameter", "GET", "/v1/feeds", {
        query: { [name]: value },
        fields: [name],
      });
  };

export const feeds: Section = {
  name: "GET /v1/feeds",
  rules: {
    "200 is a FeedList, reverse-chronological by published_at, then id": async (live, items) => {
      assert.equal(await agrees(live, items, {}), items.all.length);
    },
    "without filters the list has all items, newest first": async (live) => {
      const { data } = (await live.get("/v1/feeds")).read(feedList);
      const times = data.map(({ published_at }) => published_at);
      assert.deepEqual(times, times.toSorted().toReversed());
      assert.ok(data.length > 0);
    },
    "403 plan_required on the Free plan": async (live) => {
      await live.refuses("plan_required", "GET", "/v1/feeds", { key: await live.key("free") });
    },
    "200 on every paid plan": async (live) => {
      for (const plan of ["starter", "pro", "quant", "enterprise"] as const)
        await live.get("/v1/feeds", { query: { limit: 1 }, key: await live.key(plan) });
    },
    "since filters": each("since"),
    "until filters": each("until"),
    "aggregator filters by source name": each("aggregator"),
    "actionability filters; an item that was not scored never matches": each("actionability"),
    "sentiment_min filters; an item without a score never matches": each("sentiment_min"),
    "sentiment_max filters; an item without a score never matches": each("sentiment_max"),
    "min_conviction filters; an item without a score never matches": each("min_conviction"),
    "min_actionability_score filters; an item without a score never matches": each("min_actionability_score"),
    "event filters, kinds are OR-ed": each("event"),
    "exchange filters": each("exchange"),
    "symbol filters by short symbol, or EXCHANGE:TICKER": each("symbol"),
    "corp_activity filters, values are OR-ed": each("corp_activity"),
    "market filters, values are OR-ed": each("market"),
    "market_country filters, values are OR-ed": each("market_country"),
    "economic_category filters, values are OR-ed": each("economic_category"),
    "q: words of the title, phrases, and words that must not be in it": each("q"),
    "filters combine: an item must match both filters of every pair": async (live, items) => {
      const list = Object.entries(axes(items));
      let met = 0;
      for (const [i, [a, [first]]] of list.entries())
        for (const [b, values] of list.slice(i + 1)) {
          const second = values.at(-1) ?? "";
          if (a !== "since" || b !== "until") met += await agrees(live, items, { [a]: first, [b]: second });
        }
      assert.ok(met > 0);
    },
    "across tag dimensions values are AND-ed": async (live, items) => {
      const { all } = items;
      const both = { corp_activity: "earnings,dividends", market: "stock" };
      const either = all.filter((item) => matches(item, { market: "stock" }));
      assert.ok((await agrees(live, items, both)) < either.length);
      assert.equal(await agrees(live, items, { corp_activity: "ipo", market_country: "DE" }), 0);
    },
    "null scores match neither actionability=true nor false, nor any sentiment bound": async (
      live,
      items,
    ) => {
      const unscored = items.all.filter(({ scoring }) => scoring.actionability === null);
      assert.ok(unscored.length > 0, "the run has no item without scores");
      const yes = await agrees(live, items, { actionability: "true" });
      const no = await agrees(live, items, { actionability: "false" });
      assert.equal(yes + no + unscored.length, items.all.length);
      const scored = items.all.filter(({ scoring }) => scoring.sentiment_score !== null);
      assert.equal(await agrees(live, items, { sentiment_min: "0", sentiment_max: "10" }), scored.length);
    },
    "sentiment bounds are inclusive": async (live, items) => {
      const scores = new Set(items.all.map(({ scoring }) => scoring.sentiment_score));
      for (const score of scores) {
        const bound = String(score ?? 5);
        await agrees(live, items, { sentiment_min: bound, sentiment_max: bound });
      }
    },
    "since is inclusive, until exclusive": async (live, items) => {
      const time = items.all[4]?.published_at ?? "";
      const next = new Date(Date.parse(time) + 1).toISOString();
      const at = items.all.filter(({ published_at }) => published_at === time).length;
      assert.equal(await agrees(live, items, { since: time, until: next }), at);
      const before = new Date(Date.parse(time) - 1).toISOString();
      assert.equal(await agrees(live, items, { since: before, until: time }), 0);
    },
    "date-times may have any offset, fractions or none, and Z in either case": async (live, items) => {
      const time = items.all[6]?.published_at ?? "";
      const count = await agrees(live, items, { since: time });
      const local = new Date(Date.parse(time) + 5.5 * 3_600_000).toISOString().slice(0, 19);
      for (const form of [`${local}+05:30`, time.replace(".000Z", "Z"), time.replace(".000Z", ".000000Z")])
        assert.equal(await agrees(live, items, { since: form }), count, form);
    },
    "case of symbol, exchange, aggregator and tags does not matter": async (live, items) => {
      const { sources, exchanges, tickers } = items;
      const symbol = `${exchanges[0]}:${tickers[0]}`.toLowerCase();
      const mixed: FilterQuery[] = [
        { symbol },
        { exchange: exchanges[0].toLowerCase() },
        { market_country: "de" },
      ];
      for (const query of mixed) assert.ok((await agrees(live, items, query)) > 0);
      assert.ok((await agrees(live, items, { aggregator: sources[0].toUpperCase() })) > 0);
    },
    "comma-separated lists of symbol, exchange and aggregator are OR-ed": async (live, items) => {
      const { tickers, exchanges, sources } = items;
      const lists: FilterQuery[] = [
        { symbol: tickers.join(",") },
        { symbol: ` ${tickers[1]} , ${tickers[2]} ` },
        { exchange: exchanges.join(",") },
        { aggregator: sources.join(",") },
      ];
      for (const query of lists) assert.ok((await agrees(live, items, query)) > 0);
    },
    "a filter takes 50 values, not 51": async (live) => {
      const values = (count: number) => Array.from({ length: count }, (_, n) => `V${n}`).join(",");
      await live.get("/v1/feeds", { query: { symbol: values(50) } });
      await live.refuses("invalid_parameter", "GET", "/v1/feeds", {
        query: { symbol: values(51) },
        fields: ["symbol"],
      });
    },
    "market_country takes any ISO 3166-1 alpha-2 code; a code without data gives no rows": async (live) => {
      const { data, next_cursor } = (await live.get("/v1/feeds", { query: { market_country: "BV" } })).read(
        feedList,
      );
      assert.deepEqual([data, next_cursor], [[], null]);
    },
    "an unknown name gives no rows": async (live) => {
      for (const name of ["symbol", "exchange", "aggregator"]) {
        const answer = await live.get("/v1/feeds", { query: { [name]: `nobody-${live.run}` } });
        assert.deepEqual(answer.read(feedList), { data: [], next_cursor: null });
      }
    },
    "400 since: refused values": refusal("since"),
    "400 until: refused values": refusal("until"),
    "400 actionability: refused values": refusal("actionability"),
    "400 sentiment_min: refused values": refusal("sentiment_min"),
    "400 sentiment_max: refused values": refusal("sentiment_max"),
    "400 min_conviction: refused values": refusal("min_conviction"),
    "400 q: refused values": refusal("q"),
    "400 min_actionability_score: refused values": refusal("min_actionability_score"),
    "400 event: an unknown kind": refusal("event"),
    "400 exchange: refused values": refusal("exchange"),
    "400 symbol: refused values": refusal("symbol"),
    "400 aggregator: refused values": refusal("aggregator"),
    "400 corp_activity: an unknown value, with the allowed list": async (live, items) => {
      await refusal("corp_activity")(live, items);
      const { detail } = await live.refuses("invalid_parameter", "GET", "/v1/feeds", {
        query: { corp_activity: "no_such_value" },
      });
      assert.match(detail, /earnings.*dividends/s);
    },
    "400 market: an unknown value": refusal("market"),
    "400 market_country: not an ISO 3166-1 code": refusal("market_country"),
    "400 economic_category: an unknown value": refusal("economic_category"),
    "400 sentiment_min above sentiment_max": async (live) => {
      const query = { sentiment_min: 6, sentiment_max: 5 };
      await live.refuses("invalid_parameter", "GET", "/v1/feeds", { query });
      await live.get("/v1/feeds", { query: { sentiment_min: 5, sentiment_max: 5, limit: 1 } });
    },
    "400 since at or after until": async (live) => {
      const time = "2026-03-02T14:30:00Z";
      for (const until of [time, "2026-03-02T14:29:59.999Z"])
        await live.refuses("invalid_parameter", "GET", "/v1/feeds", { query: { since: time, until } });
    },
    "400 lists every wrong parameter": (live) =>
      live
        .refuses("invalid_parameter", "GET", "/v1/feeds", {
          query: { limit: 0, sentiment_min: "x", market: "no_such_value", since: "x" },
          fields: ["limit", "market", "sentiment_min", "since"],
        })
        .then(() => undefined),
    "400 for a parameter given twice": async (live) => {
      for (const name of [...Object.keys(refused), "limit", "cursor"])
        await live.refuses("invalid_parameter", "GET", "/v1/feeds", {
          query: `${name}=1&${name}=1`,
          fields: [name],
        });
    },
    "unknown query parameters are ignored": async (live, items) => {
      const plain = await live.get("/v1/feeds", { query: { symbol: items.tickers[0] } });
      const odd = await live.get("/v1/feeds", {
        query: { symbol: items.tickers[0], page: 2, offset: "x", "": "" },
      });
      assert.deepEqual(odd.read(feedList).data, plain.read(feedList).data);
    },
  },
};
