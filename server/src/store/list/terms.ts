import { sql } from "kysely";
import { LRUCache } from "lru-cache";
import type { Term } from "../../feed/filter.ts";
import type { Queries } from "../engine/db.ts";

/** What happens to the count of terms: 1 an item with them came, 0 it keeps them, -1 it lost them. */
export interface TermChange {
  readonly terms: readonly Term[];
  readonly publishedAt: string;
  readonly by: 1 | 0 | -1;
}

/** What a batch adds to a term. */
interface TermSum extends Term {
  count: number;
  latestAt: string;
}

/** What is to be added to a known term. */
export interface TermCount {
  readonly id: number;
  readonly count: number;
  readonly latest_at: string;
}

export const termKey = ({ kind, value }: Term) => `${kind}:${value}`;

/** Ids kept in memory, some 100 bytes each: far more than a day's items have. */
const mostKept = 500_000;

/**
 * Ids of filter values. Known ids are kept in memory: an upsert would burn a number of the id sequence for every value
 * of every item.
 */
export class TermIds {
  readonly #ids: LRUCache<string, number>;

  /** @param most ids kept */
  constructor(most = mostKept) {
    // With `max` the cache would take the memory of so many ids at once: 12 MB.
    this.#ids = new LRUCache({ maxSize: most, sizeCalculation: () => 1 });
  }

  /**
   * Counts the terms of a batch and gives their ids. Those that are not known here are made and counted at once.
   * @returns ids by termKey; `counts`, which are still to be added; and `remember`, to be called once the transaction
   * has committed
   */
  async count(tx: Queries, changes: readonly TermChange[]) {
    const all = countTerms(changes);
    // Of its own: what is kept may change before the batch is written.
    const ids = new Map<string, number>();
    for (const term of all) {
      const known = this.#ids.get(termKey(term));
      if (known !== undefined) ids.set(termKey(term), known);
    }
    const counts = all.flatMap((term): TermCount[] => {
      const id = ids.get(termKey(term));
      return id === undefined ? [] : [{ id, count: term.count, latest_at: term.latestAt }];
    });
    const unknown = all.filter((term) => !ids.has(termKey(term)));
    const made = unknown.length === 0 ? [] : await upsert(tx, unknown);
    const fresh = made.map((term) => [termKey(term), term.id] as const);
    for (const [key, id] of fresh) ids.set(key, id);
    const idOf = (term: Term) => ids.get(termKey(term));
    return { idOf, counts, remember: () => this.#remember(fresh) };
  }

  #remember(fresh: Iterable<readonly [string, number]>): void {
    for (const [key, id] of fresh) this.#ids.set(key, id);
  }

  /** The ids are of another database. */
  forget(): void {
    this.#ids.clear();
  }
}

function countTerms(changes: readonly TermChange[]): TermSum[] {
  const counts = new Map<string, TermSum>();
  for (const { terms, publishedAt, by } of changes)
    for (const term of terms) {
      const key = termKey(term);
      const seen = counts.get(key);
      if (seen === undefined) counts.set(key, { ...term, count: by, latestAt: publishedAt });
      else {
        seen.count += by;
        if (publishedAt > seen.latestAt) seen.latestAt = publishedAt;
      }
    }
  return [...counts.values()];
}

async function upsert(tx: Queries, terms: readonly TermSum[]) {
  const rows = JSON.stringify(terms.map(({ latestAt, ...term }) => ({ ...term, latest_at: latestAt })));
  const made = await sql<Term & { id: number }>`
    insert into terms (kind, value, count, latest_at)
    select kind, value, count, latest_at
    from json_to_recordset(${rows}::json) as r (kind text, value text, count bigint, latest_at timestamptz)
    on conflict (kind, value) do update set
      count = terms.count + excluded.count, latest_at = greatest(terms.latest_at, excluded.latest_at)
    returning id, kind, value`.execute(tx);
  return made.rows;
}
