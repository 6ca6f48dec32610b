import { LRUCache } from "lru-cache";

/** Stores checked answers of a language model by artifact, model and prompt. A table may replace it. */
export interface LlmCache {
  /** JSON as it was set; null when the key is unknown. */
  get(key: string): Promise<string | null>;
  set(key: string, json: string): Promise<void>;
}

const defaults = { entries: 2_000, characters: 8_000_000 };

/** The most recently used answers, in memory. When full, the least recently used are dropped. */
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
