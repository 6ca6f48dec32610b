import { logHead } from "../../store/log/item-reads.ts";
import { segmentBody, wordlessSegment } from "../../store/segments/segments.ts";
import { changeSegments, type SegmentState } from "../../store/segments/state.ts";
import { nextTurn, type SegmentWork } from "./building.ts";
import { draftOf } from "./drafts.ts";
import { madeWords } from "./made-words.ts";

/**
 * Gives the newest segment that has no words those of its titles. Each is a transaction, so whoever goes on sees what is
 * left.
 * @returns false: aborted, none is left, or another process has changed the segments
 */
export async function completeNext({ db, log, signal }: SegmentWork, state: SegmentState): Promise<boolean> {
  const found = await wordlessSegment(db.main);
  if (found === null || signal.aborted) return false;
  const { segment, left } = found;
  const body = await segmentBody(db.slow, segment.id);
  if (body === null) return false;
  const draft = draftOf(segment, body);
  draft.words = await madeWords(db.main, segment, body);
  const { lastSeq: asOf } = await logHead(db.main);
  if (signal.aborted) return false;
  const { head, body: bytes } = await draft.encode(0, draft.items, nextTurn);
  log.info({ month: segment.month, left }, "indexing the words of titles");
  const added = [{ month: segment.month, head, body: bytes }];
  // Titles may be of versions that a process has not read yet.
  return changeSegments(db, { added, replaced: [segment.id], state: { ...state, asOf } });
}
