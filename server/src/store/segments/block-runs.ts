import type { Segment, Slice } from "../../feed/segments/segment.ts";
import type { WantedBlock } from "../../feed/segments/sight.ts";

/** Bytes after which a run ends, so that no part is large. */
const runBytes = 256 * 1024;
/** Runs and bytes of one statement: its answer occupies the event loop for milliseconds. */
const mostRuns = 1_000;
const mostBytes = 2 ** 20;

interface PlacedBlock extends Slice {
  readonly key: number;
  readonly wanted: WantedBlock;
}

/** Blocks that follow each other in a segment. They are read as one part, which takes a fraction of the time of many. */
export interface BlockRun {
  readonly segment: number;
  readonly at: number;
  bytes: number;
  readonly blocks: PlacedBlock[];
}

export function sliceOf({ segment, kind, block }: WantedBlock): Slice {
  if (kind === "postings") return segment.postingSlice(block);
  if (kind === "words") return segment.wordSlice(block);
  if (kind === "meetings") return segment.meetingsSlice ?? { at: 0, bytes: 0 };
  return kind === "keys" ? segment.keySlice(block) : segment.timeSlice(block);
}

/** The runs of these blocks, by statement. */
export function statementsOf(wanted: ReadonlyMap<number, WantedBlock>): BlockRun[][] {
  const statements: BlockRun[][] = [];
  let bytes = mostBytes;
  for (const run of runsOf(wanted)) {
    const last = statements.at(-1);
    if (last === undefined || last.length === mostRuns || bytes + run.bytes > mostBytes) {
      statements.push([run]);
      bytes = run.bytes;
    } else {
      last.push(run);
      bytes += run.bytes;
    }
  }
  return statements;
}

function runsOf(wanted: ReadonlyMap<number, WantedBlock>): BlockRun[] {
  const runs: BlockRun[] = [];
  for (const [segment, blocks] of bySegment(wanted)) {
    let run: BlockRun | null = null;
    for (const block of blocks.sort((x, y) => x.at - y.at)) {
      if (run !== null && block.at === run.at + run.bytes && run.bytes < runBytes) run.bytes += block.bytes;
      else {
        run = { segment: segment.id, at: block.at, bytes: block.bytes, blocks: [] };
        runs.push(run);
      }
      run.blocks.push(block);
    }
  }
  return runs;
}

/** In the order in which the segments were asked for. */
function bySegment(wanted: ReadonlyMap<number, WantedBlock>): Map<Segment, PlacedBlock[]> {
  const found = new Map<Segment, PlacedBlock[]>();
  for (const [key, one] of wanted) {
    const placed = { key, wanted: one, ...sliceOf(one) };
    const known = found.get(one.segment);
    if (known === undefined) found.set(one.segment, [placed]);
    else known.push(placed);
  }
  return found;
}
