/** A forecast beside the company's own former one: "sees year EPS $12.77-$12.97, had seen $14.58-$14.78". */
import { PhraseIndex, type PhraseMatch } from "../words/phrase-index.ts";
import type { Word } from "../words/scan.ts";
import type { Figure } from "./figures.ts";
import { isAlike, isRange } from "./linked-figures.ts";
import { kindByName, type Proof } from "./table.ts";

const formerly = new PhraseIndex<true>([
  [
    true,
    `had seen|expected|forecast|guided|projected|targeted|anticipated|estimated|flagged|planned|predicted
     had been expecting|forecasting|guiding|projecting|targeting
     previously|earlier ~1 saw|seen|see|expected|forecast|guided|projected|targeted|anticipated|estimated
     saw|expected|forecast|guided|projected previously|earlier|before
     prior|previous|earlier|old|former|original|initial view|guidance|forecast|outlook|estimate|range|target|projection|goal|guide`,
  ],
]);

type Mark = PhraseMatch<true>;

/** "Analysts had expected": the market's forecast, not the company's. */
const ofMarket = new Set(
  "analyst analysts broker brokers street economists economist forecasters market markets consensus poll survey wall investors they estimates lseg factset".split(
    " ",
  ),
);
const reachToMarket = 4;

const measured = new Set(
  "profit profits earnings income ebitda ebit ebita eps ffo affo sales revenue revenues rev turnover margin margins growth production output deliveries shipments cashflow cash flow bookings billings loss losses comps".split(
    " ",
  ),
);
const spent = new Set("cost costs expense expenses charge charges capex spending".split(" "));

/** Words between the measure and its figure, between that and the mark, and between the mark and the former figure. */
const reachToMeasure = 10;
const reachToMark = 6;
const reachToFormer = 4;
/** A change of the middle by less than this share of it is a hair. */
const hair = 0.01;

/** What comes out is no forecast: "profit of 12.4 bln; the company had forecast 9.0 bln". */
const forecasts = new Set(
  "see sees seeing expect expects expected expecting now guide guides guided guidance forecast forecasts outlook view views anticipate anticipates project projects projected projecting target targets estimate estimates reckons looks puts will preannounces preannounced prelim preliminary".split(
    " ",
  ),
);
/** "Compared with": words that set a figure against the former one where no comma does. */
const setsAgainst = new Set("vs versus v against compared from than instead rather up down".split(" "));

/** "The $20 million we had guided to": the figure before the mark is the former one. */
const isApart = (between: readonly Word[]): boolean =>
  between.some(({ gap, word, bracketed }) => gap >= 1 || bracketed || setsAgainst.has(word));

/** The marks of a company's own former forecast. */
export const formerViews = (words: readonly Word[]): readonly Mark[] =>
  formerly
    .matches(words)
    .filter(
      ({ from }) =>
        words.slice(0, from).some(({ word }) => forecasts.has(word)) &&
        !words.slice(Math.max(0, from - reachToMarket), from).some(({ word }) => ofMarket.has(word)),
    );

const partsStatement = (words: readonly Word[], from: number, to: number): boolean =>
  words.slice(from, to + 1).some(({ gap }) => gap >= 3);

const middle = (ends: readonly Figure[], sign: number): number =>
  (sign * ends.reduce((sum, { amount }) => sum + amount.value, 0)) / ends.length;

const signOf = (ends: readonly Figure[]): number | null =>
  ends.find(({ sign }) => sign !== null)?.sign ?? null;

/** The last figure before a mark and the first one behind it, each with the other end of its range. */
function bothViews(
  words: readonly Word[],
  figures: readonly Figure[],
  { from, to }: Mark,
): { now: readonly Figure[]; former: readonly Figure[] } | null {
  const lastAt = figures.findLastIndex(({ amount }) => amount.after <= from);
  const last = figures[lastAt];
  const nextAt = figures.findIndex(({ at }) => at >= to);
  const next = figures[nextAt];
  if (last === undefined || next === undefined || !isAlike(last, next)) return null;
  if (from - last.amount.after > reachToMark || next.at - to > reachToFormer) return null;
  if (!isApart(words.slice(last.amount.after, from + 1))) return null;
  const first = figures[lastAt - 1];
  const end = figures[nextAt + 1];
  return {
    now: isRange(first, last) ? [first, last] : [last],
    former: end !== undefined && isRange(next, end) ? [next, end] : [next],
  };
}

function measureBefore(words: readonly Word[], at: number): number {
  for (let index = at - 1; index >= Math.max(0, at - reachToMeasure); index -= 1) {
    const word = words[index]?.word ?? "";
    if (measured.has(word) || spent.has(word)) return index;
    if ((words[index]?.gap ?? 0) >= 3) break;
  }
  return -1;
}

function proofOf(words: readonly Word[], figures: readonly Figure[], mark: Mark): PhraseMatch<Proof> | null {
  const views = bothViews(words, figures, mark);
  const [first] = views?.now ?? [];
  const former = views?.former.at(-1);
  if (views === null || first === undefined || former === undefined) return null;
  if (partsStatement(words, first.at + 1, former.at)) return null;
  const measure = measureBefore(words, first.at);
  if (measure < 0) return null;
  const sign = signOf(views.now) ?? 1;
  const now = middle(views.now, sign);
  const before = middle(views.former, signOf(views.former) ?? sign);
  if (now === before) return null;
  const isUp = now > before !== spent.has(words[measure]?.word ?? "");
  const kind = kindByName.get(isUp ? "guidance_raised" : "guidance_cut");
  if (kind === undefined) return null;
  const ends = [measure, first.at, mark.from, mark.to - 1, former.at];
  const bits = ends.reduce((taken, at) => taken | (1 << (at - measure)), 0);
  const isHair = Math.abs(now - before) < hair * Math.abs(before);
  return {
    value: { kind, turned: false, faint: isHair },
    order: 0,
    from: measure,
    to: former.at + 1,
    mask: bits,
  };
}

/** The words that a mask has room for. */
const longest = 31;

/** What a sentence's forecasts are beside the former ones. */
export const changedViews = (
  words: readonly Word[],
  figures: readonly Figure[],
  marks: readonly Mark[],
): readonly PhraseMatch<Proof>[] =>
  marks.flatMap((mark) => {
    const match = proofOf(words, figures, mark);
    return match === null || match.to - match.from > longest ? [] : [match];
  });
