import { idOf, positionOf } from "../../feed/list-key.ts";
import { decodeKeys } from "../../feed/segments/blocks.ts";
import type { Segment, Slice } from "../../feed/segments/segment.ts";
import { type WordPlaces, wordPlaces } from "../../feed/segments/words.ts";
import { titleNumbers } from "../../feed/title-words.ts";
import type { Queries } from "../../store/engine/db.ts";
import { titleRows } from "../../store/list/window-rows.ts";

/** Rows of one statement: it occupies the embedded database for milliseconds. */
const pageRows = 2_000;

/** Where the keys of a segment are, all of them. */
export function keysSlice(segment: Segment): Slice {
  const last = segment.keySlice(segment.keyBlocks - 1);
  return { at: 0, bytes: last.at + last.bytes };
}

/**
 * The words of a segment that was made without them, from the titles of its items. A title may be of a newer version than
 * the segment's: lists show that one from memory.
 * @param keys the bytes of its keys
 */
export async function madeWords(db: Queries, segment: Segment, keys: Uint8Array): Promise<WordPlaces> {
  const ranks = ranksOf(segment, keys);
  const titles: [number, Float64Array][] = [];
  // Behind the place just above the newest item.
  let after = positionOf({ ...segment.newest, ms: segment.newest.ms + 1 });
  for (;;) {
    const rows = await titleRows(db, { after, oldestMs: segment.oldest.ms, limit: pageRows });
    for (const { id, title } of rows) {
      const rank = ranks.get(id);
      if (rank !== undefined) titles.push([rank, titleNumbers(title)]);
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageRows) break;
    after = { publishedAt: new Date(last.published_ms), id: last.id };
  }
  return wordPlaces(titles.sort(([x], [y]) => x - y));
}

function ranksOf(segment: Segment, keys: Uint8Array): Map<string, number> {
  const ranks = new Map<string, number>();
  let rank = 0;
  for (let block = 0; block < segment.keyBlocks; block++) {
    const { at, bytes } = segment.keySlice(block);
    const { ids } = decodeKeys(keys.subarray(at, at + bytes));
    for (let n = 0; n < ids.length; n += 4) {
      const [a = 0, b = 0, c = 0, d = 0] = ids.subarray(n, n + 4);
      ranks.set(idOf({ a, b, c, d, ms: 0 }), rank++);
    }
  }
  return ranks;
}
