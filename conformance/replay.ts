import assert from "node:assert/strict";
import { feedList } from "@tapewire/contract/feeds.ts";
import { type ReplayPage, replayPage } from "@tapewire/contract/stream.ts";
import type { Live } from "./live.ts";
import type { Section } from "./section.ts";

type Query = Readonly<Record<string, string | number>>;

async function walk(live: Live, query: Query): Promise<ReplayPage["data"]> {
  const entries: ReplayPage["data"] = [];
  for (let asked = query; ; ) {
    const page = (await live.get("/v1/replay", { query: asked })).read(replayPage);
    entries.push(...page.data);
    if (page.next_cursor === null) return entries;
    assert.notEqual(page.next_cursor, asked.after, "the next page begins where this one began");
    asked = { ...query, after: page.next_cursor };
  }
}

/** The run's own entries; `since` spares the walk over the rest of a long log. */
const own = (sources: readonly string[], live: Live) => ({
  aggregator: sources.join(","),
  since: live.startedAt,
});

export const replay: Section = {
  name: "GET /v1/replay",
  rules: {
    "200 is a ReplayPage: entries in the order of the log, the newest version as the list has it": async (
      live,
      { all, sources },
    ) => {
      const entries = await walk(live, { ...own(sources, live), limit: 1000 });
      const seqs = entries.map(({ seq }) => seq);
      assert.deepEqual(
        seqs,
        seqs.toSorted((a, b) => a - b),
      );
      assert.equal(new Set(seqs).size, seqs.length);
      const newest = new Map(entries.map((entry) => [entry.data.id, entry]));
      assert.deepEqual([...newest.keys()].sort(), all.map(({ id }) => id).sort());
      const query = { aggregator: sources.join(","), limit: 1000 };
      for (const item of (await live.get("/v1/feeds", { query })).read(feedList).data) {
        const { data, seq } = newest.get(item.id) ?? assert.fail(item.id);
        const { scoring, ...rest } = item;
        assert.deepEqual({ ...data, scoring: null }, { ...rest, scoring: null });
        assert.equal(seq, item.seq);
        assert.equal(data.scoring.actionability_score, scoring.actionability_score);
        assert.equal(data.scoring.sentiment_short, scoring.sentiment_short);
      }
    },
    "pages of any size give the same sequence": async (live, { bulk }) => {
      const query = own([bulk.source], live);
      const whole = await walk(live, query);
      assert.ok(whole.length >= bulk.count);
      for (const limit of [50, bulk.count - 1, 1000])
        assert.deepEqual(await walk(live, { ...query, limit }), whole, `limit ${limit}`);
    },
    "filters are those of the list": async (live, { sources, tickers, exchanges }) => {
      const queries: Query[] = [
        { symbol: tickers[0] },
        { exchange: exchanges[1] },
        { corp_activity: "earnings,dividends" },
        { market_country: "DE,JP" },
        { actionability: "true" },
        { sentiment_max: 4 },
        { event: "guidance_raised" },
        { symbol: tickers[0], market: "stock", min_conviction: 1 },
      ];
      for (const query of queries) {
        const list = await live.get("/v1/feeds", {
          query: { ...query, aggregator: sources.join(","), limit: 1000 },
        });
        const want = list.read(feedList).data.map(({ id }) => id);
        const got = (await walk(live, { ...own(sources, live), ...query })).map(({ data }) => data.id);
        assert.ok(want.length > 0, JSON.stringify(query));
        assert.deepEqual([...new Set(got)].sort(), want.sort(), JSON.stringify(query));
      }
    },
    "until ends before a time, and with the entry of a cursor; after begins behind it": async (
      live,
      { bulk },
    ) => {
      const query = own([bulk.source], live);
      const whole = await walk(live, query);
      const { cursor, logged_at: time } = whole[Math.floor(whole.length / 2)] ?? assert.fail("no entry");
      const upTo = await walk(live, { ...query, until: cursor });
      assert.equal(upTo.at(-1)?.cursor, cursor);
      const { since: _, ...rest } = query;
      assert.deepEqual([...upTo, ...(await walk(live, { ...rest, after: cursor }))], whole);
      const before = query.since < time ? await walk(live, { ...query, until: time }) : [];
      assert.deepEqual([...before, ...(await walk(live, { ...query, since: time }))], whole);
    },
    "403 plan_required below the pro plan": async (live) => {
      for (const plan of ["free", "starter"] as const)
        await live.refuses("plan_required", "GET", "/v1/replay", { key: await live.key(plan) });
      await live.get("/v1/replay", { key: await live.key("pro"), query: { limit: 1 } });
    },
    "400 invalid_cursor for a text that is no cursor, cursor_unknown for one of another log": async (
      live,
    ) => {
      await live.refuses("invalid_cursor", "GET", "/v1/replay", { query: "after=x", fields: ["after"] });
      await live.refuses("cursor_unknown", "GET", "/v1/replay", {
        query: "after=nosuchlog.1",
        fields: ["after"],
      });
      await live.refuses("cursor_unknown", "GET", "/v1/replay", {
        query: "until=nosuchlog.1",
        fields: ["until"],
      });
    },
    "400 for malformed parameters, each named": async (live) => {
      const queries = { after: "", since: "yesterday", until: "tomorrow", limit: "0" };
      for (const [name, value] of Object.entries(queries))
        await live.refuses("invalid_parameter", "GET", "/v1/replay", {
          query: { [name]: value },
          fields: [name],
        });
      await live.refuses("invalid_parameter", "GET", "/v1/replay", {
        query: "limit=1001&symbol=&market=no_such_value",
        fields: ["limit", "market", "symbol"],
      });
    },
  },
};
