import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import type { pushItem } from "@tapewire/contract/admin.ts";
import { type FeedItemDetail, feedItemDetail, feedList } from "@tapewire/contract/feeds.ts";
import { tagDimensions } from "@tapewire/contract/tags.ts";
import type { z } from "zod";
import type { Live } from "./live.ts";

/** The run's own items in the feed, on exchanges and under sources that only this run uses. */
export interface Seeded {
  /** The items as single reads on a paid plan return them, newest first by (published_at, id). */
  readonly all: readonly FeedItemDetail[];
  /** Sources of these items. */
  readonly sources: readonly [string, string];
  /** Exchanges of their symbols. */
  readonly exchanges: readonly [string, string];
  /** Tickers: the first on both exchanges, the second on the first, the third without an exchange. */
  readonly tickers: readonly [string, string, string];
  /** A source with more items than a page of the smaller plans. */
  readonly bulk: { readonly source: string; readonly count: number };
}

/** More than a page of the Pro plan. */
const bulkCount = 210;
const minuteMs = 60_000;

type RawItem = z.input<typeof pushItem>;
type Story = Pick<RawItem, "title" | "body" | "type" | "tags">;

/** Invented stories: bullish, bearish, neutral, of every type and tag dimension, and in a language without a model. */
const stories: readonly Story[] = [
  {
    title: "Orbitex Robotics raises full-year guidance after record orders",
    body: "Revenue rose 40% to $84 million and beat estimates.",
    tags: ["earnings", "stock"],
  },
  { title: "Brandmoor files for bankruptcy after fraud probe", body: "Shares plunge 60%.", tags: ["stock"] },
  {
    title: "Quillbrook Energy cuts its dividend in half",
    body: "The board cites debt.",
    tags: ["dividends"],
  },
  // An item about an economy names no company. These two are at the positions where `lines` has none.
  { title: "Germany: inflation slows to 2.1% in May", body: "The statistics office said.", tags: ["prices"] },
  { title: "Five things to know about gardening", body: "Water your plants.", type: "ugc" },
  {
    title: "Bir şirket hisse geri alımı yapacağını duyurdu ve yatırımcılar bunu bekliyordu",
    body: "Şirket bugün yaptığı açıklamada yeni bir program başlattığını söyledi.",
  },
  {
    title: "Thornbury Foods to acquire Halvorn for $3 billion",
    body: "The price is a premium of 35%. Closing is expected in the third quarter. Both boards agreed.",
    type: "filing",
    tags: ["mergers_and_acquisitions", "stock"],
  },
  { title: "Bank of Japan raises interest rates to 1%", body: "", type: "research", tags: ["money"] },
];

/** Pushes the run's items and reads them back. Resolves when the list has all of them. */
export async function seedItems(live: Live): Promise<Seeded> {
  const exchanges = [`X${live.run}`, `Y${live.run}`] as const;
  const tickers = [`A${live.run}`, `B${live.run}`, `C${live.run}`] as const;
  const sources = [live.name("a"), live.name("b")] as const;
  const lines = [
    [`${exchanges[0]}:${tickers[0]}`],
    [`${exchanges[1]}:${tickers[0]}`, tickers[2]],
    [`${exchanges[0]}:${tickers[1]}`],
    [],
  ];
  // Two items share each time, so that ties are ordered by id. Times are whole seconds, as sources give them.
  const start = Math.floor(Date.now() / minuteMs) * minuteMs - 3 * 24 * 60 * minuteMs;
  const own = Array.from({ length: 3 * stories.length }, (_, n): RawItem => {
    const story = stories[n % stories.length] ?? { title: "" };
    return {
      ...story,
      title: `${story.title}${n < stories.length ? "" : `, part ${n}`}`,
      source: sources[n % 3 === 0 ? 1 : 0],
      provider: live.name(`desk-${n % 2}`),
      link: `https://news.example.com/${live.run}/${n}`,
      external_id: `own-${n}`,
      symbols: [...(lines[n % lines.length] ?? [])],
      published_at: new Date(start + Math.floor(n / 2) * minuteMs).toISOString(),
    };
  });
  const bulk = { source: live.name("bulk"), count: bulkCount };
  const fillers = Array.from({ length: bulk.count }, (_, n) => ({
    title: `Notice ${n} of ${live.run}`,
    source: bulk.source,
    external_id: `bulk-${n}`,
    published_at: new Date(start - n * minuteMs).toISOString(),
  }));
  const pushed = (await live.push([...own, ...fillers])).slice(0, own.length);
  const all: FeedItemDetail[] = [];
  for (const { id } of pushed) all.push((await live.get(`/v1/feeds/${id}`)).read(feedItemDetail));
  await listed(live, bulk);
  return { all: all.sort(newestFirst), sources, exchanges, tickers, bulk };
}

