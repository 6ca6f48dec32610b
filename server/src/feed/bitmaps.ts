const wordBits = 32;

/** Words of a bitmap over so many slots. */
export function wordsFor(slots: number): number {
  return Math.ceil(slots / wordBits);
}

export function setBit(bits: Uint32Array, at: number): void {
  const word = at >>> 5;
  bits[word] = (bits[word] ?? 0) | (1 << (at & 31));
}

export function clearBit(bits: Uint32Array, at: number): void {
  const word = at >>> 5;
  bits[word] = (bits[word] ?? 0) & ~(1 << (at & 31));
}

export function hasBit(bits: Uint32Array, at: number): boolean {
  return (((bits[at >>> 5] ?? 0) >>> (at & 31)) & 1) === 1;
}

/** Sets the first `slots` bits, and clears the others of their last word. */
export function fill(bits: Uint32Array, slots: number): void {
  const words = wordsFor(slots);
  bits.fill(0xffffffff, 0, words);
  if ((slots & 31) !== 0) bits[words - 1] = 0xffffffff >>> (32 - (slots & 31));
}

/** Clears the bits of the slots [from, to). */
export function clearRange(bits: Uint32Array, from: number, to: number): void {
  if (from >= to) return;
  const first = from >>> 5;
  const last = (to - 1) >>> 5;
  for (let word = first; word <= last; word++) bits[word] = (bits[word] ?? 0) & ~wordMask(word, from, to);
}

/** The bits of a word that are in the slots [from, to), which the word overlaps. */
export function wordMask(word: number, from: number, to: number): number {
  const low = word === from >>> 5 ? 0xffffffff << (from & 31) : 0xffffffff;
  return word === (to - 1) >>> 5 ? low & (0xffffffff >>> (31 - ((to - 1) & 31))) : low;
}

/** How many bits of the word are set. */
export function popcount(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** How many bits are set. */
export function countBits(bits: Uint32Array): number {
  let count = 0;
  for (let word = 0; word < bits.length; word++) count += popcount(bits[word] ?? 0);
  return count;
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

/** The first index in [from, to) whose slot is set; `to`: none. */
export function firstSet(bits: Uint32Array, slots: Uint16Array, from: number, to: number): number {
  let at = from;
  while (at < to && (((bits[(slots[at] ?? 0) >>> 5] ?? 0) >>> ((slots[at] ?? 0) & 31)) & 1) === 0) at++;
  return at;
}

/** Sets in `kept` the bits of `found` that are at the slots with an index in [from, to). */
export function keepSlots(
  found: Uint32Array,
  kept: Uint32Array,
  slots: Uint16Array,
  from: number,
  to: number,
): void {
  for (let at = from; at < to; at++) {
    const slot = slots[at] ?? 0;
    const word = slot >>> 5;
    kept[word] = (kept[word] ?? 0) | ((found[word] ?? 0) & (1 << (slot & 31)));
  }
}

/** Bitmaps that a search works in, as wide as the largest chunk. */
export class Scratch {
  readonly found: Uint32Array;
  readonly axis: Uint32Array;

  constructor(slots: number) {
    this.found = new Uint32Array(wordsFor(slots));
    this.axis = new Uint32Array(wordsFor(slots));
  }
}

/** The slots in [low, high) that are set, the highest first. */
export function* downwards(found: Uint32Array, low: number, high: number): Generator<number> {
  if (low >= high) return;
  const last = (high - 1) >>> 5;
  const first = low >>> 5;
  for (let word = last; word >= first; word--) {
    let bits = found[word] ?? 0;
    if (word === last) bits &= 0xffffffff >>> (31 - ((high - 1) & 31));
    if (word === first) bits &= 0xffffffff << (low & 31);
    for (; bits !== 0; bits &= ~(1 << (31 - Math.clz32(bits)))) yield word * 32 + 31 - Math.clz32(bits);
  }
}
