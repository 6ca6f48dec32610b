import { crc32 } from "node:zlib";

/**
 * Tells what is asked for again from what is asked for once. Of a key only a checksum is held, in a table of fixed size:
 * most keys never come again, and kept as they are they would grow old before they go, which collecting garbage is
 * slowest at. A key can push out another, and one in four thousand million is taken for another: good enough to choose
 * what to keep, for nothing more.
 */
export class AskedBefore {
  readonly #sums: Uint32Array;

  /** @param most keys that are known */
  constructor(most: number) {
    this.#sums = new Uint32Array(most);
  }

  /** @returns whether it was asked before; it is known from now on */
  ask(key: string): boolean {
    // 0 is an empty place.
    const sum = crc32(key) || 1;
    const place = sum % this.#sums.length;
    const isKnown = this.#sums[place] === sum;
    this.#sums[place] = sum;
    return isKnown;
  }
}
