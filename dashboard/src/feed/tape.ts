import { iso } from "../core/range.ts";
import type { StreamItem } from "../core/types.ts";

/** Missing items: published in this time, and logged before the first one that came after them. */
export interface Gap {
  readonly from: string;
  readonly until: string;
  readonly seq: number;
}

/** A row of the tape. `n` is its place for ever: rows are placed once and never move within their container. */
export interface Row {
  readonly n: number;
  readonly item: StreamItem;
  /** Milliseconds from the source to here; null: not live. */
  readonly latencyMs: number | null;
  /** When it came, by performance.now(); 0: it was there before. */
  readonly cameAt: number;
  /** Set where items are missing between this row and the next older one. */
  readonly gap?: Gap | undefined;
}

export const mostHeld = 5_000;
const slack = 500;
export const recentRows = 20;
/** Items do not come in the order of their publication: so much later one may have been published that came before. */
const marginMs = 15 * 60_000;
/** Older items are read page by page as long as not more than this is held. */
export const mostWithHistory = 15_000;

/**
 * The newest items of the feed, oldest first in memory, newest first on screen. While it is paused new items wait beside
 * it and nothing that is shown changes its place.
 */
export class Tape {
  /** Oldest first. */
  #rows: Row[] = [];
  #waiting: Row[] = [];
  #next = 0;
  readonly #ids = new Map<string, number>();
  isPaused = false;
  /** Whether waiting items were dropped because too many came. */
  #hasDropped = false;

  get rows(): readonly Row[] {
    return this.#rows;
  }
  get length(): number {
    return this.#rows.length;
  }
  get waiting(): readonly Row[] {
    return this.#waiting;
  }
  /** n of the newest row shown. */
  get head(): number {
    return this.#rows.at(-1)?.n ?? this.#next - 1;
  }
  get oldest(): Row | undefined {
    return this.#rows[0];
  }

  /** The row at a place of the screen, 0 the newest. */
  at(place: number): Row | undefined {
    return this.#rows[this.#rows.length - 1 - place];
  }

  placeOf(id: string): number {
    const n = this.#ids.get(id);
    return n === undefined ? -1 : this.head - n;
  }

  /** Adds newer items, oldest first. A later version of an item that is held takes its row. */
  add(items: readonly { item: StreamItem; latencyMs: number | null; cameAt: number }[]): void {
    for (const { item, latencyMs, cameAt } of items) {
      const known = this.#ids.get(item.id);
      if (known !== undefined && this.#replace(known, item)) continue;
      const row: Row = { n: this.#next++, item, latencyMs, cameAt };
      this.#ids.set(item.id, row.n);
      (this.isPaused ? this.#waiting : this.#rows).push(row);
    }
    if (this.#waiting.length > mostHeld) this.#drop();
    if (!this.isPaused) this.#cut();
  }

  #drop(): void {
    for (const { item } of this.#waiting.splice(0, this.#waiting.length - mostHeld + slack))
      this.#ids.delete(item.id);
    this.#hasDropped = true;
  }

  #replace(n: number, item: StreamItem): boolean {
    for (const rows of [this.#rows, this.#waiting]) {
      const first = rows[0]?.n;
      const row = first === undefined ? undefined : rows[n - first];
      if (row === undefined || row.item.id !== item.id) continue;
      rows[n - (first ?? 0)] = { ...row, item };
      return true;
    }
    return false;
  }

  #cut(): void {
    if (this.#rows.length < mostHeld + slack) return;
    for (const { item, n } of this.#rows.splice(0, this.#rows.length - mostHeld))
      if (this.#ids.get(item.id) === n) this.#ids.delete(item.id);
  }

  pause(): void {
    this.isPaused = true;
  }

  /** Shows what has waited, and follows again. */
  follow(): void {
    this.isPaused = false;
    if (this.#hasDropped) {
      for (const { item } of this.#rows) this.#ids.delete(item.id);
      this.#rows = this.#waiting;
    } else this.#rows = this.#rows.concat(this.#waiting);
    this.#waiting = [];
    this.#hasDropped = false;
    this.#cut();
  }

  /** Adds older items below, newest first as a list page has them. @returns how many were new */
  addOlder(items: readonly StreamItem[]): number {
    const first = this.#rows[0]?.n ?? this.#next;
    const fresh = items.filter(({ id }) => !this.#ids.has(id));
    const rows = fresh.map((item, at): Row => ({ n: first - 1 - at, item, latencyMs: null, cameAt: 0 }));
    for (const { n, item } of rows) this.#ids.set(item.id, n);
    if (this.#rows.length === 0 && this.#next === 0) this.#next = first;
    this.#rows = [...rows.toReversed(), ...this.#rows];
    return rows.length;
  }

  /** Marks that items are missing above the newest row that is held. */
  markGap(from: string, { published_at, seq }: StreamItem): void {
    const rows = this.#waiting.length > 0 ? this.#waiting : this.#rows;
    const last = rows.at(-1);
    const until = iso(Date.parse(published_at) + marginMs);
    if (last !== undefined) rows[rows.length - 1] = { ...last, gap: { from, until, seq } };
  }

  /** Earliest publication of the newest rows: items do not come in the order of their publication. null: there is none. */
  recentSince(): string | null {
    const times = [...this.#rows, ...this.#waiting].slice(-recentRows).map(({ item }) => item.published_at);
    return times.length === 0 ? null : times.reduce((least, one) => (one < least ? one : least));
  }

  /**
   * Puts items that were missing where they belong. @param items oldest first
   * @param rest what is still missing below them @returns how many were new
   */
  fillGap(gap: Gap, items: readonly StreamItem[], rest?: Gap): number {
    const place = this.#rows.findIndex((row) => row.gap === gap);
    const below = this.#rows[place];
    if (below === undefined) return 0;
    const fresh = items.filter(({ id }) => !this.#ids.has(id));
    const found = fresh.map((item): Row => ({ n: 0, item, latencyMs: null, cameAt: 0 }));
    const above = this.#rows.slice(place + 1);
    // All that is newer moves up by as many places.
    const moved = [...found, ...above].map((row, at) => ({ ...row, n: below.n + 1 + at }));
    this.#waiting = this.#waiting.map((row) => ({ ...row, n: row.n + found.length }));
    this.#next += found.length;
    this.#rows = [...this.#rows.slice(0, place), { ...below, gap: rest }, ...moved];
    for (const { item, n } of [...moved, ...this.#waiting]) this.#ids.set(item.id, n);
    return found.length;
  }
}
