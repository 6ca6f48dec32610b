import type { FeedItem } from "../../feed/item.ts";
import { compareListKeys, listKey } from "../../feed/list-key.ts";
import type { Segment } from "../../feed/segments/segment.ts";
import { titleNumbers } from "../../feed/title-words.ts";
import type { WindowEntry } from "../../feed/window/types.ts";
import { WindowIndex } from "../../feed/window/window-index.ts";
import { WindowTerms } from "../../feed/window/window-terms.ts";
import type { Db } from "../../store/engine/db.ts";
import { termsById, type WindowRow } from "../../store/list/window-rows.ts";
import { changedRows } from "../../store/segments/rows.ts";
import { segmentHeads } from "../../store/segments/segments.ts";
import { type SegmentList, type SegmentState, segmentList } from "../../store/segments/state.ts";
import type { ItemTail } from "../tail.ts";

/** Rows of one statement: reading them occupies the embedded database, and indexing them the event loop, for milliseconds. */
const pageRows = 1_000;
/** Entries that are indexed in one turn of the event loop. */
const turnEntries = 500;

/** What lists are read from: the segments, and above them the items whose newest version is in none. */
export interface View {
  readonly state: SegmentState;
  /** Oldest first. */
  readonly segments: readonly Segment[];
  /** Every version that this process has read of the log after `state.foldedSeq`; it grows. */
  readonly unfolded: WindowIndex;
  /** The numbers that `unfolded` uses. */
  readonly terms: WindowTerms;
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/**
 * The present view of one process. Invariant: an item whose newest version that the tail has read is after `foldedSeq`
 * is in `unfolded` with that version; every other item is in a segment, with that version or one that the tail will read
 * later, or, while segments are built for the first time, below `builtTo`.
 *
 * Segments that another process has made are shown when the tail has read the log up to their `asOf`: a version that was
 * left out of them, because a newer one had come, would be in neither otherwise.
 */
export class Views {
  readonly #db: Db;
  readonly #tail: ItemTail;
  readonly #changed: () => void;
  #terms = new WindowTerms();
  /** What `unfolded` was made of, in the order of coming. */
  #entries: WindowEntry[] = [];
  #unfolded: WindowIndex;
  #current: View | null = null;
  /** Numbers in memory of ids in the table of terms. */
  #numbers = new Map<number, number>();

  /** @param deps changed: called in the moment when other segments are shown */
  constructor(deps: { readonly db: Db; readonly tail: ItemTail; readonly changed: () => void }) {
    this.#db = deps.db;
    this.#tail = deps.tail;
    this.#changed = deps.changed;
    this.#unfolded = new WindowIndex(this.#terms);
  }

  /** null: it is being loaded. */
  get current(): View | null {
    return this.#current;
  }

  get unfoldedItems(): number {
    return this.#unfolded.items;
  }

  get unfoldedBytes(): number {
    return this.#unfolded.bytes;
  }

