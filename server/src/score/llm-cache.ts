/** Keeps checked answers of a language model by artifact, model and prompt. A table may take its place. */
export interface LlmCache {
  /** JSON as it was set; null when it is not known. */
  get(key: string): Promise<string | null>;
  set(key: string, json: string): Promise<void>;
}

const defaults = { entries: 2_000, characters: 8_000_000 };

/** The answers asked for last, in memory. Full: those not asked for the longest go. */
export class MemoryLlmCache implements LlmCache {
  readonly #limits: { readonly entries: number; readonly characters: number };
  /** In order of last use: a Map keeps the order of insertion. */
  readonly #answers = new Map<string, string>();
  #characters = 0;

  constructor(limits: { readonly entries?: number; readonly characters?: number } = {}) {
    this.#limits = { ...defaults, ...limits };
  }

  get size(): number {
    return this.#answers.size;
  }

  get(key: string): Promise<string | null> {
    const json = this.#answers.get(key);
    if (json === undefined) return Promise.resolve(null);
    this.#answers.delete(key);
    this.#answers.set(key, json);
    return Promise.resolve(json);
  }

  set(key: string, json: string): Promise<void> {
    this.#drop(key);
    if (json.length > this.#limits.characters) return Promise.resolve();
    this.#answers.set(key, json);
    this.#characters += json.length;
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= this.#limits.entries && this.#characters <= this.#limits.characters) break;
      this.#drop(oldest);
    }
    return Promise.resolve();
  }

  #drop(key: string): void {
    this.#characters -= this.#answers.get(key)?.length ?? 0;
    this.#answers.delete(key);
  }
}
