/** By default fewer random cases and smaller segments; TAPEWIRE_CHAOS=full has two and a half times as many, and of 3,000 items. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { tagDimensions } from "@tapewire/contract/tags.ts";
import fc from "fast-check";
import { matches } from "../../src/feed/filter.ts";
import { type FeedItem, type Filter, newestFirst } from "../../src/feed/item.ts";
import { idOf, type ListPosition, positionOf } from "../../src/feed/list-key.ts";
import { bucketsOf, type Counted, type CountRequest } from "../../src/feed/window/window-counts.ts";
import { type CountAxis, countAxes } from "../../src/feed/window/window-terms.ts";
import { arrivals } from "../support/arrivals.ts";
import { isFull } from "../support/full-length.ts";
import { Held } from "../support/held-segments.ts";
import { anyFacts, anyFilter, times } from "../support/list-shapes.ts";

const { numRuns, segmentItems: largeSegment } = isFull
  ? { numRuns: 150, segmentItems: 3_000 }
  : { numRuns: 60, segmentItems: 1_200 };

const anyRequest: fc.Arbitrary<CountRequest> = fc
  .record({
    from: fc.constantFrom(...times),
    until: fc.constantFrom(...times),
    slack: fc.integer({ min: -90_000, max: 90_000 }),
    bucketMs: fc.constantFrom(60_000, 3_600_000, 86_400_000),
    by: fc.option(fc.constantFrom(...countAxes)),
    top: fc.constantFrom(1, 2, 3, 12),
  })
  .map(({ from, until, slack, ...rest }) => ({
    ...rest,
    fromMs: Math.min(Date.parse(from), Date.parse(until)) - slack,
    untilMs: Math.max(Date.parse(from), Date.parse(until)) + slack,
    turn: () => {},
  }));

/** The values that an item counts under, told without the index. */
function valuesOf({ source, symbols, scoring, events, tags }: FeedItem, by: CountAxis): string[] {
  const known = (values: readonly (string | null)[]) => [...new Set(values.filter((one) => one !== null))];
  switch (by) {
    case "aggregator":
      return [source];
    case "ticker":
      return known(symbols.map(({ short_symbol }) => short_symbol));
    case "exchange":
      return known(symbols.map(({ exchange }) => exchange));
    case "actionability":
      return scoring.actionability === null ? [] : [String(scoring.actionability)];
    case "actionability_score": {
      const { actionability_score: score } = scoring;
      return score === null ? [] : [String(score === 100 ? 90 : score - (score % 10))];
    }
    case "sentiment":
      return scoring.sentiment_score === null ? [] : [String(scoring.sentiment_score)];
    case "event":
      return known(events.map(({ name }) => name));
    default:
      return by in tags ? (tagDimensions.flatMap((one) => (one === by ? (tags[one] ?? []) : [])) ?? []) : [];
  }
}

/** Items, actionable ones, scored ones and the sum of their sentiments, by start of bucket; buckets without items left out. */
function brute(items: readonly FeedItem[], bucketMs: number): (readonly number[])[] {
  const byBucket = Map.groupBy(items, ({ published_at }) => Math.floor(Date.parse(published_at) / bucketMs));
  return [...byBucket]
    .sort(([x], [y]) => x - y)
    .map(([bucket, held]) => {
      const scores = held.flatMap(({ scoring }) => scoring.sentiment_score ?? []);
      const actionable = held.filter(({ scoring }) => scoring.actionability === true).length;
      return [bucket * bucketMs, held.length, actionable, scores.length, scores.reduce((x, y) => x + y, 0)];
    });
}

function points(counts: Float64Array, firstMs: number, bucketMs: number): number[][] {
  const found: number[][] = [];
  for (let at = 0; at < counts.length; at += 4)
    if (counts[at] !== 0) found.push([firstMs + (at / 4) * bucketMs, ...counts.subarray(at, at + 4)]);
  return found;
}

function check(made: Counted, all: readonly FeedItem[], filter: Filter, request: CountRequest) {
  const { by, bucketMs, untilMs, top } = request;
  const { since: _, until: __, ...unbounded } = filter;
  const range = { since: new Date(made.fromMs), until: new Date(untilMs) };
  const own = all.filter((item) => matches(item, { ...unbounded, ...range }));
  const [whole] = points(made.totals, 0, 1);
  assert.deepEqual(whole?.slice(1) ?? [], brute(own, 1e15)[0]?.slice(1) ?? []);
  const bySize = Map.groupBy(by === null ? [] : own.flatMap((item) => valuesOf(item, by)), (value) => value);
  const values = [...bySize]
    .sort(([x, xs], [y, ys]) => ys.length - xs.length || (x < y ? -1 : 1))
    .slice(0, top)
    .map(([value]) => value);
  const rest = own.filter((item) => by === null || !valuesOf(item, by).some((one) => values.includes(one)));
  assert.deepEqual(
    made.series.map(({ value, counts }) => [value, points(counts, made.firstMs, bucketMs)]),
    [
      ...values.map((value) => [
        value,
        brute(
          own.filter((item) => by !== null && valuesOf(item, by).includes(value)),
          bucketMs,
        ),
      ]),
      ...(by === null || rest.length > 0 ? [[null, brute(rest, bucketMs)]] : []),
    ],
  );
}

