import { isStorable } from "@tapewire/contract/input.ts";
import type { Term } from "../../feed/filter.ts";
import { lruOf } from "../../runtime/sharing/lru.ts";
import type { Queries } from "../../store/engine/db.ts";
import { searchError } from "../../store/engine/errors.ts";
import { termIds } from "../../store/segments/segments.ts";

const mostKept = 50_000;
/** Instead of an id; those of the table begin at 1. */
const none = 0;

/** Ids of the values that filters name, as the table of terms has them. */
export class FilterIds {
  readonly #db: Queries;
  #ids = lruOf<string, number>(mostKept);
  /** Values that no item had, which one may have by now. */
  readonly #absent = new Set<string>();
  #changes = 0;

  constructor(db: Queries) {
    this.#db = db;
  }

  /** null: no item in a segment has it. undefined: to be read first. */
  idOf({ kind, value }: Term): number | null | undefined {
    const id = this.#ids.get(`${kind}:${value}`);
    return id === none ? null : id;
  }

  async read(terms: readonly Term[]): Promise<void> {
    // Of this log: `forget` may put others in their place meanwhile.
    const ids = this.#ids;
    const changes = this.#changes;
    const known = terms.filter(({ value }) => isStorable(value));
    try {
      const found = known.length === 0 ? [] : await termIds(this.#db, known);
      for (const term of found) ids.set(keyOf(term), term.id);
      // Otherwise what was absent at the read may have come.
      if (changes !== this.#changes) return;
      for (const term of terms) {
        if (this.#ids.has(keyOf(term))) continue;
        this.#ids.set(keyOf(term), none);
        this.#absent.add(keyOf(term));
      }
    } catch (error) {
      throw searchError(error);
    }
  }

  /** Call it when the segments have changed: values may be in them that were in none before. */
  forgetAbsent(): void {
    this.#changes += 1;
    for (const key of this.#absent) if (this.#ids.peek(key) === none) this.#ids.delete(key);
    this.#absent.clear();
  }

  /** For another database. */
  forget(): void {
    this.#changes += 1;
    this.#ids = lruOf(mostKept);
    this.#absent.clear();
  }
}

const keyOf = ({ kind, value }: Term) => `${kind}:${value}`;
