import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { silentLog } from "../../../../src/runtime/log.ts";
import { ItemWriter } from "../../../../src/store/append/item-writer.ts";
import { openPostgres } from "../../../../src/store/engine/db.ts";
import { Partitions } from "../../../../src/store/log/partitions.ts";
import { newItem } from "../../../support/items.ts";
import type { List } from "./list.ts";

export async function filterTests(context: TestContext, list: List): Promise<void> {
  const { data } = (await list("")).page;
  const score = (letter: number) => data[letter]?.scoring.sentiment_score;
  const [d, c, b, a] = [score(0), score(1), score(2), score(3)];
  const cases: [sentence: string, query: string, found: string][] = [
    ["symbol takes the short symbol on any exchange", "symbol=OBTX", "ca"],
    ["symbol takes EXCHANGE:TICKER", "symbol=DEMO:OBTX", "a"],
    ["symbol is case-insensitive", "symbol=demo:obtx", "a"],
    ["symbols of a comma list are OR-ed, spaces around them ignored", "symbol=nwhb,%20other:obtx", "cb"],
    ["an unknown symbol finds nothing", "symbol=ZZZZ", ""],
    ["exchange is case-insensitive", "exchange=demo", "a"],
    ["exchanges of a comma list are OR-ed", "exchange=TEST,Other", "cb"],
    ["symbol and exchange must both hold", "symbol=OBTX&exchange=OTHER", "c"],
    ["aggregator is the source, in any case", "aggregator=WIRE-A", "da"],
    ["aggregators of a comma list are OR-ed", "aggregator=wire-a,wire-b", "dcba"],
    ["corp_activity takes one value", "corp_activity=earnings", "ca"],
    ["values within corp_activity are OR-ed", "corp_activity=earnings,dividends", "dca"],
    ["market takes a value", "market=bond", "b"],
    ["economic_category values are OR-ed", "economic_category=gdp,labor", "db"],
    ["two dimensions are AND-ed", "corp_activity=dividends&economic_category=labor,gdp", "d"],
    ["dimensions that no item has both of find nothing", "corp_activity=earnings&economic_category=gdp", ""],
    ["a valid country without data finds nothing", "market_country=VA", ""],
    ["a country is taken in lower case", "market_country=va,ax", ""],
    ["since is inclusive", "since=2026-03-01T12:00:00Z", "dc"],
    ["until is exclusive", "until=2026-03-01T12:00:00Z", "ba"],
    [
      "since and until take an offset",
      "since=2026-03-01T13:00:00%2B02:00&until=2026-03-01T07:30:00-05:00",
      "cb",
    ],
    ["since to the millisecond", "since=2026-03-01T12:00:00.001Z", "d"],
    ["until is compared in all its digits", "until=2026-03-01T12:00:00.0005Z", "cba"],
    ["since is compared in all its digits", "since=2026-03-01T12:00:00.0000001Z", "d"],
    ["digits that are all 0 add nothing", "until=2026-03-01T12:00:00.000000Z", "ba"],
    [
      "between two bounds within a millisecond there is nothing",
      "since=2026-03-01T12:00:00.0001Z&until=2026-03-01T12:00:00.00011Z",
      "",
    ],
    ["actionability=true finds what is likely to move price", "actionability=true", "ca"],
    ["actionability=false finds the rest", "actionability=false", "db"],
    [
      "every axis at once",
      "symbol=obtx&exchange=other&aggregator=wire-b&corp_activity=dividends&actionability=true&sentiment_min=0&sentiment_max=4&since=2026-03-01T00:00:00Z&until=2026-03-02T00:00:00Z",
      "c",
    ],
    ["one axis that does not hold empties the list", "symbol=obtx&exchange=other&aggregator=wire-a", ""],
    ["an unknown parameter is ignored", "colour=blue&symbol=DEMO:OBTX", "a"],
  ];
  for (const [sentence, query, found] of cases)
    await context.test(sentence, async () => assert.equal((await list(query)).found, found));

  await context.test("sentiment_min and sentiment_max are inclusive bounds of sentiment_score", async () => {
    assert.ok(a !== undefined && a !== null && a > 5, `a is good news: ${a}`);
    assert.ok(c !== undefined && c !== null && c < 5, `c is bad news: ${c}`);
    assert.deepEqual([b, d], [5, 5]);
    assert.equal((await list(`sentiment_min=${a}`)).found, "a");
    assert.equal((await list(`sentiment_max=${c}`)).found, "c");
    assert.equal((await list("sentiment_min=5&sentiment_max=5")).found, "db");
    assert.equal((await list(`sentiment_min=${c + 1}&sentiment_max=${a - 1}`)).found, "db");
    assert.equal((await list("sentiment_min=0&sentiment_max=10")).found, "dcba");
  });
  await context.test("answers carry the facts that were pushed", async () => {
    const [item] = (await list("symbol=DEMO:OBTX")).page.data;
    assert.equal(item?.source, "wire-a");
    assert.equal(item?.published_at, "2026-03-01T10:00:00.000Z");
    assert.equal(item?.unique_id, "guid:wire-a:a");
    assert.deepEqual(
      item?.symbols.map(({ symbol, exchange, short_symbol }) => [symbol, exchange, short_symbol]),
      [["DEMO:OBTX", "DEMO", "OBTX"]],
    );
    assert.ok(item?.tags.corp_activity?.includes("earnings"));
    assert.equal(item?.scoring.locked, false);
    assert.equal(item?.scoring.sentiment_score, 5 + (item?.scoring.sentiment_short ?? Number.NaN));
  });
}

export async function nullScoreTest(context: TestContext, list: List, databaseUrl: string): Promise<void> {
  await context.test(
    "an item whose scores are null passes no actionability or sentiment filter",
    async () => {
      await using db = await openPostgres(databaseUrl, silentLog);
      const unscored = newItem({
        uniqueId: "guid:x:null",
        source: "unscored",
        actionability: null,
        sentiment: null,
      });
      await new ItemWriter(db, new Partitions()).append([{ items: [unscored], sourceId: null }]);
      const found = async (query: string) => (await list(`aggregator=unscored${query}`)).page.data.length;
      // Written as by another process: it shows once the tail has read the log.
      while ((await found("")) === 0) await delay(50);
      for (const query of [
        "actionability=true",
        "actionability=false",
        "sentiment_min=0",
        "sentiment_max=10",
      ])
        assert.equal(await found(`&${query}`), 0, query);
    },
  );
}
