/** Tells what is asked for again from what is asked for once; bounded, what is known longest is forgotten first. */
export class AskedBefore {
  readonly #most: number;
  readonly #keys = new Set<string>();

  /** @param most keys that are known */
  constructor(most: number) {
    this.#most = most;
  }

  /** @returns whether it was asked before, and is known from now on */
  ask(key: string): boolean {
    if (this.#keys.has(key)) return true;
    for (const oldest of this.#keys) {
      if (this.#keys.size < this.#most) break;
      this.#keys.delete(oldest);
    }
    this.#keys.add(key);
    return false;
  }
}
