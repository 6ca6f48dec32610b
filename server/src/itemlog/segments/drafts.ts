import { listKey } from "../../feed/list-key.ts";
import { decodeKeys, decodePostings } from "../../feed/segments/blocks.ts";
import { Draft, type EncodedSegment } from "../../feed/segments/draft.ts";
import { wordNumber } from "../../feed/segments/numbers.ts";
import type { Segment } from "../../feed/segments/segment.ts";
import type { SegmentEntry, Turn } from "../../feed/segments/types.ts";
import { Words } from "../../feed/segments/words.ts";
import { titleNumbers } from "../../feed/title-words.ts";
import { judgementNumbers } from "../../feed/window/window-terms.ts";
import type { WindowRow } from "../../store/list/window-rows.ts";
import type { TermTexts } from "./term-texts.ts";
import { judgementOf } from "./unbuilt.ts";

/** The content of a stored segment. */
export function draftOf(segment: Segment, body: Uint8Array): Draft {
  const draft = new Draft(segment.items, segment.wordBlocks === null ? null : new Map());
  const base = { ms: segment.baseMs, seq: segment.baseSeq };
  let at = 0;
  for (let block = 0; block < segment.keyBlocks; block++) {
    draft.putBlock(at, decodeKeys(cut(body, segment.keySlice(block))), base);
    at += segment.itemsOfBlock(block);
  }
  for (let block = 0; block < segment.postingBlocks; block++)
    decodePostings(cut(body, segment.postingSlice(block)), segment.items).each((term, slots) => {
      draft.postings.set(term, slots);
    });
  for (let block = 0; block < (segment.wordBlocks ?? 0); block++)
    Words.decode(cut(body, segment.wordSlice(block))).each((word, places) => {
      draft.words?.set(word, places);
    });
  return draft;
}

function cut(body: Uint8Array, { at, bytes }: { at: number; bytes: number }): Uint8Array {
  return body.subarray(at, at + bytes);
}

/** Rows of the table as entries, ascending by key. */
export async function entriesOf(rows: readonly WindowRow[], texts: TermTexts): Promise<SegmentEntry[]> {
  const terms = await texts.of(new Set(rows.flatMap((row) => row.terms)));
  return rows.map((row) => ({
    seq: row.seq,
    key: listKey(row.published_ms, row.id),
    terms: [
      ...judgementNumbers(judgementOf(row)),
      ...row.terms.flatMap((id) => {
        const term = terms.get(id);
        return term === undefined ? [] : [wordNumber(term.kind, id)];
      }),
    ],
    title: titleNumbers(row.title),
  }));
}

/**
 * A draft in segments of at most so many items.
 * @param isNewest items will mostly be added at its end: all but the last segment are full
 */
export async function encoded(
  draft: Draft,
  { most, isNewest, turn }: { most: number; isNewest: boolean; turn: Turn },
): Promise<EncodedSegment[]> {
  const parts = Math.ceil(draft.items / most);
  const size = isNewest ? most : Math.ceil(draft.items / Math.max(1, parts));
  const made: EncodedSegment[] = [];
  for (let from = 0; from < draft.items; from += size)
    made.push(await draft.encode(from, Math.min(draft.items, from + size), turn));
  return made;
}
