import { LRUCache } from "lru-cache";
import { AskedBefore } from "../../feed/asked-before.ts";
import type { KnownMatches } from "../../feed/segments/search.ts";
import type { Segment } from "../../feed/segments/segment.ts";
import type { Matches } from "../../feed/segments/term-matching.ts";

/** A walk through more segments is long; the filter of a repeated long walk is remembered, since its caller pages or polls. */
const shortWalk = 4;
const mostFilters = 64;
const mostLongWalks = 1_000;
const keptBytes = 16 * 2 ** 20;
const overheadBytes = 120;
/** Ids of segments are below it. */
const idSpan = 2 ** 32;

/** Matches of filters in segments: as both never change, what was found once stays true. */
export class RememberedMatches {
  readonly #matches = new LRUCache<number, { readonly found: Matches }>({
    maxSize: keptBytes,
    sizeCalculation: ({ found }) => overheadBytes + (found?.byteLength ?? 0),
  });
  readonly #numbers = new LRUCache<string, number>({ max: mostFilters });
  readonly #longWalks = new AskedBefore(mostLongWalks);
  #nextNumber = 0;

  get bytes(): number {
    return this.#matches.calculatedSize;
  }

  /** What is known, and will be remembered, of one request. @param text names the sets of its filter */
  of(text: string): KnownMatches & { ended: () => void } {
    const own = new Map<number, Matches>();
    const number = this.#numbers.get(text) ?? null;
    return {
      get: (segment) => {
        const found = own.get(segment.id);
        if (found !== undefined || number === null) return found;
        return this.#matches.get(keyOf(number, segment))?.found;
      },
      set: (segment, found) => {
        own.set(segment.id, found);
        if (number !== null) this.#matches.set(keyOf(number, segment), { found });
      },
      ended: () => {
        if (number === null && own.size > shortWalk && this.#longWalks.ask(text))
          this.#numbers.set(text, this.#nextNumber++);
      },
    };
  }
}

function keyOf(number: number, segment: Segment): number {
  return (number % 2 ** 20) * idSpan + segment.id;
}
