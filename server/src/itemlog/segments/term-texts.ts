import type { Term } from "../../feed/filter.ts";
import { lruOf } from "../../runtime/sharing/lru.ts";
import type { Queries } from "../../store/engine/db.ts";
import { termsById } from "../../store/list/window-rows.ts";

const mostKept = 100_000;

/** Values by their ids in the table of terms. */
export class TermTexts {
  readonly #db: Queries;
  #terms = lruOf<number, Term>(mostKept);

  constructor(db: Queries) {
    this.#db = db;
  }

  get(id: number): Term | undefined {
    return this.#terms.get(id);
  }

  /** The terms of these ids; an id that does not exist is left out. */
  async of(ids: Iterable<number>): Promise<ReadonlyMap<number, Term>> {
    // Of this log: `forget` may put others in their place meanwhile.
    const terms = this.#terms;
    const found = new Map<number, Term>();
    const missing: number[] = [];
    for (const id of ids) {
      const known = terms.get(id);
      if (known === undefined) missing.push(id);
      else found.set(id, known);
    }
    if (missing.length === 0) return found;
    for (const { id, kind, value } of await termsById(this.#db, missing)) {
      terms.set(id, { kind, value });
      found.set(id, { kind, value });
    }
    return found;
  }

  /** For another database. */
  forget(): void {
    this.#terms = lruOf(mostKept);
  }
}
