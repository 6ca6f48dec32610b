import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { problem } from "@tapewire/contract/errors.ts";
import { feedItemDetail, feedList } from "@tapewire/contract/feeds.ts";
import { silentLog } from "../../src/runtime/log.ts";
import { ItemWriter } from "../../src/store/append/item-writer.ts";
import { openPostgres } from "../../src/store/engine/db.ts";
import { Partitions } from "../../src/store/log/partitions.ts";
import { onBothEngines } from "../support/db.ts";
import { newItem } from "../support/items.ts";
import { type Service, startService } from "../support/service.ts";

/** Pushed in this order. Sentences name them by their letter; each tells apart some filter from another. */
const items = [
  {
    external_id: "a",
    title: "Orbitex Robotics raises full-year guidance",
    symbols: ["DEMO:OBTX"],
    source: "wire-a",
    tags: ["earnings"],
    published_at: "2026-03-01T10:00:00Z",
  },
  {
    external_id: "b",
    title: "Northwind Harbor opens a picnic area",
    symbols: ["TEST:NWHB"],
    source: "wire-b",
    tags: ["gdp", "bond"],
    published_at: "2026-03-01T11:00:00Z",
  },
  {
    external_id: "c",
    title: "Umbral Castings cuts full-year guidance",
    symbols: ["OTHER:OBTX"],
    source: "wire-b",
    tags: ["earnings", "dividends"],
    published_at: "2026-03-01T12:00:00Z",
  },
  {
    external_id: "d",
    title: "A quiet notice about nothing",
    symbols: [],
    source: "wire-a",
    tags: ["labor", "dividends"],
    published_at: "2026-03-01T13:00:00+00:00",
  },
];

onBothEngines("GET /v1/feeds", async (context, engine) => {
  await using service = await startService(engine);
  const { key } = await service.key("pro");
  const names = new Map<string, string>();
  for (const [index, result] of (await service.push(...items)).entries())
    names.set(result.id ?? "", items[index]?.external_id ?? "");
  const list = listOf(service, key, names);
  const subtest = (name: string, body: () => Promise<void>) => context.test(name, body);

  await subtest("without filters lists everything, newest first", async () => {
    assert.equal((await list("")).found, "dcba");
  });
  await filterTests(context, list);
  await pagingTests(context, service, { key, list });
  await refusalTests(context, service, key);
  await singleReadTests(context, service, { key, names });
  // Beside the service: what it scores itself always has scores.
  if (service.config.databaseUrl !== null) await nullScoreTest(context, list, service.config.databaseUrl);
});

type List = ReturnType<typeof listOf>;

/** A list, parsed by the contract, as the letters of its items. */
function listOf(service: Service, key: string, names: ReadonlyMap<string, string>) {
  return async (query: string) => {
    const response = await service.get(`/v1/feeds?${query}`, key);
    const text = await response.text();
    assert.equal(response.status, 200, text);
    // strict: a member the contract does not name would be one that the docs do not name.
    const page = feedList.strict().parse(JSON.parse(text));
    return {
      page,
      found: page.data.map(({ id }) => names.get(id) ?? "?").join(""),
      headers: response.headers,
    };
  };
}

