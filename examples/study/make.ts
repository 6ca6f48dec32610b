/**
 * Makes items.ndjson and prices.csv: ten invented companies over 200 days. Every tenth day a company has an item. Of actionable
 * ones the price moves by 3 % on that day, in 7 of 10 cases the way the score says; beside that prices move at random.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { generator, makeWorld, plain } from "../../cli/test/study/world.ts";

const { entries, series } = makeWorld({ ...plain, seed: 2026, symbols: 10, days: 200 });
const random = generator(11);
const kinds = ["guidance", "contract", "results", "lawsuit"];

const items = entries.map(({ logged_at, data }) => {
  const event = data.event === null ? null : (kinds[Math.floor(random() * kinds.length)] ?? null);
  const conviction = 50 + Math.floor(random() * 45);
  return {
    logged_at,
    data: { ...data, event, scoring: { ...data.scoring, sentiment_conviction: conviction } },
  };
});
const rows = series.flatMap(({ symbol, times, prices }) =>
  [...times].map(
    (time, at) => `${new Date(time).toISOString().slice(0, 10)},${symbol},${prices[at]?.toFixed(4)}`,
  ),
);

const path = (name: string) => join(import.meta.dirname, name);
writeFileSync(path("items.ndjson"), items.map((item) => `${JSON.stringify(item)}\n`).join(""));
writeFileSync(path("prices.csv"), `date,symbol,close\n${rows.join("\n")}\n`);