/** Newest first, as pages one after another show them. */
async function walked(held: Held, filter: Filter, limit: number): Promise<string[]> {
  const ids: string[] = [];
  for (let after: ListPosition | null = null; ; ) {
    const hits = await held.find({ filter, after, limit: limit + 1, owner: null });
    ids.push(...hits.slice(0, limit).map(({ key }) => idOf(key)));
    const last = hits[limit - 1];
    if (hits.length <= limit || last === undefined) return ids;
    after = positionOf(last.key);
  }
}

const newestOf = (all: readonly FeedItem[]) => [...new Map(all.map((item) => [item.id, item])).values()];

const shownBy = (all: readonly FeedItem[], filter: Filter) =>
  all
    .filter((item) => matches(item, filter))
    .sort(newestFirst)
    .map(({ id }) => id);

test("pages and counts are those of the items that match in memory, however they are spread over segments", async () => {
  let segments = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyFacts(60), { maxLength: 150, size: "max" }),
      fc.array(fc.tuple(anyFilter, anyRequest), { minLength: 4, maxLength: 4 }),
      fc.array(fc.nat(149), { maxLength: 3 }),
      fc.constantFrom(1, 7, 1000),
      async (facts, asked, folds, segmentItems) => {
        const held = new Held({ segmentItems, keepsBlocks: segmentItems === 7 });
        const newest = new Map<string, FeedItem>();
        for (const [at, item] of arrivals(facts).entries()) {
          newest.set(item.id, item);
          held.put(item);
          if (folds.includes(at)) await held.fold();
        }
        segments += held.segments;
        const all = [...newest.values()];
        for (const [filter, request] of asked) {
          assert.deepEqual(await walked(held, filter, 3), shownBy(all, filter));
          const made = await held.count(filter, request);
          assert.deepEqual([made.isComplete, made.fromMs], [true, request.fromMs]);
          check(made, all, filter, request);
        }
      },
    ),
    { numRuns },
  );
  assert.ok(segments > (2 * numRuns) / 3, "few segments were searched");
});

test("pages and counts stay exact where segments are large, with late items and new versions in them", async () => {
  const seed = 20261123;
  const facts = fc.sample(anyFacts(5_000), { numRuns: 4 * largeSegment, seed }).map((one, at) => ({
    ...one,
    // One in twenty is late.
    publishedAt: new Date(Date.parse(times[1]) + (at % 20 === 0 ? at / 2 : at) * 1_000).toISOString(),
  }));
  const held = new Held({ segmentItems: largeSegment, keepsBlocks: true });
  const newest = new Map<string, FeedItem>();
  for (const [at, item] of arrivals(facts).entries()) {
    newest.set(item.id, item);
    held.put(item);
    if ((at + 1) % Math.ceil(largeSegment * 1.17) === 0) await held.fold();
  }
  assert.ok(held.segments >= 2);
  const firstMs = Date.parse(times[1]);
  for (const [at, by] of [null, ...countAxes].entries())
    for (const filter of fc.sample(anyFilter, { numRuns: 3, seed: seed + at })) {
      const request = { fromMs: firstMs + 61_234, untilMs: firstMs + 9_000_500, bucketMs: 60_000, by };
      const whole = { ...request, top: 2, turn: () => {} };
      check(await held.count(filter, whole), [...newest.values()], filter, whole);
      assert.deepEqual(await walked(held, filter, 400), shownBy([...newest.values()], filter));
    }
});

