import { LRUCache } from "lru-cache";

const mostKept = 20_000;

/** How many items had a word, of the words that came lately: enough to tell rare ones from those of every third title. */
export class WordCounts {
  readonly #counts = new LRUCache<string, number>({ maxSize: mostKept, sizeCalculation: () => 1 });

  add(words: readonly string[]): void {
    for (const word of words) this.#counts.set(word, (this.#counts.peek(word) ?? 0) + 1);
  }

  /** The word that fewest items had; of those the longest. null: there is none. */
  rarest(words: readonly string[]): string | null {
    const count = (word: string) => this.#counts.peek(word) ?? 0;
    const [first] = words.toSorted((x, y) => count(x) - count(y) || y.length - x.length);
    return first ?? null;
  }
}
