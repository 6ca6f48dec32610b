/**
 * MinHash: 64 minima over the 3-word shingles of a text; the share of minima that two texts have in common approximates
 * their Jaccard similarity.
 * Source: Broder, "On the resemblance and containment of documents" (1997); bands as in Leskovec et al., "Mining of
 * Massive Datasets", ch. 3.
 */

const permutations = 64;
const bandRows = 4;

/** Odd multipliers and offsets of the permutations; fixed, because stored sketches are compared after restarts. */
const factors = Int32Array.from({ length: permutations }, (_, index) => Math.imul(index + 1, 0x9e3779b1) | 1);
const offsets = Int32Array.from({ length: permutations }, (_, index) => Math.imul(index + 1, 0x85ebca6b));

export function minimaOf(words: readonly string[]): Uint16Array {
  const hashes = words.map(hashOf);
  const minima = new Uint32Array(permutations).fill(0xffffffff);
  for (let at = 0; at + 2 < hashes.length; at++) {
    const shingle = mixed(
      Math.imul(hashes[at] ?? 0, 31) ^ Math.imul(hashes[at + 1] ?? 0, 17) ^ (hashes[at + 2] ?? 0),
    );
    lower(minima, shingle);
  }
  return Uint16Array.from(minima, (value) => value >>> 16);
}

/** Half of what an item of the feed costs is here: an iterator over pairs would make 64 arrays for each word. */
function lower(minima: Uint32Array, shingle: number): void {
  for (let at = 0; at < permutations; at++) {
    const value = (Math.imul(shingle, factors[at] ?? 0) + (offsets[at] ?? 0)) >>> 0;
    if (value < (minima[at] ?? 0)) minima[at] = value;
  }
}

/** Decodes 16-bit numbers from base64. */
export function numbersFrom(base64: string): Uint16Array {
  const bytes = Uint8Array.from(Buffer.from(base64, "base64"));
  return new Uint16Array(bytes.buffer);
}

export function base64Of({ buffer, byteOffset, byteLength }: Uint16Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString("base64");
}

/** Each band of four minima as a number: texts that are half alike nearly always share one. */
export function bandsOf(minima: Uint16Array): number[] {
  const bands: number[] = [];
  for (let band = 0; band + bandRows <= minima.length; band += bandRows) {
    let hash = 0;
    for (let row = 0; row < bandRows; row++) hash = mixed(Math.imul(hash, 31) + (minima[band + row] ?? 0));
    bands.push(band * 2 ** 32 + hash);
  }
  return bands;
}

/** Whether two texts share half of their minima; never for texts too short to have any. */
export function areAlike(some: Uint16Array, others: Uint16Array): boolean {
  if (some.length === 0 || some.length !== others.length) return false;
  let count = 0;
  for (let at = 0; at < some.length; at++) if (some[at] === others[at]) count += 1;
  return count >= permutations / 2;
}

/** FNV-1a, 32 bits. */
export function hashOf(word: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  return hash;
}

/** The finalizer of MurmurHash3: spreads the shingle's bits over the whole word. */
function mixed(value: number): number {
  let hash = value ^ (value >>> 16);
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
