import type { NumberFact } from "../../types.ts";
import type { Sentence } from "../sentence.ts";
import type { Draft } from "./fact-draft.ts";
import { metricsOf } from "./metrics.ts";

/** "In millions, except share counts in thousands": the first scale is that of money. */
function scaleOf(line: string): number | null {
  let [best, at] = [0, line.length];
  for (const [words, scale] of scaleWords) {
    const found = line.search(words);
    if (found >= 0 && found < at) [best, at] = [scale, found];
  }
  return best === 0 ? null : best;
}

const scaleWords: readonly (readonly [RegExp, number])[] = [
  [/\bin thousands\b|\(000.?s\b/i, 1e3],
  [/\b(?:in millions|millions of|\$ ?m(?:illion)?s?\b|us\$m)/i, 1e6],
  [/\bin billions\b/i, 1e9],
];
/** A row's label, a few columns and notes; longer lines are no rows of statements. */
const longestRow = 400;
/** For how many rows a scale or a year applies. */
const reach = 60;
const percentMetrics = new Set(["gross_margin", "operating_margin", "net_margin"]);

/**
 * Reads rows of income statements: a metric, this period, the period compared with. Remembers the scale and the years of
 * earlier rows. One per reading.
 */
export class TableReader {
  #scale: number | null = null;
  #scaleAt = 0;
  #ascending = false;
  #headed = 0;
  readonly #seen = new Set<string>();

  /** @param period that of the text around */
  read(text: string, sentence: Sentence, period: string | null): Draft | null {
    const { start, end, index, tokens } = sentence;
    if (end - start > longestRow) return null;
    const line = text.slice(start, end);
    const scale = scaleOf(line);
    if (scale !== null) [this.#scale, this.#scaleAt] = [scale, index];
    const years = tokens.flatMap(({ word }) => (/^20\d\d$/.test(word) ? [Number(word)] : []));
    const [first, second] = years;
    if (first !== undefined && second !== undefined)
      [this.#ascending, this.#headed] = [first < second, index];
    if (!line.includes("\t")) return null;
    return this.#row(line, sentence, period);
  }

  #row(line: string, sentence: Sentence, period: string | null): Draft | null {
    const [label = "", ...cells] = line.split("\t");
    if (label.length > 80 || /\d/.test(label)) return null;
    const numbers = cells.slice(0, 14).flatMap((cell) => cellValue(cell) ?? []);
    const [left, right] = numbers;
    if (left === undefined || right === undefined || left.percent !== right.percent) return null;
    const labelTokens = sentence.tokens.filter((token) => token.end <= sentence.start + label.length);
    const [mention] = metricsOf(labelTokens);
    if (
      mention === undefined ||
      !isWholeLabel(
        labelTokens.map(({ word }) => word),
        mention.first,
        mention.after,
      )
    )
      return null;
    const unit: NumberFact["unit"] = percentMetrics.has(mention.metric)
      ? "percent"
      : mention.metric === "eps"
        ? "per_share"
        : "currency";
    if ((unit === "percent") !== left.percent) return null;
    const isScaled = this.#scale !== null && sentence.index - this.#scaleAt <= reach;
    if (unit === "currency" && !isScaled) return null;
    if (this.#seen.has(mention.metric)) return null;
    this.#seen.add(mention.metric);
    const turned = this.#ascending && sentence.index - this.#headed <= reach;
    const scale = unit === "currency" ? (this.#scale ?? 1) : 1;
    const sign = /\bloss\b/i.test(label) && !/\bincome|earnings|profit\b/i.test(label) ? -1 : 1;
    const value = (cell: Cell): number => (sign < 0 ? -Math.abs(cell.value) : cell.value) * scale;
    return {
      metric: mention.metric,
      kind: "reported",
      unit,
      sign: 1,
      adjusted: mention.adjusted,
      sentence: sentence.index,
      period,
      currency: unit !== "percent" && line.includes("$") ? "USD" : null,
      low: value(turned ? right : left),
      high: null,
      yearAgo: value(turned ? left : right),
      previous: null,
      consensus: null,
      changePct: null,
      outcome: null,
      start: sentence.start,
      end: sentence.end,
      last: "value",
    };
  }
}

interface Cell {
  readonly value: number;
  readonly percent: boolean;
}

/** `1,234`, `$ (12.5)`, `45.2%`; null for lone signs and for words. */
function cellValue(cell: string): Cell | null {
  const found =
    /^[$€£¥\s]{0,4}(\(?)[$\s]{0,3}(-?)(\d{1,3}(?:,\d{3}){0,5}|\d{1,12})(\.\d{1,4})?[\s)]{0,2}(%?)[\s)]{0,2}$/.exec(
      cell.slice(0, 40),
    );
  if (found === null) return null;
  const size = Number(`${(found[3] ?? "").replaceAll(",", "")}${found[4] ?? ""}`);
  return { value: found[1] === "(" || found[2] === "-" ? -size : size, percent: found[5] === "%" };
}

const around =
  /^(?:total|net|diluted|basic|consolidated|and|adjusted|non|gaap|attributable|to|common|shareholders|stockholders|per|share|of|the|company|from|operations|continuing|operating|loss|income|sales|s)$/;

/** "Total revenues" is the metric's row; "Increase in revenues from new stores" is not. */
const isWholeLabel = (words: readonly string[], first: number, after: number): boolean =>
  words.every((word, at) => (at >= first && at < after) || around.test(word));
