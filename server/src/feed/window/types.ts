import type { ListKey } from "../list-key.ts";
import type { NumberedQuery } from "../title-words.ts";

/** An item as the window stores it. */
export interface WindowEntry {
  readonly seq: number;
  readonly key: ListKey;
  /** See WindowTerms; without repeats. */
  readonly terms: readonly number[];
  /** Numbers of the title's words, in their order. */
  readonly title: Float64Array;
}

/** An item found: its version, and its position. */
export interface Hit {
  readonly seq: number;
  readonly key: ListKey;
}

/** The terms of each axis of a filter, ascending. An item passes when it has one of each axis. */
export type TermSets = readonly (readonly number[])[];

/** What a search looks for. */
export interface Wanted {
  /** Empty: everything matches. */
  readonly sets: TermSets;
  /** What titles must contain; null: anything. */
  readonly title: NumberedQuery | null;
  /** The number under which chunks remember the filter's matches; null: they do not remember them. */
  readonly filter: number | null;
}

/** Items wanted: older than `below`, not older than `from`. */
export interface Range {
  readonly below: ListKey | null;
  readonly from: ListKey | null;
}
