/** Whether an event is a small one of its kind: "recalls 58,000 lb", "fined $60,000". */
import { ownString } from "../../kept-strings.ts";
import { amountAt, isDate } from "../words/amounts.ts";
import type { Word } from "../words/scan.ts";

/** Less than `below` of what is counted is little for any listed company. */
export interface SmallSize {
  readonly units: ReadonlySet<string>;
  /** Counted in money, of any currency. */
  readonly money: boolean;
  readonly below: number;
}

/**
 * @param source lines like `lb|lbs|pounds 500000`; `$` stands for money
 * @throws {RangeError} for a line without a number
 */
export const smallSizesOf = (source: string): readonly SmallSize[] =>
  source.split("\n").flatMap((line) => {
    if (line.trim() === "") return [];
    const [units = "", below = ""] = line.trim().split(/\s+/);
    if (!(Number(below) > 0)) throw new RangeError(`size "${line.trim()}" has no number`);
    const named = new Set(units.split("|").map(ownString));
    return { units: named, money: named.delete("$"), below: Number(below) };
  });

/** Words after a proof in which its amount may stand, and after an amount in which its unit may. */
const reach = 3;

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
  return words[at]?.money === true ? sizes.find(({ money }) => money) : undefined;
}

/** "2,000 lb" is no year. */
const hasComma = (word: Word | undefined): boolean =>
  word !== undefined && word.end - word.start > word.word.length;

/** Whether the largest amount in or right behind the words [from, to) is a small one. */
export function isSmall(
  sizes: readonly SmallSize[],
  words: readonly Word[],
  from: number,
  to: number,
): boolean {
  let found = false;
  for (let at = from; sizes.length > 0 && at < Math.min(words.length, to + reach); at += 1) {
    if (at >= to && (words[at]?.gap ?? 0) >= 2) break;
    const amount = amountAt(words, at);
    if (amount === null || amount.percent || (isDate(amount) && !hasComma(words[at]))) continue;
    const size = sizeAt(sizes, words, at, amount.after);
    if (size === undefined) continue;
    if (amount.value >= size.below) return false;
    found = true;
  }
  return found;
}
