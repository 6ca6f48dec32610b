import type { Filter } from "@tapewire/contract/filter.ts";
import { type Term, type TermKind, termGroups, termKinds } from "../filter.ts";
import type { TermSets } from "../window/types.ts";
import { type CountAxis, isOfScores, judgementSets, scoreNumbers } from "../window/window-terms.ts";

/** Ids of the table of terms are below it. */
const idSpan = 2 ** 27;

/**
 * The number of a value in segments, by its id in the table of terms: values of one kind are neighbours. Scores and
 * "first of its story" have the numbers that they have in memory (window-terms.ts), which are below all of these.
 */
export function wordNumber(kind: TermKind, id: number): number {
  if (id >= idSpan) throw new RangeError(`term ${id} is beyond what segments can number`);
  return (termKinds.indexOf(kind) + 1) * idSpan + id;
}

export function wordId(number: number): number {
  return number % idSpan;
}

/** The numbers [from, to) that values of this kind have. */
function numbersOf(kind: TermKind): { readonly from: number; readonly to: number } {
  return { from: wordNumber(kind, 0), to: wordNumber(kind, 0) + idSpan };
}

/** The numbers [from, to) that values of this axis have. */
export function axisNumbers(axis: CountAxis): { readonly from: number; readonly to: number } {
  if (isOfScores(axis)) return scoreNumbers(axis);
  return numbersOf(axis === "ticker" ? "symbol" : axis);
}

/** What a filter looks for in segments. */
export interface SegmentSets {
  /** null: no item has any of the values of one axis. */
  readonly sets: TermSets | null;
  /** Values whose ids are to be read first; empty: `sets` is final. */
  readonly unknown: readonly Term[];
}

/** @param idOf null: no item ever had the value; undefined: not known yet */
export function segmentSets(filter: Filter, idOf: (term: Term) => number | null | undefined): SegmentSets {
  const unknown: Term[] = [];
  const words = termGroups(filter).map(({ kind, values }) => {
    const numbers: number[] = [];
    for (const value of values) {
      const id = idOf({ kind, value });
      if (id === undefined) unknown.push({ kind, value });
      else if (id !== null) numbers.push(wordNumber(kind, id));
    }
    return numbers.sort((x, y) => x - y);
  });
  if (unknown.length > 0) return { sets: null, unknown };
  // Short axes first: when one of them is empty, the others are not looked into.
  const sets = [...words, ...judgementSets(filter)].sort((x, y) => x.length - y.length);
  return { sets: sets.some((set) => set.length === 0) ? null : sets, unknown };
}
