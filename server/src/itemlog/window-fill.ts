import { type ListPosition, listKey } from "../feed/list-key.ts";
import type { WindowBodies } from "../feed/window/window-bodies.ts";
import type { WindowIndex } from "../feed/window/window-index.ts";
import type { WindowTerms } from "../feed/window/window-terms.ts";
import type { Queries } from "../store/engine/db.ts";
import { termsById, type WindowRow, windowBodies, windowRows } from "../store/list/window-rows.ts";

/** Rows of one statement: reading them occupies the embedded database, and indexing them the event loop, for milliseconds. */
const pageRows = 1_000;
const pageBodies = 250;

/** What is filled from the table. */
export interface WindowParts {
  readonly index: WindowIndex;
  readonly terms: WindowTerms;
  readonly bodies: WindowBodies;
}

/**
 * Walks down the table from the newest item until the window has `capacity` items or there are no more. Each page is a
 * statement of its own, and the log goes on meanwhile: all entries that it brings, from before the first statement on,
 * must be put into the same index. The index is then exact at the end: an item came in a page, by the log, or both, and
 * the newer of two versions wins, whichever came first.
 * A page that failed changed nothing and can be read again.
 */
export class WindowFill {
  readonly #db: Queries;
  readonly #parts: WindowParts;
  readonly #capacity: number;
  /** Numbers in the window, by id in the table. */
  readonly #numbers = new Map<number, number>();
  #reached: ListPosition | null = null;
  #bodiesReached: ListPosition | null = null;

  constructor(db: Queries, parts: WindowParts, capacity: number) {
    this.#db = db;
    this.#parts = parts;
    this.#capacity = capacity;
  }

  /** Reads the next page. @returns whether the index is whole */
  async items(): Promise<boolean> {
    const rows = await windowRows(this.#db, this.#reached, pageRows);
    await this.#learnTerms(rows);
    for (const row of rows) this.#put(row);
    const last = rows.at(-1);
    if (last !== undefined) this.#reached = positionOf(last);
    if (rows.length < pageRows) return true;
    if (this.#parts.index.items < this.#capacity) return false;
    const [next] = await windowRows(this.#db, this.#reached, 1);
    if (next !== undefined && this.#reached !== null) this.#parts.index.cutAt(this.#reached);
    return true;
  }

  /** Reads the next page of bodies, newest items first. @returns whether there is no room or nothing left to read */
  async bodies(): Promise<boolean> {
    const { bodies, index } = this.#parts;
    const rows = await windowBodies(this.#db, this.#bodiesReached, pageBodies);
    let held = 0;
    for (const { seq, id, published_ms, doc } of rows) {
      if (bodies.isFull) return true;
      const known = index.seqAt(listKey(published_ms, id));
      if (known !== null) held++;
      // Otherwise the log has brought a newer version meanwhile.
      if (known === seq) bodies.put(seq, doc);
    }
    const last = rows.at(-1);
    if (last !== undefined) this.#bodiesReached = positionOf(last);
    return held === 0;
  }

  async #learnTerms(rows: readonly WindowRow[]): Promise<void> {
    const unknown = new Set(rows.flatMap(({ terms }) => terms.filter((id) => !this.#numbers.has(id))));
    if (unknown.size === 0) return;
    for (const { id, ...term } of await termsById(this.#db, [...unknown]))
      this.#numbers.set(id, this.#parts.terms.numberOf(term));
  }

  #put(row: WindowRow): void {
    const { seq, id, published_ms, sentiment, conviction, copy } = row;
    const words = row.terms.flatMap((term) => this.#numbers.get(term) ?? []);
    this.#parts.index.put({
      seq,
      key: listKey(published_ms, id),
      terms: this.#parts.terms.numbersOf(words, {
        actionability: row.actionable,
        score: row.actionability_score,
        sentiment,
        conviction,
        copy,
      }),
    });
  }
}

function positionOf({ id, published_ms }: Pick<WindowRow, "id" | "published_ms">): ListPosition {
  return { publishedAt: new Date(published_ms), id };
}
