import { compareListKeys, type ListKey, listKeyOf } from "../../feed/list-key.ts";
import { Draft } from "../../feed/segments/draft.ts";
import { indexOf } from "../../feed/segments/search.ts";
import type { Segment } from "../../feed/segments/segment.ts";
import type { SegmentEntry } from "../../feed/segments/types.ts";
import type { WindowRow } from "../../store/list/window-rows.ts";
import { logHead } from "../../store/log/item-reads.ts";
import { monthOf } from "../../store/log/partitions.ts";
import { changedRows } from "../../store/segments/rows.ts";
import { segmentBody, segmentHeads } from "../../store/segments/segments.ts";
import {
  changeSegments,
  type NewSegment,
  type SegmentState,
  segmentList,
} from "../../store/segments/state.ts";
import { nextTurn, type SegmentWork } from "./building.ts";
import { draftOf, encoded, entriesOf } from "./drafts.ts";

const pageRows = 1_000;
/** Entries of one fold; as many are always worth it. */
export const mostEntries = 65_536;
/** Bytes of new segments in one transaction. */
const mostBytes = 16 * 2 ** 20;

/** Entries that belong into one segment, or, when there is none near, into a new one of their month. */
interface Group {
  readonly month: string;
  readonly segment: Segment | null;
  /** No later segment of the month. */
  readonly isNewest: boolean;
  readonly entries: SegmentEntry[];
}

/**
 * Puts the items that have changed since `foldedSeq` into the segments, in their newest version. The segments change in
 * several transactions, of which the last moves `foldedSeq`: in between some are newer than it says, which is right too,
 * since lists prefer what is in memory.
 * @returns false: aborted, or another process has changed the segments; "later": it is worth it with more entries
 */
export async function fold(work: SegmentWork, state: SegmentState): Promise<boolean | "later"> {
  const { db, signal } = work;
  const { rows, foldedSeq } = await rowsToFold(work, state);
  const { lastSeq: asOf } = await logHead(db.main);
  const { ids } = await segmentList(db.main);
  const segments = (await segmentHeads(db.main, ids)).sort((x, y) => compareListKeys(x.oldest, y.oldest));
  const groups = groupsOf(await sortedEntries(rows, work), segments, floorOf(state));
  const passed = foldedSeq - state.foldedSeq;
  if (groups.length > 1 && passed < Math.min(mostEntries, work.leastPerSegment * groups.length))
    return "later";
  let now: SegmentState = { ...state, asOf };
  let added: NewSegment[] = [];
  let replaced: number[] = [];
  for (const group of groups) {
    added.push(...(await rewritten(work, group)));
    if (group.segment !== null) replaced.push(group.segment.id);
    if (signal.aborted) return false;
    if (added.reduce((sum, { body }) => sum + body.length, 0) < mostBytes) continue;
    if (!(await changeSegments(db, { added, replaced, state: now }))) return false;
    now = { ...now, generation: now.generation + 1 };
    added = [];
    replaced = [];
  }
  return changeSegments(db, { added, replaced, state: { ...now, foldedSeq } });
}

/** Rows whose newest version came after `foldedSeq`, and up to which seq they are all of them. */
async function rowsToFold(
  { db, signal }: SegmentWork,
  state: SegmentState,
): Promise<{ rows: WindowRow[]; foldedSeq: number }> {
  const { lastSeq } = await logHead(db.main);
  const rows: WindowRow[] = [];
  let reached: number = state.foldedSeq;
  while (reached < lastSeq && rows.length < mostEntries && !signal.aborted) {
    const page = await changedRows(db.main, reached, pageRows);
    rows.push(...page.rows.filter(({ seq }) => seq <= lastSeq));
    reached = Math.min(lastSeq, page.reached ?? lastSeq);
  }
  return { rows, foldedSeq: reached };
}

async function sortedEntries(rows: readonly WindowRow[], { texts }: SegmentWork): Promise<SegmentEntry[]> {
  const entries: SegmentEntry[] = [];
  for (let at = 0; at < rows.length; at += pageRows) {
    entries.push(...(await entriesOf(rows.slice(at, at + pageRows), texts)));
    await nextTurn();
  }
  // The same item can be in two pages, when a newer version came between them.
  const newest = new Map<string, SegmentEntry>();
  for (const entry of entries) newest.set(keyText(entry.key), entry);
  return [...newest.values()].sort((x, y) => compareListKeys(x.key, y.key));
}

const keyText = ({ a, b, c, d }: ListKey) => `${a} ${b} ${c} ${d}`;

/** While segments are built for the first time: items below it will be read by the build. */
function floorOf({ builtTo }: SegmentState): ListKey | "all" | "none" {
  return typeof builtTo === "string" ? builtTo : listKeyOf(builtTo);
}

function groupsOf(
  entries: readonly SegmentEntry[],
  segments: readonly Segment[],
  floor: ListKey | "all" | "none",
): Group[] {
  const groups = new Map<string, Group>();
  for (const entry of entries) {
    if (floor === "none" || (floor !== "all" && compareListKeys(entry.key, floor) < 0)) continue;
    const month = monthOf(new Date(entry.key.ms));
    const { segment, isNewest } = placeOf(entry.key, month, segments);
    const name = `${month} ${segment?.id ?? "new"}`;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, { month, segment, isNewest, entries: [entry] });
    else group.entries.push(entry);
  }
  return [...groups.values()];
}

/** The segment of the month that has the key, or is next to it. */
function placeOf(key: ListKey, month: string, segments: readonly Segment[]) {
  // An item's own segment begins at its key or below.
  const at = indexOf(segments, { ...key, d: key.d + 1 });
  const [below, above, further] = [segments[at], segments[at + 1], segments[at + 2]];
  if (below?.month === month) return { segment: below, isNewest: above?.month !== month };
  if (above?.month === month) return { segment: above, isNewest: further?.month !== month };
  return { segment: null, isNewest: true };
}

async function rewritten(
  { db, segmentItems }: SegmentWork,
  { month, segment, isNewest, entries }: Group,
): Promise<NewSegment[]> {
  const body = segment === null ? null : await segmentBody(db.slow, segment.id);
  if (segment !== null && body === null) throw new Error(`segment ${segment.id} is gone`);
  const before = segment === null || body === null ? new Draft(0, new Map()) : draftOf(segment, body);
  const draft = await before.merged(entries, nextTurn);
  const made = await encoded(draft, { most: segmentItems, isNewest, turn: nextTurn });
  return made.map(({ head, body: bytes }) => ({ month, head, body: bytes }));
}
