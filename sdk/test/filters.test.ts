import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createServer } from "node:http";
import { test } from "node:test";
import { promisify } from "node:util";
import {
  filterOfQuery,
  filterOfSubscription,
  listQuery,
  subscriptionFilters,
  webhookFilters,
} from "@tapewire/contract/filter.ts";
import { clientFrame } from "@tapewire/contract/stream.ts";
import fc from "fast-check";
import { matches, type SubscriptionFilters, toCurl, toQuery, toSubscribe, toWebhook } from "tapewire";
import { matches as serverMatches } from "../../server/src/feed/filter.ts";
import { dictionary } from "../../server/test/support/dictionary.ts";
import { listening } from "../../server/test/support/http.ts";
import { newItem } from "../../server/test/support/items.ts";

const some = <T>(...values: T[]) => fc.constantFrom(...values);
const listOf = (...values: string[]) =>
  fc.option(fc.uniqueArray(some(...values), { maxLength: 3 }), { nil: null });
const scoreOr = (...values: number[]) => some<number | null>(null, ...values);

const titles = [
  "Société Générale: profit warning",
  "A warning on PROFIT, Łódź",
  "ＡＴ＆Ｔ Straße 10-K",
  "トヨタ自動車が利益予想を下方修正、EV",
  "삼성전자가 실적을 발표",
  `${"x".repeat(40)} end`,
  "one ".repeat(300),
] as const;
const queries = [
  "societe",
  '"profit warning"',
  "warning -societe",
  "-profit",
  "lodz AT&T",
  "at&t “strasse 10”",
  "自動車 -上方",
  "実績 ev",
  "전자 실적",
  "x".repeat(33),
  `${"x".repeat(32)}y end`,
  '"one one" -two',
  '-"one one',
  "- & profit",
] as const;

/** Few values on purpose: ties and equal bounds are where the bugs are. */
const anyItem = fc
  .record({
    source: some("wire-a", "Wire-B"),
    provider: some("desk", "house"),
    symbols: fc.uniqueArray(some("DEMO:AA", "DEMO:BB", "XNAS:AA"), { maxLength: 2 }),
    events: fc.uniqueArray(some("guidance_raised", "earnings_beat"), { maxLength: 2 }),
    actionability: some(true, false, null),
    sentiment: scoreOr(0, 5, 6, 10),
    conviction: scoreOr(0, 59, 60),
    score: scoreOr(0, 69, 70),
    market: fc.uniqueArray(some("stock", "crypto"), { maxLength: 2 }),
    country: fc.uniqueArray(some("US", "GB"), { maxLength: 2 }),
    isCopy: fc.boolean(),
    title: some(...titles),
  })
  .map(({ market, country, isCopy, ...facts }) => {
    const tags = { market, market_country: country };
    const { item } = newItem({ uniqueId: "one", ...facts, tags });
    return isCopy ? { ...item, story_id: newItem({ uniqueId: "first" }).item.id } : item;
  });
const anyFilters: fc.Arbitrary<SubscriptionFilters> = fc.record(
  {
    symbols: listOf("aa", "DEMO:AA", " bb ", "ZZ"),
    exchanges: listOf("demo", "XNAS"),
    aggregators: listOf("WIRE-A", "wire-b"),
    providers: listOf("DESK", "house"),
    event: listOf("guidance_raised", "EARNINGS_BEAT"),
    actionability: some(true, false, null),
    sentiment_min: scoreOr(0, 5, 6),
    sentiment_max: scoreOr(6, 10),
    min_conviction: scoreOr(0, 60),
    min_actionability_score: scoreOr(0, 70),
    story_copies: some(true, false, null),
    q: some<string | null>(null, null, ...queries),
    tags: fc.option(
      fc.record({ market: listOf("Stock"), market_country: listOf("us", "GB") }, { requiredKeys: [] }),
    ),
  },
  { requiredKeys: [] },
);

test("matches decides as the service does", () => {
  let passed = 0;
  const schema = subscriptionFilters(dictionary);
  fc.assert(
    fc.property(anyFilters, anyItem, (filters, item) => {
      const wanted = serverMatches(item, filterOfSubscription(schema.parse(filters)));
      passed += Number(wanted);
      assert.equal(matches(filters, item), wanted);
    }),
    { numRuns: 5_000 },
  );
  // By chance some hundred do: of none, or a few, the property would prove little.
  assert.ok(passed > 30, `${passed} items passed their filters`);
});

test("toQuery says what the filters say", () => {
  const [schema, query] = [subscriptionFilters(dictionary), listQuery(dictionary)];
  fc.assert(
    fc.property(anyFilters, ({ providers: _, ...filters }) => {
      const pairs = Object.entries(toQuery(filters)).map(([name, value]) => [name, String(value)]);
      const { since: __, until: ___, ...wanted } = filterOfQuery(query.parse(Object.fromEntries(pairs)));
      const told = { providers: undefined, ...wanted };
      assert.deepEqual(told, filterOfSubscription(schema.parse(filters)));
    }),
  );
});

test("toQuery refuses an empty value, which would leave out the filter", () => {
  for (const filters of [{ symbols: [""] }, { event: ["earnings_beat", ""] }, { tags: { market: [""] } }])
    assert.throws(() => toQuery(filters), /^RangeError: .* values of (symbols|event|market), none empty/);
});

test("toSubscribe and toWebhook make what the service takes, and leave nothing out", () => {
  fc.assert(
    fc.property(anyFilters, (filters) => {
      clientFrame(dictionary).parse(toSubscribe(filters, { after: "a.1" }));
      const cannot = [filters.aggregators, filters.providers].some((values) => (values ?? []).length > 0);
      if (cannot) return assert.throws(() => toWebhook(filters), RangeError);
      const { aggregators: _, providers: __, ...others } = filters;
      assert.deepEqual(toWebhook(filters), others);
      webhookFilters(dictionary).parse(toWebhook(filters));
      return undefined;
    }),
  );
});

test("what toCurl prints is what a shell sends", async () => {
  const seen: string[] = [];
  await using server = await listening(
    createServer(async (request, response) => {
      let body = "";
      for await (const chunk of request) body += chunk;
      seen.push([request.method, request.url, request.headers.authorization, body].join(" "));
      response.end("{}");
    }),
  );
  const shell = (script: string) =>
    promisify(execFile)("sh", ["-c", script], { env: { PATH: process.env.PATH, TAPEWIRE_KEY: "k" } });
  const tricky = "it's $HOME `x`";
  await shell(toCurl({ baseUrl: `${server.origin}/`, path: "/v1/feeds", query: { symbol: ["A", tricky] } }));
  await shell(toCurl({ baseUrl: server.origin, path: "/v1/score", body: { title: tricky } }));
  await shell(toCurl({ baseUrl: server.origin, path: "/v1/webhooks/1", method: "DELETE" }));
  assert.deepEqual(seen, [
    `GET /v1/feeds?${new URLSearchParams({ symbol: `A,${tricky}` })} Bearer k `,
    `POST /v1/score Bearer k ${JSON.stringify({ title: tricky })}`,
    "DELETE /v1/webhooks/1 Bearer k ",
  ]);
});
