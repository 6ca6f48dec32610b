import { passesTitle } from "@tapewire/contract/title/title.ts";
import { compareListKeys, type ListKey, listKey, positionOf } from "../../feed/list-key.ts";
import { wordId } from "../../feed/segments/numbers.ts";
import type { SegmentWanted } from "../../feed/segments/term-matching.ts";
import { titleNumbers } from "../../feed/title-words.ts";
import type { Hit } from "../../feed/window/types.ts";
import { firstWord, judgementNumbers } from "../../feed/window/window-terms.ts";
import type { Queries } from "../../store/engine/db.ts";
import { StoreError, searchError } from "../../store/engine/errors.ts";
import { type WindowRow, windowRows } from "../../store/list/window-rows.ts";

const pageRows = 1_000;

/**
 * Matching items straight from the table: every item is looked at, since no segment has them yet. Only while segments are
 * built for the first time.
 * @throws {StoreError} timeout, at the deadline
 */
export async function unbuiltItems(
  db: Queries,
  {
    wanted,
    below,
    from,
    limit,
  }: { wanted: SegmentWanted; below: ListKey | null; from: ListKey | null; limit: number },
  deadline: number,
): Promise<Hit[]> {
  const hits: Hit[] = [];
  let after = below === null ? null : positionOf(below);
  for (;;) {
    if (performance.now() > deadline) throw new StoreError("timeout");
    const rows = await read(db, after);
    for (const row of rows) {
      const key = listKey(row.published_ms, row.id);
      if (from !== null && compareListKeys(key, from) < 0) return hits;
      if (matchesRow(row, wanted)) hits.push({ seq: row.seq, key });
      if (hits.length === limit) return hits;
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageRows) return hits;
    after = { publishedAt: new Date(last.published_ms), id: last.id };
  }
}

async function read(db: Queries, after: Parameters<typeof windowRows>[1]): Promise<WindowRow[]> {
  try {
    return await windowRows(db, after, pageRows);
  } catch (error) {
    throw searchError(error);
  }
}

function matchesRow(row: WindowRow, { sets, title }: SegmentWanted): boolean {
  if (title !== null && !passesTitle(titleNumbers(row.title), title)) return false;
  const judged = judgementNumbers(judgementOf(row));
  return sets.every((set) =>
    set.some((number) => (number < firstWord ? judged.includes(number) : row.terms.includes(wordId(number)))),
  );
}

export function judgementOf({ actionable, actionability_score, sentiment, conviction, copy }: WindowRow) {
  return { actionability: actionable, score: actionability_score, sentiment, conviction, copy };
}
