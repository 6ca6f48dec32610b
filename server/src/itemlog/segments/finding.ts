import type { Filter } from "@tapewire/contract/filter.ts";
import { compareListKeys, type ListKey, type ListPosition, listKeyOf, startOf } from "../../feed/list-key.ts";
import { segmentSets } from "../../feed/segments/numbers.ts";
import { searchSegments } from "../../feed/segments/search.ts";
import { Sight, type WantedBlock } from "../../feed/segments/sight.ts";
import { Enough, type SegmentWanted } from "../../feed/segments/term-matching.ts";
import { numbered } from "../../feed/title-words.ts";
import type { Hit, Range } from "../../feed/window/types.ts";
import type { Queries } from "../../store/engine/db.ts";
import { StoreError } from "../../store/engine/errors.ts";
import { type BlockSource, RequestBlocks, SegmentGone } from "./blocks.ts";
import type { RememberedMatches } from "./remembered.ts";
import type { FilterIds } from "./term-ids.ts";
import { unbuiltItems } from "./unbuilt.ts";
import type { View } from "./views.ts";

/** A request for items of the list. */
export interface ItemsWanted {
  readonly filter: Filter;
  /** Continue after this item; null: from the newest. */
  readonly after: ListPosition | null;
  readonly limit: number;
  /** The calling account; null: the service itself. */
  readonly owner: string | null;
}

export interface FinderDeps {
  /** For items that no segment has yet; null: there are none. */
  readonly db: Queries | null;
  readonly blocks: BlockSource;
  readonly ids: Pick<FilterIds, "idOf" | "read" | "forgetAbsent">;
  readonly remembered: RememberedMatches;
  /** The present view; waits for the first one. */
  readonly view: () => Promise<View> | View;
  /** Called when segments of the view are gone. */
  readonly renew: () => Promise<void>;
}

/** For all reads of a page together. */
const searchMs = 2_000;
const mostAhead = 64;
/** How often segments may be replaced during one search. */
const mostRenewals = 3;

/**
 * Matching items, newest first: at most `limit`. Attempts with what is in memory, and reads what they lack between them,
 * further ahead each time. The last attempt finds everything without waiting, so what it shows is one moment's list.
 * @throws {StoreError} timeout, when it takes over 2 s; busy, when too many reads wait; read-only, so safe to retry
 */
export async function findItems(deps: FinderDeps, wanted: ItemsWanted): Promise<Hit[]> {
  const deadline = performance.now() + searchMs;
  let renewals = 0;
  for (;;) {
    try {
      return await findIn(deps, wanted, deadline);
    } catch (error) {
      if (!(error instanceof SegmentGone) || ++renewals > mostRenewals) throw error;
      await deps.renew();
    }
  }
}

async function findIn(deps: FinderDeps, wanted: ItemsWanted, deadline: number): Promise<Hit[]> {
  const { filter, limit, owner } = wanted;
  const blocks = new RequestBlocks(deps.blocks, owner);
  // What was found in a segment serves the next attempts too.
  const searches = new Map<string, Pick<Attempt, "matches" | "enough">>();
  if ((await deps.view()).state.builtTo !== "all") deps.ids.forgetAbsent();
  for (let ahead = 1; ; ahead = Math.min(mostAhead, 4 * ahead)) {
    if (performance.now() > deadline) throw new StoreError("timeout");
    const view = await deps.view();
    const { sets, unknown } = segmentSets(filter, (term) => deps.ids.idOf(term));
    if (unknown.length > 0 && !isInMemory(view)) {
      await deps.ids.read(unknown);
      continue;
    }
    const range = rangeOf(wanted);
    const title = numbered(filter.title);
    const sought = sets === null ? null : { sets, title };
    const text = `${sets?.map(String).join(";")} ${JSON.stringify(title)}`;
    const known = searches.get(text) ?? { matches: deps.remembered.of(text), enough: new Enough() };
    searches.set(text, known);
    const made = attempt(wanted, { view, range, sought, blocks, ahead, ...known });
    if (made.hits === null) {
      await blocks.read(made.missing);
      continue;
    }
    if (made.hits.length === limit || view.state.builtTo === "all" || sought === null) return made.hits;
    return [...made.hits, ...(await unbuilt(deps, view, wanted, sought, limit - made.hits.length, deadline))];
  }
}

/** Whether all items are, as those of a new service: then no value needs its id. */
export function isInMemory({ segments, state }: View): boolean {
  return segments.length === 0 && state.builtTo === "all";
}

interface Attempt {
  readonly view: View;
  readonly range: Range;
  /** null: nothing in segments matches. */
  readonly sought: SegmentWanted | null;
  readonly blocks: RequestBlocks;
  readonly ahead: number;
  readonly matches: ReturnType<RememberedMatches["of"]>;
  readonly enough: Enough;
}

function attempt(
  { filter, after, limit }: ItemsWanted,
  { view, range, sought, blocks, ahead, matches, enough }: Attempt,
): { hits: Hit[] | null; missing: readonly WantedBlock[] } {
  const { state, segments, unfolded } = view;
  const floor = floorOf(view);
  const sight = new Sight(blocks);
  let found: Hit[] | null = [];
  if (sought !== null && segments.length > 0) {
    const isReplaced = (key: ListKey) => unfolded.seqAt(key) !== null;
    found = searchSegments(
      { segments, wanted: sought, range, limit, isReplaced, matches, enough, ahead },
      sight,
    );
    if (found === null) return { hits: null, missing: sight.missing };
    matches.ended();
  }
  const newer = unfolded
    .walk(filter, after, limit)
    .filter(({ key }) => state.builtTo === "all" || (floor !== null && compareListKeys(key, floor) >= 0));
  return { hits: merged(newer, found, limit), missing: [] };
}

/** The oldest key in segments while they are built for the first time; null: none yet, or no bound. */
function floorOf({ state: { builtTo } }: View): ListKey | null {
  return builtTo === "all" || builtTo === "none" ? null : listKeyOf(builtTo);
}

function rangeOf({ filter, after }: Pick<ItemsWanted, "filter" | "after">): Range {
  const until = filter.until === undefined ? null : startOf(filter.until);
  const cursor = after === null ? null : listKeyOf(after);
  return {
    below: until === null || (cursor !== null && compareListKeys(cursor, until) < 0) ? cursor : until,
    from: filter.since === undefined ? null : startOf(filter.since),
  };
}

function merged(x: readonly Hit[], y: readonly Hit[], limit: number): Hit[] {
  if (x.length === 0) return [...y];
  if (y.length === 0) return [...x];
  return [...x, ...y].sort((a, b) => compareListKeys(b.key, a.key)).slice(0, limit);
}

/** The rest of a page, from items that no segment has yet. */
function unbuilt(
  { db }: FinderDeps,
  view: View,
  wanted: ItemsWanted,
  sought: SegmentWanted,
  limit: number,
  deadline: number,
): Promise<Hit[]> {
  const { below, from } = rangeOf(wanted);
  const floor = floorOf(view);
  if (db === null) return Promise.resolve([]);
  const start = floor === null || (below !== null && compareListKeys(below, floor) < 0) ? below : floor;
  return unbuiltItems(db, { wanted: sought, below: start, from, limit }, deadline);
}
