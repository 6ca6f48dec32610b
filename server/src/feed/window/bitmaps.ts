const wordBits = 32;

/** Words of a bitmap over so many slots. */
export function wordsFor(slots: number): number {
  return Math.ceil(slots / wordBits);
}

export function setBit(bits: Uint32Array, at: number): void {
  const word = at >>> 5;
  bits[word] = (bits[word] ?? 0) | (1 << (at & 31));
}

/** The bits that are set, ascending. */
export function slotsOf(bitmap: Uint32Array): Uint16Array {
  const slots = new Uint16Array(bitmap.length * wordBits);
  let found = 0;
  for (const [word, bits] of bitmap.entries())
    for (let rest = bits; rest !== 0; rest &= rest - 1)
      slots[found++] = word * wordBits + 31 - Math.clz32(rest & -rest);
  return slots.subarray(0, found);
}

/** @returns whether anything is left in `found` */
export function intersect(found: Uint32Array, other: Uint32Array, words: number): boolean {
  let left = 0;
  for (let word = 0; word < words; word++) {
    const both = (found[word] ?? 0) & (other[word] ?? 0);
    found[word] = both;
    left |= both;
  }
  return left !== 0;
}