test("where two axes never meet, the blocks of a third one are read in one segment, not in all", async () => {
  const held = new Held({ segmentItems: 1_500, keepsBlocks: false });
  const exception = 8_998;
  const all = arrivals(fc.sample(anyFacts(9_000), { numRuns: 9_000, seed: 5 })).map((item, at) => ({
    ...item,
    source: at % 2 === 0 ? "even" : "odd",
    scoring: { ...item.scoring, sentiment_conviction: at % 101 },
    tags: { market_country: [at % 2 === 0 && at !== exception ? "JP" : "US"] },
  }));
  for (const item of all) held.put(item);
  await held.fold();
  assert.ok(held.segments >= 4);
  const find = (filter: Filter) => held.find({ filter, after: null, limit: 10, owner: null });
  const readBy = async (filter: Filter) => {
    const before = held.reads;
    assert.deepEqual(await find(filter), []);
    return held.reads - before;
  };
  const never = { aggregators: ["odd"], tags: { market_country: ["JP"] } };
  const two = await readBy(never);
  const three = await readBy({ ...never, minConviction: 1 });
  assert.ok(three > two && three - two < held.segments, `${three} blocks, ${two} without the third axis`);
  const once = { aggregators: ["even"], tags: { market_country: ["US"] }, minConviction: 1 };
  const found = (await find(once)).map(({ key }) => idOf(key));
  assert.deepEqual(found, shownBy(newestOf(all), once));
  assert.equal(found.length, 1);
});

test("lists are exact where values meet rarely, and which ones meet is looked up instead of where they are", async () => {
  const held = new Held({ segmentItems: 1_000, keepsBlocks: false });
  const [sources, countries] = [8, 10];
  const all = arrivals(fc.sample(anyFacts(12_000), { numRuns: 12_000, seed: 8 })).map((item, at) => {
    const own = at % sources;
    // A source has the countries that its number divides, and once in a while any.
    const country = at % 997 === 0 ? at % countries : (own * (1 + (at % 3))) % countries;
    return { ...item, source: `s${own}`, tags: { market_country: [`C${country}`] } };
  });
  for (const item of all) held.put(item);
  await held.fold();
  assert.ok(held.segments >= 6);
  const newest = newestOf(all);
  const some = (prefix: string, most: number) =>
    fc.uniqueArray(
      fc.nat(most - 1).map((n) => `${prefix}${n}`),
      { minLength: 1, maxLength: 3 },
    );
  const request = {
    fromMs: Date.parse(times[0]),
    untilMs: Date.parse(times[3]) + 1,
    bucketMs: 60_000,
    by: null,
  };
  await fc.assert(
    fc.asyncProperty(
      some("s", sources),
      some("C", countries),
      fc.option(fc.constantFrom(5, 11), { nil: undefined }),
      async (aggregators, market_country, sentimentMin) => {
        const filter = { aggregators, tags: { market_country }, ...(sentimentMin && { sentimentMin }) };
        assert.deepEqual(await walked(held, filter, 50), shownBy(newest, filter));
        check(await held.count(filter, { ...request, top: 1, turn: () => {} }), newest, filter, {
          ...request,
          top: 1,
          turn: () => {},
        });
      },
    ),
    { numRuns: 60 },
  );
  assert.ok(held.readsOf("meetings") > 0);
});

test("buckets begin at whole minutes, hours and days of UTC, and the last one holds the end of the range", () => {
  const at = (time: string) => Date.parse(`2026-03-02T${time}Z`);
  const range = { fromMs: at("14:30:30"), untilMs: at("16:00:00") };
  assert.deepEqual(bucketsOf({ ...range, bucketMs: 60_000 }), { firstMs: at("14:30:00"), count: 90 });
  assert.deepEqual(bucketsOf({ ...range, bucketMs: 3_600_000 }), { firstMs: at("14:00:00"), count: 2 });
  assert.deepEqual(bucketsOf({ ...range, bucketMs: 86_400_000 }), { firstMs: at("00:00:00"), count: 1 });
});

test("a count gives up when its turn throws", async () => {
  const held = new Held({ segmentItems: 10, keepsBlocks: true });
  for (const item of arrivals(fc.sample(anyFacts(60), { numRuns: 60, seed: 1 }))) held.put(item);
  const turn = () => {
    throw new Error("late");
  };
  const range = { fromMs: 0, untilMs: Date.parse(times[3]) + 1, bucketMs: 86_400_000 };
  await assert.rejects(held.count({ tags: {} }, { ...range, by: null, top: 1, turn }), /late/);
});

test("a count of many segments ends however short its turns are", async () => {
  const held = new Held({ segmentItems: 2, keepsBlocks: true, turnMs: -1 });
  const all = arrivals(fc.sample(anyFacts(60), { numRuns: 60, seed: 2 }));
  for (const item of all) held.put(item);
  await held.fold();
  assert.ok(held.segments > 10);
  let turns = 0;
  const turn = () => {
    turns += 1;
    assert.ok(turns < 10 * held.segments, "it gets no further");
  };
  for (const by of [null, "actionability_score"] as const) {
    const range = { fromMs: Date.parse(times[0]), untilMs: Date.parse(times[3]) + 1 };
    const request = { ...range, bucketMs: 86_400_000, by, top: 3, turn };
    check(await held.count({ tags: {} }, request), newestOf(all), { tags: {} }, request);
  }
});
