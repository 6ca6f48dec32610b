import type { ListKey } from "../list-key.ts";

/** An item to be put into a segment, with the numbers of its values (numbers.ts). */
export interface SegmentEntry {
  readonly seq: number;
  readonly key: ListKey;
  readonly terms: readonly number[];
  /** Numbers of the title's words, in their order. */
  readonly title: Float64Array;
}

/** Lets other work of the process go on in between. */
export type Turn = () => Promise<void>;
