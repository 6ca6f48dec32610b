import type { LogItem } from "../../feed/item.ts";
import { loggedAt } from "../../feed/view.ts";
import type { Queries } from "../engine/db.ts";
import { readLog } from "./item-reads.ts";

const pageItems = 500;

/**
 * The first seq of the log that was logged at a moment or later; one above the head when there is none. Times in the log
 * rise except for clock skew and the time that scoring takes, so a search by halves finds it: some twenty reads of one
 * entry. It looks at places that do not depend on the head, so a moment keeps its place while the log grows.
 * @param floor entries up to here are known to be dropped
 */
export async function firstSeqSince(
  db: Queries,
  at: Date,
  { floor = 0, head }: { floor?: number; head: number },
): Promise<number> {
  let before = 0;
  for (let step = 2 ** Math.floor(Math.log2(Math.max(1, head))); step >= 1; step /= 2) {
    const place = before + step;
    if (place > head) continue;
    const entry = place <= floor ? null : await firstKept(db, place - 1, head);
    if (place <= floor || (entry !== null && loggedAt(entry.item) < at)) before = place;
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
