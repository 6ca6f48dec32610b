import type { LogItem } from "../../feed/item.ts";
import type { Queries } from "../engine/db.ts";
import { readLog } from "./item-reads.ts";

const pageItems = 500;

/**
 * The first seq of the log whose version was made at a moment or later; one above the head when there is none. Times in
 * the log rise except for clock skew, so a binary search finds it: some twenty reads of one entry.
 */
export async function firstSeqSince(db: Queries, at: Date, head: number): Promise<number> {
  let before = 0;
  let end = head;
  while (before < end) {
    const middle = Math.floor((before + end) / 2);
    const entry = await firstKept(db, middle, end);
    if (entry === null || Date.parse(entry.item.updated_at) >= at.getTime()) end = middle;
    else before = entry.seq;
  }
  return before + 1;
}

/** The first entry after a position, up to another, that was not dropped. */
async function firstKept(db: Queries, after: number, end: number): Promise<LogItem | null> {
  let position = after;
  for (let limit = 1; position < end; limit = pageItems) {
    const { items, reached } = await readLog(db, position, limit);
    if (items[0] !== undefined) return items[0];
    if (reached <= position) break;
    position = reached;
  }
  return null;
}
