import type { Filter } from "@tapewire/contract/filter.ts";
import { titleQueryOf } from "@tapewire/contract/title/title.ts";
import fc from "fast-check";
import { storyFacts } from "../../src/feed/story/story.ts";
import type { Facts } from "./items.ts";

// Few values on purpose: ties, equal bounds and empty intersections are where the bugs are. Three months: partitions.
export const times = [
  "2026-01-31T23:59:59.999Z",
  "2026-02-01T00:00:00.000Z",
  "2026-02-01T00:00:00.001Z",
  "2026-03-05T12:00:00.000Z",
] as const;

const someOf = <T>(...values: T[]) => fc.uniqueArray(fc.constantFrom(...values), { maxLength: 2 });

/** @param identities how many different items there are: a second one under an identity revises the first */
export function anyFacts(identities: number): fc.Arbitrary<Facts> {
  return fc.record({
    uniqueId: fc.integer({ min: 0, max: identities - 1 }).map((n) => `guid:t:${n}`),
    publishedAt: fc.constantFrom(...times),
    source: fc.constantFrom("wire-a", "wire-b"),
    provider: fc.constantFrom("p1", "p2"),
    title: fc.constantFrom("One title", "Another title", "A third title", "Title one, a third one"),
    symbols: someOf("NASDAQ:AAPL", "XETR:AAPL", "NYSE:F", "XETR:F"),
    tags: fc.record({
      market: someOf("stock", "bond"),
      corp_activity: someOf("earnings", "ipo"),
      market_country: someOf("US", "DE"),
    }),
    actionability: fc.constantFrom(true, false, null),
    sentiment: fc.constantFrom(0, 5, 10, null),
    conviction: fc.constantFrom(0, 37, 100, null),
    score: fc.constantFrom(0, 9, 10, 50, 89, 90, 100, null),
    events: someOf("guidance_raised", "earnings_beat", "contract_won"),
    // Equal headlines with a figure about one symbol are one story.
    story: fc.option(
      fc.constantFrom("Halvorn halts trial of 212", "Brandmoor pays $40 million for Veltrix").map((title) =>
        storyFacts(
          {
            title,
            body: "",
            symbols: ["NYSE:HLV"],
            about: ["NYSE:HLV"],
            source: "wire-x",
            publishedAt: new Date(times[0]),
          },
          { events: [], direction: 0 },
        ),
      ),
    ),
  });
}

const axis = <T>(...values: T[]) =>
  fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 2 });
const anyTime = fc.constantFrom(...times).map((time) => new Date(time));

const titleQueries = [
  "title",
  "third ONE",
  '"one title"',
  '"a third title" -another',
  "-another -one",
  "nowhere",
  "-nowhere",
  '"third one"',
] as const;

const anyAxis = fc.oneof(
  fc.record({ since: anyTime }),
  fc.record({ until: anyTime }),
  fc.record({ aggregators: axis("wire-a", "wire-b", "unknown") }),
  fc.record({ providers: axis("p1", "p2") }),
  fc.record({ exchanges: axis("NASDAQ", "XETR", "LSE") }),
  fc.record({ symbols: axis("AAPL", "NASDAQ:AAPL", "F", "ZZZZ") }),
  fc.record({ actionability: fc.boolean() }),
  fc.record({ sentimentMin: fc.constantFrom(0, 5, 6), sentimentMax: fc.constantFrom(6, 10) }),
  fc.record({ sentimentMin: fc.constantFrom(0, 5, 6) }),
  fc.record({ minConviction: fc.constantFrom(0, 20, 21, 100) }),
  fc.record({ minActionability: fc.constantFrom(0, 50, 51) }),
  fc.record({ events: axis("guidance_raised", "contract_won", "earnings_miss") }),
  fc.record({ storyCopies: fc.constant(false as const) }),
  fc.record({ title: fc.constantFrom(...titleQueries).map(titleQueryOf) }),
  fc.record({}),
);
const anyTags = fc.oneof(
  fc.record({ market: axis("stock", "bond") }),
  fc.record({ corp_activity: axis("earnings", "ipo"), market_country: axis("US", "FR") }),
  fc.record({}),
);

/** A few axes: with all of them given hardly an item would match. */
export const anyFilter: fc.Arbitrary<Filter> = fc
  .tuple(anyAxis, anyAxis, anyTags)
  .map(([one, other, tags]) => ({ ...one, ...other, tags }));
