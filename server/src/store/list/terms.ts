import { sql } from "kysely";
import type { LRUCache } from "lru-cache";
import type { Term } from "../../feed/filter.ts";
import { lruOf } from "../../runtime/sharing/lru.ts";
import type { Queries } from "../engine/db.ts";

/** Change of the counts of some terms: 1 for a new item, 0 when an item keeps them, -1 when an item lost them. */
export interface TermChange {
  readonly terms: readonly Term[];
  readonly publishedAt: string;
  readonly by: 1 | 0 | -1;
}

/** What a batch adds to the count of a term. */
interface TermSum extends Term {
  count: number;
  latestAt: string;
}

/** What is to be added to the count of a known term. */
export interface TermCount {
  readonly id: number;
  readonly count: number;
  readonly latest_at: string;
}

export const termKey = ({ kind, value }: Term) => `${kind}:${value}`;

/** Ids cached, some 100 bytes each: far more than a day's items have. */
const mostKept = 500_000;

/**
 * Ids of filter values. Known ids are cached: an upsert would use up a number of the id sequence for every value of
 * every item.
 */
export class TermIds {
  readonly #ids: LRUCache<string, number>;

  /** @param most ids cached */
  constructor(most = mostKept) {
    this.#ids = lruOf(most);
  }

  /**
   * Counts the terms of a batch and returns their ids. Terms that are not cached are inserted and counted at once.
   * @returns ids by termKey; `counts`, which are still to be added; and `remember`, to be called once the transaction
   * has committed
   */
  async count(tx: Queries, changes: readonly TermChange[]) {
    const all = countTerms(changes);
    // A map of its own, because the cache may change before the batch is written.
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

  /** Drops the cached ids, for another database. */
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