async function filterTests(context: TestContext, list: List): Promise<void> {
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

async function nullScoreTest(context: TestContext, list: List, databaseUrl: string): Promise<void> {
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

async function pagingTests(
  context: TestContext,
  service: Service,
  { key, list }: { key: string; list: List },
): Promise<void> {
  const subtest = (name: string, body: () => Promise<void>) => context.test(name, body);
  await subtest("a walk by next_cursor shows every item once and ends with null", async () => {
    let found = "";
    let cursor = "";
    for (let page = 1; page <= 4; page++) {
      const answer = await list(`limit=1${cursor}`);
      found += answer.found;
      assert.equal(answer.page.next_cursor === null, page === 4);
      cursor = `&cursor=${answer.page.next_cursor}`;
    }
    assert.equal(found, "dcba");
  });
  await subtest("a walk with a filter pages that filter, however it is spelled", async () => {
    const first = await list("limit=1&symbol=OBTX,NWHB");
    assert.equal(first.found, "c");
    const second = await list(`limit=5&symbol=nwhb,obtx,OBTX&cursor=${first.page.next_cursor}`);
    assert.equal(second.found, "ba");
    assert.equal(second.page.next_cursor, null);
  });
  await subtest("an item that arrives during a walk does not shift it", async () => {
    const first = await list("limit=2&until=2026-03-01T13:30:00Z");
    await service.push({
      title: "Late but newest",
      published_at: "2026-03-01T13:10:00Z",
      source: "wire-late",
    });
    const second = await list(`limit=2&until=2026-03-01T13:30:00Z&cursor=${first.page.next_cursor}`);
    assert.equal(first.found + second.found, "dcba");
  });
  await subtest("a cursor with other filters, or tampered with, is 400 invalid_cursor", async () => {
    const { next_cursor: cursor } = (await list("limit=1&symbol=OBTX")).page;
    assert.ok(cursor !== null);
    const flipped = cursor.slice(0, 20) + (cursor[20] === "A" ? "B" : "A") + cursor.slice(21);
    for (const query of [
      `cursor=${cursor}`,
      `symbol=NWHB&cursor=${cursor}`,
      `symbol=OBTX&aggregator=wire-b&cursor=${cursor}`,
      `symbol=OBTX&cursor=${flipped}`,
      `symbol=OBTX&cursor=${cursor.slice(0, -1)}`,
      `symbol=OBTX&cursor=${cursor}AAAA`,
      "cursor=nonsense",
      "cursor=%00",
    ])
      await refused(service, key, query, { code: "invalid_cursor" });
  });
  await subtest(
    "the limit is 50 by default, and clamped to the plan's cap that X-Page-Limit tells",
    async () => {
      const many = Array.from({ length: 205 }, (_, index) => ({
        title: `Routine notice ${index}`,
        external_id: `n${index}`,
        source: "bulk",
        published_at: "2026-02-01T00:00:00Z",
      }));
      await service.push(...many);
      const starter = (await service.key("starter")).key;
      const sizeOf = async (query: string, by: string) => {
        const response = await service.get(`/v1/feeds?aggregator=bulk${query}`, by);
        const { data } = feedList.parse(await response.json());
        return [data.length, response.headers.get("x-page-limit")];
      };
      assert.deepEqual(await sizeOf("", key), [50, "200"]);
      assert.deepEqual(await sizeOf("&limit=200", key), [200, "200"]);
      assert.deepEqual(await sizeOf("&limit=999999", key), [200, "200"]);
      assert.deepEqual(await sizeOf("&limit=999999999999", key), [200, "200"]);
      assert.deepEqual(await sizeOf("&limit=101", starter), [100, "100"]);
    },
  );
  await subtest("items of one instant are walked in one order, none lost at a page's edge", async () => {
    const seen: string[] = [];
    let cursor = "";
    do {
      const { page } = await list(`aggregator=bulk&limit=37${cursor}`);
      seen.push(...page.data.map(({ id }) => id));
      cursor = page.next_cursor === null ? "" : `&cursor=${page.next_cursor}`;
    } while (cursor !== "");
    assert.equal(seen.length, 205);
    assert.deepEqual(seen, [...new Set(seen)].sort().reverse());
  });
}

async function refusalTests(context: TestContext, service: Service, key: string): Promise<void> {
  const cases: [sentence: string, query: string, names: string[]][] = [
    ["limit below 1", "limit=0", ["limit"]],
    ["a negative limit", "limit=-5", ["limit"]],
    ["a limit that is no integer", "limit=1.5", ["limit"]],
    ["a limit in another notation", "limit=1e2", ["limit"]],
    ["an empty limit", "limit=", ["limit"]],
    ["a sentiment out of range", "sentiment_min=-1&sentiment_max=11", ["sentiment_min", "sentiment_max"]],
    ["a sentiment that is no integer", "sentiment_min=high", ["sentiment_min"]],
    ["sentiment_min above sentiment_max", "sentiment_min=6&sentiment_max=5", ["sentiment_min"]],
    ["since after until", "since=2026-03-02T00:00:00Z&until=2026-03-01T00:00:00Z", ["since"]],
    [
      "since after until by less than a millisecond",
      "since=2026-03-01T00:00:00.0002Z&until=2026-03-01T00:00:00.0001Z",
      ["since"],
    ],
    ["since equal to until", "since=2026-03-01T00:00:00Z&until=2026-03-01T00:00:00Z", ["since"]],
    ["a time without offset", "since=2026-03-01T00:00:00", ["since"]],
    ["a day instead of a time", "until=2026-03-01", ["until"]],
    ["a day that does not exist", "until=2026-02-30T00:00:00Z", ["until"]],
    ["a time before year 1", "since=0001-01-01T00:00:00%2B01:00", ["since"]],
    ["a time after year 9999", "until=9999-12-31T23:59:59-23:59", ["until"]],
    ["actionability in other words", "actionability=yes", ["actionability"]],
    ["an empty symbol", "symbol=", ["symbol"]],
    ["an empty value in a comma list", "symbol=OBTX,,NWHB", ["symbol"]],
    [
      "more values than a list takes",
      `symbol=${Array.from({ length: 51 }, (_, i) => `S${i}`).join(",")}`,
      ["symbol"],
    ],
    ["an invalid country", "market_country=XX", ["market_country"]],
    ["a repeated parameter", "symbol=OBTX&symbol=NWHB", ["symbol"]],
    ["an empty cursor", "cursor=", ["cursor"]],
    [
      "several wrong parameters at once",
      "limit=x&actionability=1&market=junk",
      ["actionability", "limit", "market"],
    ],
  ];
  for (const [sentence, query, names] of cases)
    await context.test(`${sentence} is 400 and named`, async () => {
      await refused(service, key, query, { code: "invalid_parameter", names });
    });
  await context.test("an unknown tag value is 400 with the allowed list", async () => {
    const body = await refused(service, key, "corp_activity=earnings,junk", { code: "invalid_parameter" });
    assert.match(body.detail, /'junk' is not one of ipo, earnings, earnings_calls, .*credit_ratings/);
  });
  await context.test("a limit of too many digits is said to be too large", async () => {
    const body = await refused(service, key, `limit=${"9".repeat(30)}`, {
      code: "invalid_parameter",
      names: ["limit"],
    });
    assert.equal(body.errors?.[0]?.detail, "is too large");
  });
  await context.test("the Free plan gets 403 plan_required, and hears which plan has the list", async () => {
    const free = await service.key("free");
    const response = await service.get("/v1/feeds", free.key);
    assert.equal(response.status, 403);
    const { code, detail } = problem.parse(await response.json());
    assert.equal(code, "plan_required");
    assert.equal(detail, "The free plan does not include this endpoint: it needs the starter plan or higher");
  });
}

async function refused(
  service: Service,
  key: string,
  query: string,
  { code, names }: { code: string; names?: string[] },
) {
  const response = await service.get(`/v1/feeds?${query}`, key);
  const text = await response.text();
  assert.equal(response.status, 400, text);
  const body = problem.parse(JSON.parse(text));
  assert.equal(body.code, code);
  if (names !== undefined) {
    assert.deepEqual([...new Set(body.errors?.map(({ name }) => name))].sort(), names.toSorted());
    assert.ok(body.errors?.every((error) => error.in === "query"));
  }
  return body;
}

async function singleReadTests(
  context: TestContext,
  service: Service,
  { key, names }: { key: string; names: ReadonlyMap<string, string> },
): Promise<void> {
  const id = [...names].find(([, name]) => name === "a")?.[0] ?? "";
  await context.test("a single read adds analysis, sub_scores and summary to the listed item", async () => {
    const response = await service.get(`/v1/feeds/${id}`, key);
    assert.equal(response.status, 200);
    const { analysis, sub_scores, summary, ...item } = feedItemDetail.strict().parse(await response.json());
    const listed = await service.get("/v1/feeds?symbol=DEMO:OBTX", key);
    assert.deepEqual(item, feedList.parse(await listed.json()).data[0]);
    const [first] = analysis;
    assert.equal(first?.symbol, "DEMO:OBTX");
    assert.equal(first?.primary, true);
    assert.ok((first?.sentiment_short ?? 0) > 0);
    assert.ok(first?.evidence.every(({ text, start, end }) => items[0]?.title.slice(start, end) === text));
    assert.ok((sub_scores?.actionability.materiality ?? 0) > 0);
    assert.ok(summary === null || summary.length > 0);
  });
  await context.test("an unknown id is 404, one that is no uuid 400", async () => {
    const unknown = await service.get(`/v1/feeds/${newItem({ uniqueId: "nobody" }).item.id}`, key);
    assert.equal(unknown.status, 404);
    assert.equal(problem.parse(await unknown.json()).code, "not_found");
    const wrong = await service.get("/v1/feeds/17", key);
    assert.equal(wrong.status, 400);
    const body = problem.parse(await wrong.json());
    assert.deepEqual(
      body.errors?.map(({ name, in: where }) => [where, name]),
      [["path", "id"]],
    );
  });
  await context.test(
    "on Free a single read is locked: every score and comment null, with a message",
    async () => {
      const free = await service.key("free");
      const response = await service.get(`/v1/feeds/${id}`, free.key);
      assert.equal(response.status, 200);
      const { scoring, analysis, sub_scores, title } = feedItemDetail.parse(await response.json());
      const { locked, message, ...scores } = scoring;
      assert.equal(title, items[0]?.title);
      assert.equal(locked, true);
      assert.match(message ?? "", /Free/);
      assert.deepEqual([...new Set(Object.values(scores))], [null]);
      assert.equal(sub_scores, null);
      for (const entry of analysis) {
        const { sentiment_short, sentiment_long, sentiment_conviction, sentiment_score, sentiment_comment } =
          entry;
        assert.deepEqual(
          [sentiment_short, sentiment_long, sentiment_conviction, sentiment_score, sentiment_comment],
          [null, null, null, null, null],
        );
        // The words that made a score would tell it.
        assert.deepEqual(entry.evidence, []);
      }
      assert.ok(analysis.length > 0);
    },
  );
}