  /** Adds a version that the log brings. @returns whether it is new here, and the seq of the version that it replaces */
  put(item: FeedItem): { isNew: boolean; replaced: number | null } {
    const entry = this.#terms.entryOf(item);
    const replaced = this.#unfolded.seqAt(entry.key);
    this.#entries.push(entry);
    return { isNew: this.#unfolded.put(entry), replaced };
  }

  /** Drops everything; `load` is to be called next. What `put` brings from now on is in the next view. */
  forget(): void {
    this.#current = null;
    this.#terms = new WindowTerms();
    this.#numbers = new Map();
    this.#entries = [];
    this.#unfolded = new WindowIndex(this.#terms);
  }

  /** Makes the first view. A call that failed can be repeated. */
  async load(signal: AbortSignal): Promise<void> {
    const list = await segmentList(this.#db.main);
    const segments = await this.#segments(list);
    for (let after: number | null = list.state.foldedSeq; after !== null; ) {
      const { rows, reached } = await changedRows(this.#db.main, after, pageRows);
      await this.#learnTerms(rows);
      if (signal.aborted) return;
      for (const row of rows) this.#putRow(row);
      after = reached;
    }
    if (this.#tail.head < list.state.asOf) await this.#tail.readOn();
    if (this.#tail.head < list.state.asOf) throw new Error("the log was not read as far as the segments");
    if (!signal.aborted) this.#current = this.#viewOf(list.state, segments);
  }

  /**
   * Takes over what has changed in the segments.
   * @returns "same"; "changed"; "lost": the view is newer than the segments, which were restored
   */
  async refresh(): Promise<"same" | "changed" | "lost"> {
    const before = this.#current;
    if (before === null) return "same";
    const list = await segmentList(this.#db.main);
    if (isSame(before, list)) return "same";
    if (list.state.generation < before.state.generation) return "lost";
    const segments = await this.#segments(list);
    if (this.#tail.head < list.state.asOf) await this.#tail.readOn();
    if (this.#tail.head < list.state.asOf || this.#current !== before) return "same";
    return (await this.#change(before, { state: list.state, segments })) ? "changed" : "same";
  }

  /** Shows other segments, and indexes the entries anew that are not in them. @returns false: the view was dropped meanwhile */
  async #change(before: View, { state, segments }: Pick<View, "state" | "segments">): Promise<boolean> {
    const unfolded = new WindowIndex(this.#terms);
    const entries = this.#entries;
    const kept: WindowEntry[] = [];
    // Entries that come meanwhile are passed too: nothing is awaited between the last one and the change.
    for (let at = 0; at < entries.length; at++) {
      const entry = entries[at];
      if (entry !== undefined && entry.seq > state.foldedSeq) {
        unfolded.put(entry);
        kept.push(entry);
      }
      if (at % turnEntries === turnEntries - 1) await nextTurn();
      if (this.#current !== before) return false;
    }
    this.#entries = kept;
    this.#unfolded = unfolded;
    this.#current = this.#viewOf(state, segments);
    this.#changed();
    return true;
  }

  #viewOf(state: SegmentState, segments: readonly Segment[]): View {
    return { state, segments, unfolded: this.#unfolded, terms: this.#terms };
  }

  async #segments({ ids }: SegmentList): Promise<Segment[]> {
    const known = new Map(this.#current?.segments.map((segment) => [segment.id, segment]));
    const kept = ids.flatMap((id) => known.get(id) ?? []);
    const made = await segmentHeads(
      this.#db.main,
      ids.filter((id) => !known.has(id)),
    );
    if (kept.length + made.length < ids.length) throw new Error("segments were replaced during the read");
    return [...kept, ...made].sort((x, y) => compareListKeys(x.oldest, y.oldest));
  }

  async #learnTerms(rows: readonly WindowRow[]): Promise<void> {
    // Of this log: `forget` may put others in their place meanwhile.
    const [numbers, known] = [this.#numbers, this.#terms];
    const unknown = new Set(rows.flatMap(({ terms }) => terms.filter((id) => !numbers.has(id))));
    if (unknown.size === 0) return;
    for (const { id, ...term } of await termsById(this.#db.main, [...unknown]))
      numbers.set(id, known.numberOf(term));
  }

  #putRow(row: WindowRow): void {
    const { seq, id, published_ms, sentiment, conviction, copy } = row;
    const words = row.terms.flatMap((term) => this.#numbers.get(term) ?? []);
    const entry = {
      seq,
      key: listKey(published_ms, id),
      terms: this.#terms.numbersOf(words, {
        actionability: row.actionable,
        score: row.actionability_score,
        sentiment,
        conviction,
        copy,
      }),
      title: titleNumbers(row.title),
    };
    this.#entries.push(entry);
    this.#unfolded.put(entry);
  }
}

/** Segments also change when a month is dropped. */
function isSame({ state, segments }: View, list: SegmentList): boolean {
  return state.generation === list.state.generation && segments.length === list.ids.length;
}
