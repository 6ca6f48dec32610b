import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { feedItem, feedItemDetail, feedList, type Scoring } from "@tapewire/contract/feeds.ts";
import type { Live } from "./live.ts";
import type { Section } from "./section.ts";

const scoreFields = [
  "actionability",
  "actionability_score",
  "actionability_comment",
  "sentiment_score",
  "sentiment_short",
  "sentiment_long",
  "sentiment_conviction",
  "sentiment_comment",
] as const satisfies readonly (keyof Scoring)[];

const read = async (live: Live, id: string, key?: string) =>
  (await live.get(`/v1/feeds/${id}`, key === undefined ? {} : { key })).read(feedItemDetail);

export const feedItems: Section = {
  name: "GET /v1/feeds/{id}",
  rules: {
    "200 is the item as in the list, with analysis, sub_scores and summary": async (live, items) => {
      const query = { aggregator: items.sources.join(","), limit: 1000 };
      const { data } = (await live.get("/v1/feeds", { query })).read(feedList);
      assert.deepEqual(
        data,
        items.all.map((item) => feedItem.parse(item)),
      );
      for (const item of items.all) {
        const { analysis: _, sub_scores: __, summary: ___, ...shared } = item;
        assert.deepEqual(shared, feedItem.parse(item), "the single read has members of its own");
      }
    },
    "FeedItem: every field of the interface is there": async (live, items) => {
      const fields = "id unique_id title link source published_at scraped_at scoring symbols".split(" ");
      const { data } = (await live.get("/v1/feeds", { query: { aggregator: items.sources[0] } })).read(
        feedList,
      );
      for (const item of data) for (const field of fields) assert.ok(field in item, field);
    },
    "copy_of of a copy names the first item of the story; otherwise it is null": async (_, items) => {
      for (const { id, story_id, copy_of } of items.all)
        assert.equal(copy_of, story_id === id ? null : story_id);
    },
    "SymbolRef: symbol, exchange and short_symbol; null where the exchange is unknown": async (_, items) => {
      const found = items.all.flatMap(({ symbols }) => symbols);
      const [a, , c] = items.tickers;
      const onExchange = found.find(({ symbol }) => symbol === `${items.exchanges[0]}:${a}`);
      assert.deepEqual([onExchange?.exchange, onExchange?.short_symbol], [items.exchanges[0], a]);
      const bare = found.find(({ short_symbol }) => short_symbol === c);
      assert.deepEqual([bare?.symbol, bare?.exchange], [c, null]);
    },
    "Scoring: locked is false on paid plans, without a message": async (_, items) => {
      for (const { scoring } of items.all) {
        assert.equal(scoring.locked, false);
        assert.ok(!("message" in scoring));
      }
    },
    "Scoring: sentiment_score is 5 + sentiment_short, 0 to 10; null where sentiment was not run": async (
      _,
      items,
    ) => {
      for (const { scoring } of items.all)
        assert.equal(
          scoring.sentiment_score,
          scoring.sentiment_short === null ? null : 5 + scoring.sentiment_short,
        );
      const scores = items.all.map(({ scoring }) => scoring.sentiment_score);
      assert.ok(scores.some((score) => score !== null && score > 5));
      assert.ok(scores.some((score) => score !== null && score < 5));
    },
    "Scoring: comments are one line": async (_, items) => {
      for (const { scoring } of items.all)
        for (const comment of [scoring.actionability_comment, scoring.sentiment_comment])
          assert.ok(comment === null || !comment.includes("\n"), comment ?? "");
      assert.ok(items.all.some(({ scoring }) => (scoring.actionability_comment ?? "") !== ""));
    },
    "Scoring: an item in a language without a model has null scores": async (_, items) => {
      const unscored = items.all.filter(({ scoring }) => scoring.actionability === null);
      assert.ok(unscored.length > 0);
      for (const { scoring } of unscored)
        for (const field of scoreFields) assert.equal(scoring[field], null, field);
    },
    "Scoring: names the model, its version and the time": async (_, items) => {
      for (const { scoring } of items.all.filter((item) => item.scoring.actionability !== null))
        assert.ok(scoring.model !== null && scoring.model_version !== null && scoring.scored_at !== null);
    },
    "Free plan: locked is true, every score and comment is null, message carries the upgrade prompt": async (
      live,
      items,
    ) => {
      const key = await live.key("free");
      for (const item of items.all.slice(0, 6)) {
        const { scoring, sub_scores: subScores } = await read(live, item.id, key);
        assert.equal(scoring.locked, true);
        assert.ok((scoring.message ?? "").length > 0);
        for (const field of scoreFields) assert.equal(scoring[field], null, field);
        assert.equal(subScores, null);
      }
    },
    "Free plan: no per-symbol score, comment or evidence; the rest of the item is complete": async (
      live,
      items,
    ) => {
      const item = items.all.find(({ analysis }) => analysis.length > 0);
      assert.ok(item !== undefined, "no item of the run has a symbol");
      const locked = await read(live, item.id, await live.key("free"));
      assert.equal(locked.analysis.length, item.analysis.length);
      for (const one of locked.analysis) {
        const { sentiment_short: short, sentiment_long: long, sentiment_conviction: conviction } = one;
        assert.deepEqual([short, long, conviction], [null, null, null]);
        assert.deepEqual([one.sentiment_score, one.sentiment_comment, one.evidence], [null, null, []]);
      }
      const { title, link, symbols, tags, published_at } = locked;
      assert.deepEqual(
        { title, link, symbols, tags, published_at },
        {
          title: item.title,
          link: item.link,
          symbols: item.symbols,
          tags: item.tags,
          published_at: item.published_at,
        },
      );
    },
    "analysis has one entry per symbol, with relevance, and its scores": async (_, items) => {
      for (const { symbols, analysis } of items.all) {
        const names = (list: readonly { symbol: string }[]) => list.map(({ symbol }) => symbol).sort();
        assert.deepEqual(names(analysis), names(symbols));
        for (const { sentiment_score: score, sentiment_short: short } of analysis)
          assert.equal(score, short === null ? null : 5 + short);
      }
    },
    "evidence quotes the text at its offsets": async (live) => {
      const title = `Orbitex Robotics of ${live.run} raises full-year guidance after record orders`;
      const body = "Revenue rose 40% to $84 million and beat estimates. The company expects more.";
      const symbols = [`X${live.run}:E${live.run}`];
      const [pushed] = await live.push([{ title, body, symbols, source: live.name("evidence") }]);
      const { analysis } = await read(live, pushed?.id ?? "");
      const evidence = analysis.flatMap((one) => one.evidence);
      assert.ok(evidence.length > 0);
      for (const { text, start, end } of evidence) assert.equal(`${title}\n${body}`.slice(start, end), text);
    },
    "sub_scores of an item that was scored are each 0 to 100": async (_, items) => {
      for (const { sub_scores: subScores, scoring } of items.all) {
        assert.equal(subScores === null, scoring.actionability === null);
        const all = [
          ...Object.values(subScores?.actionability ?? {}),
          ...Object.values(subScores?.sentiment ?? {}),
        ];
        assert.ok(all.every((value) => Number.isInteger(value) && value >= 0 && value <= 100));
      }
    },
    "timestamps are RFC 3339 UTC with milliseconds and Z, and published_at is the source's": async (live) => {
      const given = "2026-03-02T15:30:00.125+01:00";
      const [pushed] = await live.push([
        { title: `Times of ${live.run}`, source: live.name("times"), published_at: given },
      ]);
      const item = await read(live, pushed?.id ?? "");
      assert.equal(item.published_at, "2026-03-02T14:30:00.125Z");
      for (const time of [item.published_at, item.scraped_at, item.updated_at, item.scoring.scored_at])
        assert.match(time ?? "", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    },
    "the same unique_id is the same item with the same id, a UUIDv5": async (live) => {
      const item = {
        title: `Once, ${live.run}`,
        source: live.name("once"),
        external_id: "once",
        published_at: "2026-03-02T14:30:00Z",
      };
      const [first] = await live.push([item]);
      const [again] = await live.push([item]);
      assert.deepEqual([first?.status, again?.status], ["created", "duplicate"]);
      assert.equal(again?.id, first?.id);
      assert.equal(first?.id[14], "5");
    },
    "a changed item is revised and keeps its place": async (live) => {
      const item = { source: live.name("revised"), external_id: "r", published_at: "2026-03-02T14:30:00Z" };
      const [first] = await live.push([{ ...item, title: `Draft of ${live.run}` }]);
      const [second] = await live.push([
        { ...item, title: `Final of ${live.run}`, body: "Now with a body." },
      ]);
      assert.deepEqual([second?.status, second?.id], ["revised", first?.id]);
      const revised = await read(live, first?.id ?? "");
      assert.deepEqual(
        [revised.status, revised.revision, revised.title],
        ["revised", 1, `Final of ${live.run}`],
      );
    },
    "a withdrawn item stays readable, marked retracted": async (live) => {
      const [pushed] = await live.push([
        { title: `Withdrawn of ${live.run}`, source: live.name("withdrawn") },
      ]);
      const id = pushed?.id ?? "";
      await live.call("DELETE", `/admin/v1/items/${id}`);
      assert.equal((await read(live, id)).status, "retracted");
    },
    "400 for an id that is not a uuid": async (live) => {
      for (const id of ["x", "1", "00000000-0000-0000-0000-00000000000g", "%00", "null", "a".repeat(500)])
        await live.refuses("invalid_parameter", "GET", `/v1/feeds/${id}`, { fields: ["id"] });
    },
    "404 for an unknown id": async (live) => {
      await live.refuses("not_found", "GET", `/v1/feeds/${randomUUID()}`);
    },
    "every plan may read one item": async (live, items) => {
      for (const plan of ["free", "starter", "pro", "quant", "enterprise"] as const)
        await read(live, items.all[0]?.id ?? "", await live.key(plan));
    },
  },
};
