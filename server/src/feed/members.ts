/** Below one slot in this many the list is cheaper: a set bit costs a whole word in every pass over the set. */
const denseShare = 32;

/**
 * A set of slots, which are small reusable numbers: a list while it has few members, a bitmap once it has many.
 * @param capacity slots there can be now, a multiple of 32
 */
export class Members {
  #list: number[] | null = [];
  #bits: Int32Array | null = null;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get bytes(): number {
    return (this.#bits?.byteLength ?? 0) + (this.#list?.length ?? 0) * 8;
  }

  add(slot: number, capacity: number): void {
    this.#size += 1;
    if (this.#list !== null && this.#list.length * denseShare < capacity) this.#list.push(slot);
    else setBit(this.#dense(capacity), slot);
  }

  remove(slot: number): void {
    this.#size -= 1;
    if (this.#bits !== null) {
      this.#bits[slot >> 5] = (this.#bits[slot >> 5] ?? 0) & ~(1 << (slot & 31));
      return;
    }
    const list = this.#list ?? [];
    const at = list.indexOf(slot);
    const last = list.pop();
    if (last !== undefined && at < list.length) list[at] = last;
  }

  /** Sets the members' bits in a bitmap of the same capacity. */
  into(target: Int32Array): void {
    if (this.#bits !== null) {
      const bits = this.#bits;
      const words = Math.min(bits.length, target.length);
      for (let word = 0; word < words; word++) target[word] = (target[word] ?? 0) | (bits[word] ?? 0);
      return;
    }
    for (const slot of this.#list ?? []) setBit(target, slot);
  }

  /** Clears the members' bits in a bitmap of the same capacity. */
  outOf(target: Int32Array): void {
    if (this.#bits !== null) {
      const bits = this.#bits;
      const words = Math.min(bits.length, target.length);
      for (let word = 0; word < words; word++) target[word] = (target[word] ?? 0) & ~(bits[word] ?? 0);
      return;
    }
    for (const slot of this.#list ?? []) target[slot >> 5] = (target[slot >> 5] ?? 0) & ~(1 << (slot & 31));
  }

  #dense(capacity: number): Int32Array {
    const words = capacity >> 5;
    if (this.#bits !== null && this.#bits.length >= words) return this.#bits;
    const bits = new Int32Array(words);
    bits.set(this.#bits ?? []);
    for (const slot of this.#list ?? []) setBit(bits, slot);
    this.#bits = bits;
    this.#list = null;
    return bits;
  }
}

export function setBit(bits: Int32Array, slot: number): void {
  bits[slot >> 5] = (bits[slot >> 5] ?? 0) | (1 << (slot & 31));
}

export function clearBit(bits: Int32Array, slot: number): void {
  bits[slot >> 5] = (bits[slot >> 5] ?? 0) & ~(1 << (slot & 31));
}

export function hasBit(bits: Int32Array, slot: number): boolean {
  return ((bits[slot >> 5] ?? 0) & (1 << (slot & 31))) !== 0;
}

/** Calls back with every slot of a set, ascending. */
export function forEachBit(bits: Int32Array, words: number, visit: (slot: number) => void): void {
  for (let word = 0; word < words; word++) {
    let rest = bits[word] ?? 0;
    while (rest !== 0) {
      const bit = 31 - Math.clz32(rest & -rest);
      visit((word << 5) | bit);
      rest &= rest - 1;
    }
  }
}
