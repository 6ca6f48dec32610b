/** Whether an event is a small one of its kind: "recalls 58,000 lb", "fined $60,000", or $425 million for Alphabet. */
import { ownString } from "../../kept-strings.ts";
import { amountAt, isDate } from "../words/amounts.ts";
import type { Word } from "../words/scan.ts";

/** Less than `below` of what is counted is little for any listed company. */
export interface SmallSize {
  readonly units: ReadonlySet<string>;
  /** Counted in money, of any currency. */
  readonly money: boolean;
  /** Counts things without a name of their own: "recalls 3,200 Broncos". */
  readonly bare: boolean;
  readonly below: number;
}

/**
 * @param source lines like `lb|lbs|pounds 500000`; `$` stands for money, `#` for a count of anything else
 * @throws {RangeError} for a line without a number
 */
export const smallSizesOf = (source: string): readonly SmallSize[] =>
  source.split("\n").flatMap((line) => {
    if (line.trim() === "") return [];
    const [units = "", below = ""] = line.trim().split(/\s+/);
    if (!(Number(below) > 0)) throw new RangeError(`size "${line.trim()}" has no number`);
    const named = new Set(units.split("|").map(ownString));
    return { units: named, money: named.delete("$"), bare: named.delete("#"), below: Number(below) };
  });

/** Least market value, in dollars, of companies up to a rank. The register gives later ranks to lines whose size it does not know. */
const worths: readonly (readonly [number, number])[] = [
  [5, 2e12],
  [10, 8e11],
  [20, 4e11],
  [50, 2e11],
  [100, 1.4e11],
  [200, 7e10],
  [400, 2.5e10],
  [799, 1e10],
];

/** What a company is worth at least, in dollars; 0: that is not known. */
export const worthOf = ({
  type,
  rank,
}: {
  readonly type: string;
  readonly rank?: number | undefined;
}): number =>
  rank === undefined || rank < 1 || (type !== "stock" && type !== "dr")
    ? 0
    : (worths.find(([last]) => rank <= last)?.[1] ?? 0);

/** Shares of a company's market value below which a sum is small for it, and below which it is modest. */
const smallShare = 0.0007;
const modestShare = 0.003;

/** Words after a proof in which its amount may stand, and after an amount in which its unit may. */
const reach = 3;

/** "2,000 lb" is no year. */
const hasComma = (word: Word | undefined): boolean =>
  word !== undefined && word.end - word.start > word.word.length;

/** "312 older pickup trucks": the unit is the first word of a size after the figure, in its clause. */
function sizeAt(
  sizes: readonly SmallSize[],
  words: readonly Word[],
  at: number,
  after: number,
): SmallSize | undefined {
  for (let index = after; index <= after + reach; index += 1) {
    const word = words[index];
    if (word === undefined || word.gap >= 2 || word.digits) break;
    const size = sizes.find(({ units }) => units.has(word.word));
    if (size !== undefined) return size;
  }
  if (words[at]?.money === true) return sizes.find(({ money }) => money);
  return hasComma(words[at]) ? sizes.find(({ bare }) => bare) : undefined;
}

/** "small" for any company, or for this one; "modest" where it is no trifle, but little beside what the company is worth. */
export type Size = "small" | "modest";

const ranks = { small: 0, modest: 1, large: 2 } as const;

function sizeOf(value: number, { below, money }: SmallSize, worth: number): keyof typeof ranks {
  if (value < Math.max(below, money ? smallShare * worth : 0)) return "small";
  return money && value < modestShare * worth ? "modest" : "large";
}

/**
 * What the largest amount in or right behind the words [from, to) is, where it is not a large one.
 * @param worth market value of the smallest company concerned, in dollars; 0: not known
 */
export function sizeIn(
  sizes: readonly SmallSize[],
  words: readonly Word[],
  from: number,
  to: number,
  worth: number,
): Size | null {
  let found: Size | null = null;
  for (let at = from; sizes.length > 0 && at < Math.min(words.length, to + reach); at += 1) {
    if (at >= to && (words[at]?.gap ?? 0) >= 2) break;
    const amount = amountAt(words, at);
    if (amount === null || amount.percent || (isDate(amount) && !hasComma(words[at]))) continue;
    const size = sizeAt(sizes, words, at, amount.after);
    if (size === undefined) continue;
    const is = sizeOf(amount.value, size, worth);
    if (is === "large") return null;
    if (found === null || ranks[is] > ranks[found]) found = is;
  }
  return found;
}
