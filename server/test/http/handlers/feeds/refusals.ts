import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { problem } from "@tapewire/contract/errors/errors.ts";
import type { Service } from "../../../support/service.ts";

export async function refusalTests(context: TestContext, service: Service, key: string): Promise<void> {
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

export async function refused(
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