/** Another process than the one that stored the items may show them a moment later. */
async function listed(live: Live, { source, count }: Seeded["bulk"]): Promise<void> {
  for (let tries = 0; tries < 50; tries++) {
    const answer = await live.get("/v1/feeds", { query: { aggregator: source, limit: count } });
    if (answer.read(feedList).data.length === count) return;
    await delay(200);
  }
  assert.fail(`GET /v1/feeds does not show the ${count} items of ${source} within 10 s`);
}

/** The order of the list. Source: decisions, Feed items. */
export function newestFirst(a: FeedItemDetail, b: FeedItemDetail): number {
  return compare(b.published_at, a.published_at) || compare(b.id, a.id);
}
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** Query parameters of GET /v1/feeds that choose items. */
export type FilterQuery = Readonly<Record<string, string>>;

/** Whether an item matches the filters. Source: interface, GET /v1/feeds; decisions, Feed items. */
export function matches(item: FeedItemDetail, query: FilterQuery): boolean {
  return Object.entries(query).every(([name, value]) => holds(item, name, value));
}

function holds(item: FeedItemDetail, name: string, value: string): boolean {
  const { scoring, symbols, events, tags } = item;
  const wanted = value.split(",").map((one) => one.trim().toUpperCase());
  const oneOf = (have: readonly (string | null)[]) =>
    have.some((one) => one !== null && wanted.includes(one.toUpperCase()));
  switch (name) {
    case "since":
      return Date.parse(item.published_at) >= Date.parse(value);
    case "until":
      return Date.parse(item.published_at) < Date.parse(value);
    case "aggregator":
      return oneOf([item.source]);
    case "actionability":
      return scoring.actionability === (value === "true");
    case "sentiment_min":
      return scoring.sentiment_score !== null && scoring.sentiment_score >= Number(value);
    case "sentiment_max":
      return scoring.sentiment_score !== null && scoring.sentiment_score <= Number(value);
    case "min_conviction":
      return scoring.sentiment_conviction !== null && scoring.sentiment_conviction >= Number(value);
    case "min_actionability_score":
      return scoring.actionability_score !== null && scoring.actionability_score >= Number(value);
    case "q":
      return hasWords(item.title ?? "", value);
    case "event":
      return oneOf(events.map((event) => event.name));
    case "exchange":
      return oneOf(symbols.map(({ exchange }) => exchange));
    case "symbol":
      return oneOf(symbols.flatMap(({ symbol, short_symbol }) => [symbol, short_symbol]));
    default: {
      const dimension = tagDimensions.find((one) => one === name);
      if (dimension === undefined) throw new RangeError(`${name} is not a filter`);
      return oneOf(tags[dimension] ?? []);
    }
  }
}

/** For the plain titles of the run's items: letters of ASCII without an apostrophe. */
function hasWords(title: string, query: string): boolean {
  const words = (text: string) => ` ${(text.toLowerCase().match(/[a-z0-9]+/g) ?? []).join(" ")} `;
  const terms = query.match(/-?(?:"[^"]*"|[^\s"]+)/g) ?? [];
  return terms.every((term) => words(title).includes(words(term)) !== term.startsWith("-"));
}
