import { neutral } from "../core/filter.ts";
import { count, percent, plural, signed, span } from "../core/format.ts";
import { useLoad } from "../core/load.ts";
import { iso } from "../core/range.ts";
import { type FeedStats, feedStats, itemsOf } from "../core/stats.ts";
import { Loading } from "../parts/states.tsx";
import { Chart } from "./chart.tsx";
import { bars } from "./series.ts";

/** How each score is named and divided. A key is what the service calls the value or bin. */
const scores = {
  sentiment: {
    name: "Sentiment, short term: −5 bearish to +5 bullish",
    of: "Sentiment",
    keys: Array.from({ length: 11 }, (_, at) => at),
    labelOf: (key: number) => signed(key - neutral),
  },
  actionability_score: {
    name: "Actionability, 0 to 100",
    of: "Actionability",
    keys: Array.from({ length: 10 }, (_, at) => 10 * at),
    labelOf: (key: number) => `${key} to ${key === 90 ? 100 : key + 9}`,
  },
} as const;

interface SpreadProps {
  readonly of: keyof typeof scores;
  /** How far back items are counted. */
  readonly hours: number;
  /** The keys that are marked: those that a filter takes. */
  readonly isIn?: (key: number) => boolean;
}

/** How the scores of all items are spread. The service counts them: no page of items is a sample of the whole. */
export function Spread({ of, hours, isIn }: SpreadProps) {
  const { name, of: heading, keys, labelOf } = scores[of];
  const loaded = useLoad(
    `spread ${of} ${hours}`,
    (signal) =>
      feedStats({}, { interval: "day", by: of, top: 12, since: iso(Date.now() - hours * 3_600_000) }, signal),
    30_000,
  );
  return (
    <Loading of={loaded} lines={1} height={180}>
      {(stats) => {
        const counts = keys.map((key) => countOf(stats, String(key)));
        const labels = keys.map(labelOf);
        const only = (wanted: boolean) =>
          counts.map((one, at) => (isIn?.(keys[at] ?? 0) === wanted ? one : 0));
        return (
          <Chart
            name={name}
            summary={`Last ${span(hours * 3_600_000)}: ${summaryOf(of, stats, counts, labels)}`}
            data={{
              times: keys.map((_, at) => at),
              bins: { of: heading, labels },
              height: 140,
              series:
                isIn === undefined
                  ? [bars("Items", counts, "--edge")]
                  : [bars("In the range", only(true), "--edge"), bars("Outside", only(false), "--quiet")],
            }}
          />
        );
      }}
    </Loading>
  );
}

/** @param key null: items without a score */
const countOf = ({ series }: FeedStats, key: string | null) =>
  itemsOf(series.find((one) => one.key === key)?.points ?? []);

function summaryOf(
  of: SpreadProps["of"],
  stats: FeedStats,
  counts: readonly number[],
  labels: readonly string[],
): string {
  const { items, actionable } = stats.totals;
  const most = Math.max(...counts);
  if (most === 0) return "no scored item.";
  const rated =
    of === "sentiment"
      ? ""
      : `, ${count(actionable ?? 0)} rated actionable (${percent((actionable ?? 0) / items)})`;
  const without = countOf(stats, null);
  return `${plural(items, "item")}${rated}; most at ${labels[counts.indexOf(most)]}: ${count(most)}${
    without === 0 ? "" : `; ${count(without)} without a score`
  }.`;
}
