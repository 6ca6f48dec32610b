import { LRUCache } from "lru-cache";

/** Keeps checked answers of a language model by artifact, model and prompt. A table may take its place. */
export interface LlmCache {
  /** JSON as it was set; null when it is not known. */
  get(key: string): Promise<string | null>;
  set(key: string, json: string): Promise<void>;
}

const defaults = { entries: 2_000, characters: 8_000_000 };

/** The answers asked for last, in memory. Full: those not asked for the longest go. */
export class MemoryLlmCache implements LlmCache {
  readonly #answers: LRUCache<string, string>;

  constructor(limits: { readonly entries?: number; readonly characters?: number } = {}) {
    const { entries, characters } = { ...defaults, ...limits };
    this.#answers = new LRUCache({
      max: entries,
      maxSize: characters,
      sizeCalculation: ({ length }) => length,
    });
  }

  get size(): number {
    return this.#answers.size;
  }

  get(key: string): Promise<string | null> {
    return Promise.resolve(this.#answers.get(key) ?? null);
  }

  set(key: string, json: string): Promise<void> {
    this.#answers.set(key, json);
    return Promise.resolve();
  }
}
