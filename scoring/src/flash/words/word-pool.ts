/** The words of all choices of all phrases, by their numbers, one list after the other: as sets they would take ten times the memory. */
let pool = new Uint32Array(1 << 16);
let used = 0;

/** Where the words of a choice stand, in ascending order. */
export interface Pooled {
  readonly from: number;
  readonly to: number;
}

/** @param words each once, in any order */
export function pooled(words: readonly number[]): Pooled {
  const from = used;
  used += words.length;
  if (used > pool.length) {
    const wider = new Uint32Array(used * 2);
    wider.set(pool);
    pool = wider;
  }
  pool.set(Uint32Array.from(words).sort(), from);
  return { from, to: used };
}

export const pooledWords = ({ from, to }: Pooled): Uint32Array => pool.subarray(from, to);

export function isPooled({ from, to }: Pooled, word: number): boolean {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >> 1;
    const there = pool[middle] ?? 0;
    if (there === word) return true;
    if (there < word) low = middle + 1;
    else high = middle;
  }
  return false;
}
