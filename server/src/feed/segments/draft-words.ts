import type { SegmentEntry, Turn } from "./types.ts";
import { placeAt, placeOf, rankOf, WordBlocks, type WordPlaces, wordPlaces } from "./words.ts";

/** Places after which another task may have its turn. */
const turnPlaces = 20_000;

/** The words of the items that stay and of the entries, at their new ranks. */
export async function mergedWords(
  words: WordPlaces,
  entries: readonly SegmentEntry[],
  { moved, added }: { readonly moved: Int32Array; readonly added: Int32Array },
  turn: Turn,
): Promise<WordPlaces> {
  const late = wordPlaces(entries.map(({ title }, n) => [added[n] ?? 0, title]));
  const made: WordPlaces = new Map();
  let passed = 0;
  for (const [word, places] of words) {
    const kept = movedPlaces(places, moved);
    const some = late.get(word);
    late.delete(word);
    const all = some === undefined ? kept : united(kept, some);
    if (all.length > 0) made.set(word, all);
    passed += places.length;
    if (passed > turnPlaces) {
      passed = 0;
      await turn();
    }
  }
  for (const [word, places] of late) made.set(word, places);
  return made;
}

/** The words of the ranks [from, to), from 0 on, in stored blocks. */
export async function wordBlocks(words: WordPlaces, from: number, to: number, turn: Turn) {
  const blocks = new WordBlocks();
  let passed = 0;
  for (const word of Float64Array.from(words.keys()).sort()) {
    const places = words.get(word) ?? new Uint32Array();
    blocks.add(word, cut(places, from, to));
    passed += places.length;
    if (passed > turnPlaces) {
      passed = 0;
      await turn();
    }
  }
  return blocks.finish();
}

function movedPlaces(places: Uint32Array, moved: Int32Array): Uint32Array {
  const kept = new Uint32Array(places.length);
  let count = 0;
  for (const place of places) {
    const rank = moved[rankOf(place)] ?? -1;
    if (rank >= 0) kept[count++] = placeAt(place, rank);
  }
  return kept.subarray(0, count);
}

function united(x: Uint32Array, y: Uint32Array): Uint32Array {
  const all = new Uint32Array(x.length + y.length);
  all.set(x);
  all.set(y, x.length);
  return all.sort();
}

function cut(places: Uint32Array, from: number, to: number): Uint32Array {
  const [low, high] = [placeOf(from, 0), placeOf(to, 0)];
  return places.filter((place) => place >= low && place < high).map((place) => place - low);
}
