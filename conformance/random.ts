/** Repeatable random numbers: the same seed gives the same numbers. */
export class Random {
  #state: number;

  constructor(seed: number) {
    // Zero would stay zero, and the first numbers of neighbouring seeds are similar.
    this.#state = seed === 0 ? 1 : seed | 0;
    for (let draw = 0; draw < 16; draw++) this.next();
  }

  /** 0 <= x < 1. Source: Marsaglia, Xorshift RNGs (2003), the 32-bit generator with shifts 13, 17, 5. */
  next(): number {
    let x = this.#state;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.#state = x;
    return (x >>> 0) / 2 ** 32;
  }

  /** An integer, both ends included. */
  int(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(list: readonly [T, ...T[]] | readonly T[]): T {
    const chosen = list[this.int(0, list.length - 1)];
    if (chosen === undefined) throw new RangeError("the list is empty");
    return chosen;
  }

  uuid(): string {
    const hex = Array.from({ length: 32 }, () => this.int(0, 15).toString(16)).join("");
    return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, "$1-$2-4$3-a$4-$5");
  }
}
