import assert from "node:assert/strict";
import { test } from "node:test";
import type { Filter } from "@tapewire/contract/filter.ts";
import { titleQueryOf } from "@tapewire/contract/title/title.ts";
import fc from "fast-check";
import { type Filterable, matches } from "../../src/feed/filter.ts";
import { hasBit } from "../../src/feed/members.ts";
import { SubscriptionIndex } from "../../src/feed/subscription-index.ts";
import { unscored } from "../../src/feed/view.ts";

const symbols = ["NASDAQ:AAPL", "XETR:AAPL", "NYSE:F"] as const;
const someOf = <T>(...values: readonly T[]) => fc.uniqueArray(fc.constantFrom(...values), { maxLength: 3 });

// Few values on purpose: filters that meet, repeat and miss one another are where the bugs are.
const anyItem: fc.Arbitrary<Filterable> = fc
  .record({
    story: fc.constantFrom("a", "b"),
    source: fc.constantFrom("Wire-A", "wire-b"),
    provider: fc.constantFrom("P1", "p2"),
    symbols: someOf(...symbols),
    market: someOf("stock", "bond"),
    country: someOf("US", "DE"),
    actionability: fc.constantFrom(true, false, null),
    sentiment: fc.constantFrom(0, 4, 5, 10, null),
    conviction: fc.constantFrom(0, 40, 100, null),
    score: fc.constantFrom(0, 40, 100, null),
    events: someOf("guidance_raised", "earnings_beat"),
    title: fc.constantFrom("Profit warning", "A warning of profit", "No Profit, a profit warning", ""),
  })
  .map((facts) => ({
    id: "a",
    story_id: facts.story,
    source: facts.source,
    provider_id: facts.provider,
    published_at: "2026-03-01T00:00:00.000Z",
    title: facts.title,
    symbols: facts.symbols.map((symbol) => ({
      symbol,
      exchange: symbol.split(":")[0] ?? null,
      short_symbol: symbol.split(":")[1] ?? null,
      logoid: null,
    })),
    events: facts.events.map((name) => ({ name, role: "subject", symbol: null, evidence: null })),
    tags: { market: facts.market, market_country: facts.country },
    scoring: {
      ...unscored,
      actionability: facts.actionability,
      actionability_score: facts.score,
      sentiment_score: facts.sentiment,
      sentiment_conviction: facts.conviction,
    },
  }));

const axis = <T>(...values: readonly T[]) =>
  fc.option(fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 2 }), {
    nil: undefined,
    freq: 2,
  });
const bound = fc.option(fc.constantFrom(0, 4, 5, 10), { nil: undefined, freq: 3 });
const least = fc.option(fc.constantFrom(0, 40, 41, 100), { nil: undefined, freq: 3 });
const anyFilter: fc.Arbitrary<Filter> = fc
  .record({
    aggregators: axis("wire-a", "wire-b", "unknown"),
    providers: axis("p1", "p2"),
    exchanges: axis("NASDAQ", "NYSE"),
    symbols: axis("AAPL", "NYSE:F", "NONE"),
    actionability: fc.constantFrom(true, false, undefined, undefined),
    sentimentMin: bound,
    sentimentMax: bound,
    minConviction: least,
    minActionability: least,
    events: axis("guidance_raised", "earnings_beat", "contract_won"),
    title: fc.option(
      fc
        .constantFrom("profit", "warning profit", '"profit warning"', "-no", "profit -of", '-"a warning"')
        .map(titleQueryOf),
      { nil: undefined, freq: 1 },
    ),
    storyCopies: fc.constantFrom<false | undefined>(false, undefined, undefined),
    tags: fc.record({ market: axis("stock", "bond"), market_country: axis("US", "DE") }),
  })
  .filter(({ sentimentMin, sentimentMax }) => (sentimentMin ?? 0) <= (sentimentMax ?? 10));

function agrees(index: SubscriptionIndex, held: ReadonlyMap<number, Filter>, items: readonly Filterable[]) {
  for (const item of items) {
    const passed = index.match(item);
    for (const [slot, filter] of held)
      assert.equal(hasBit(passed, slot), matches(item, filter), JSON.stringify({ filter, item }));
    const visited: number[] = [];
    index.forEachMatch(item, (slot) => visited.push(slot));
    assert.deepEqual(
      visited,
      [...held].flatMap(([slot, filter]) => (matches(item, filter) ? [slot] : [])).sort((a, b) => a - b),
    );
  }
}

test("the index finds exactly the filters that match, while filters come, go and come again", () => {
  const anyStep = fc.oneof(
    { weight: 3, arbitrary: anyFilter.map((filter) => ({ add: filter })) },
    { weight: 1, arbitrary: fc.nat(50).map((remove) => ({ remove })) },
  );
  fc.assert(
    fc.property(
      fc.array(anyStep, { maxLength: 60 }),
      fc.array(anyItem, { minLength: 1, maxLength: 6 }),
      (steps, items) => {
        const index = new SubscriptionIndex();
        const uses: number[] = [];
        const held = new Map<number, Filter>();
        for (const step of steps)
          if ("add" in step) {
            const slot = index.add(step.add);
            held.set(slot, step.add);
            uses.push(slot);
          } else {
            const [slot] = uses.splice(step.remove % Math.max(1, uses.length), 1);
            if (slot === undefined) continue;
            index.remove(slot);
            if (!uses.includes(slot)) held.delete(slot);
          }
        assert.equal(index.size, held.size);
        agrees(index, held, items);
      },
    ),
    { numRuns: 300 },
  );
});

test("thousands of filters: values that many name, and room that grows", () => {
  const index = new SubscriptionIndex();
  const held = new Map<number, Filter>();
  const [items = []] = fc.sample(fc.array(anyItem, { minLength: 20, maxLength: 20 }), {
    numRuns: 1,
    seed: 7,
  });
  const drawn = fc.sample(anyFilter, { numRuns: 3_000, seed: 11 });
  const filters = drawn.map((filter, n): Filter => ({ ...filter, providers: [`only-${n}`, "p1"] }));
  for (const filter of filters) held.set(index.add(filter), filter);
  assert.equal(held.size, 3_000);
  agrees(index, held, items);
  for (const slot of [...held.keys()].filter((n) => n % 3 !== 0)) {
    index.remove(slot);
    held.delete(slot);
  }
  agrees(index, held, items);
  for (const filter of drawn.slice(0, 500)) held.set(index.add(filter), filter);
  agrees(index, held, items);
});
