import type { ListPosition } from "../../feed/list-key.ts";
import { Draft } from "../../feed/segments/draft.ts";
import type { Log } from "../../runtime/log.ts";
import type { Db } from "../../store/engine/db.ts";
import { type WindowRow, windowRows } from "../../store/list/window-rows.ts";
import { monthOf } from "../../store/log/partitions.ts";
import { changeSegments, roughItems, type SegmentState } from "../../store/segments/state.ts";
import { encoded, entriesOf } from "./drafts.ts";
import type { TermTexts } from "./term-texts.ts";

/** Rows of one statement: it occupies the embedded database for milliseconds. */
const pageRows = 2_000;

export interface KeeperLimits {
  /** New versions in the log after which they are folded into segments. */
  readonly foldEntries: number;
  /** To rewrite a segment for fewer entries waits for more of them, within bounds. */
  readonly leastPerSegment: number;
  /** Most items of a segment. */
  readonly segmentItems: number;
}

export interface SegmentWork extends KeeperLimits {
  readonly db: Db;
  readonly log: Log;
  readonly texts: TermTexts;
  readonly signal: AbortSignal;
}

export const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/**
 * The next step of the first build: a segment of the items that follow in the list, newest first. Versions that come
 * meanwhile are after `foldedSeq`, so lists show them from memory and they are folded later.
 * @param from the oldest item in segments; "none": there is none
 * @returns false: aborted, another process has changed the segments, or the log is another
 */
export async function buildNext(
  work: SegmentWork,
  state: SegmentState,
  from: ListPosition | "none",
): Promise<boolean> {
  const { db, log, texts, segmentItems, signal } = work;
  const rows = await nextRows(work, from);
  if (signal.aborted) return false;
  const last = rows.at(-1);
  if (last === undefined) {
    log.info({}, "the index of items is built");
    return changeSegments(db, { added: [], replaced: [], state: { ...state, builtTo: "all" } });
  }
  const entries = (await entriesOf(rows, texts)).reverse();
  const draft = await new Draft(0, new Map()).merged(entries, nextTurn);
  const made = await encoded(draft, { most: segmentItems, isNewest: false, turn: nextTurn });
  const month = monthOf(new Date(last.published_ms));
  const builtTo = { publishedAt: new Date(last.published_ms), id: last.id };
  log.info(
    { items: rows.length, to: builtTo.publishedAt, of: await roughItems(db.main) },
    "building the index of items",
  );
  return changeSegments(db, {
    added: made.map(({ head, body }) => ({ month, head, body })),
    replaced: [],
    state: { ...state, builtTo },
  });
}

/** The next items of the list, newest first, of one month, at most a segment's. */
async function nextRows(
  { db, segmentItems, signal }: SegmentWork,
  from: ListPosition | "none",
): Promise<WindowRow[]> {
  const rows: WindowRow[] = [];
  let after = from === "none" ? null : from;
  let month: string | null = null;
  while (rows.length < segmentItems && !signal.aborted) {
    const wanted = Math.min(pageRows, segmentItems - rows.length);
    const page = await windowRows(db.main, after, wanted);
    for (const row of page) {
      month ??= monthOf(new Date(row.published_ms));
      if (monthOf(new Date(row.published_ms)) !== month) return rows;
      rows.push(row);
    }
    const last = page.at(-1);
    if (last === undefined || page.length < wanted) return rows;
    after = { publishedAt: new Date(last.published_ms), id: last.id };
  }
  return rows;
}
