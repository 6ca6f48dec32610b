import type { Queries } from "./db.ts";
import { itemsAfter } from "./item-reads.ts";

/**
 * The first place of the log whose version was made at a moment or later; behind its head when there is none. Times in
 * the log rise but for the skew of clocks, so it is found by halving: some twenty reads of one entry.
 */
export async function firstSeqSince(db: Queries, at: Date, head: number): Promise<number> {
  let before = 0;
  let end = head;
  while (before < end) {
    const middle = Math.floor((before + end) / 2);
    const [entry] = await itemsAfter(db, middle, 1);
    if (entry === undefined || Date.parse(entry.item.updated_at) >= at.getTime()) end = middle;
    else before = entry.seq;
  }
  return before + 1;
}
