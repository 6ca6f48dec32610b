import type { Filter } from "@tapewire/contract/filter.ts";
import type { Hit } from "../../feed/window/types.ts";
import type { Counted, CountRequest } from "../../feed/window/window-counts.ts";
import type { Db } from "../../store/engine/db.ts";
import type { ItemTail } from "../tail.ts";
import { SegmentBlocks } from "./blocks.ts";
import { countItems } from "./counting.ts";
import { findItems, type ItemsWanted } from "./finding.ts";
import { RememberedMatches } from "./remembered.ts";
import { FilterIds } from "./term-ids.ts";
import { TermTexts } from "./term-texts.ts";
import { type View, Views } from "./views.ts";

export interface IndexStats {
  /** Whether lists are served. */
  readonly ready: boolean;
  readonly segments: number;
  /** Items in segments and items that are in none yet; an item of which a newer version has come counts twice. */
  readonly items: number;
  /** Items whose newest version is in no segment yet. */
  readonly unfolded: number;
  /** Whether segments are still built for the first time. */
  readonly building: boolean;
  /** Memory of what has no bound of its own: heads of segments, and items in none. */
  readonly bytes: number;
  /** Memory of parts of segments and of remembered matches. */
  readonly cacheBytes: number;
  /** Parts of segments that were read from the database. */
  readonly reads: number;
}

/** Searches and counts in the present view. */
export class SegmentReader {
  readonly db: Db["list"];
  readonly views: Views;
  readonly blocks: SegmentBlocks;
  readonly ids: FilterIds;
  readonly texts: TermTexts;
  remembered = new RememberedMatches();
  readonly #loaded: () => Promise<void>;
  readonly renew: () => Promise<void>;

  /** @param calls `loaded` resolves when there is a view; `renew` looks for new segments */
  constructor(
    { db, tail }: { readonly db: Db; readonly tail: ItemTail },
    cacheBytes: number,
    calls: { readonly loaded: () => Promise<void>; readonly renew: () => Promise<void> },
  ) {
    this.db = db.list;
    const ids = new FilterIds(db.list);
    this.ids = ids;
    this.views = new Views({ db, tail, changed: () => ids.forgetAbsent() });
    this.blocks = new SegmentBlocks(db.list, cacheBytes);
    this.texts = new TermTexts(db.list);
    this.#loaded = calls.loaded;
    this.renew = calls.renew;
  }

  /** The present view; at a start, or when the log was replaced, the next one. */
  view = (): View | Promise<View> => this.views.current ?? this.#nextView();

  /** Matching items, newest first: findItems. */
  find(wanted: ItemsWanted): Promise<Hit[]> {
    return findItems(this, wanted);
  }

  /** Counts of matching items: countItems. */
  count(filter: Filter, request: CountRequest & { readonly owner?: string }): Promise<Counted> {
    return countItems(this, filter, request);
  }

  /** Drops everything that belongs to the log as it was. */
  forget(): void {
    this.views.forget();
    this.ids.forget();
    this.texts.forget();
    this.blocks.forget();
    this.remembered = new RememberedMatches();
  }

  stats(): IndexStats {
    const { current, unfoldedItems, unfoldedBytes } = this.views;
    const segments = current?.segments ?? [];
    return {
      ready: current !== null,
      segments: segments.length,
      items: segments.reduce((sum, { items }) => sum + items, unfoldedItems),
      unfolded: unfoldedItems,
      building: current !== null && current.state.builtTo !== "all",
      bytes: segments.reduce((sum, { bytes }) => sum + bytes, unfoldedBytes),
      cacheBytes: this.blocks.bytes + this.remembered.bytes,
      reads: this.blocks.reads,
    };
  }

  async #nextView(): Promise<View> {
    for (;;) {
      await this.#loaded();
      const { current } = this.views;
      if (current !== null) return current;
      // It was dropped again meanwhile, or the process ends.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}
