import { intersect, setBit, wordsFor } from "../bitmaps.ts";
import type { NumberedQuery } from "../title-words.ts";
import type { Segment } from "./segment.ts";
import type { Sight } from "./sight.ts";
import { rankOf } from "./words.ts";

/**
 * Leaves in `found` the slots whose titles pass. null: the other slots are not known yet, so it only looks for what is to
 * be read.
 * @returns whether any may; undefined: blocks are to be read first
 */
export function keepTitles(
  segment: Segment,
  { all, none }: NumberedQuery,
  sight: Sight,
  found: Uint32Array | null,
): boolean | undefined {
  const words = wordsFor(segment.items);
  let isKnown = true;
  for (const phrase of all) {
    const places = placesOf(segment, phrase, sight);
    if (places === undefined) isKnown = false;
    else if (places.length === 0) return false;
    else if (isKnown && found !== null && !intersect(found, slotsOf(places, words), words)) return false;
  }
  for (const phrase of none) {
    const places = placesOf(segment, phrase, sight);
    if (places === undefined) isKnown = false;
    else if (isKnown && found !== null) {
      const bits = slotsOf(places, words);
      for (let word = 0; word < words; word++) found[word] = (found[word] ?? 0) & ~(bits[word] ?? 0);
    }
  }
  return isKnown ? true : undefined;
}

/** Where the phrase begins. */
function placesOf(segment: Segment, phrase: readonly number[], sight: Sight): Uint32Array | undefined {
  let begins: Uint32Array | undefined;
  let isKnown = true;
  for (const [n, word] of phrase.entries()) {
    const places = sight.words(segment, segment.wordBlockOf(word))?.placesOf(word);
    if (places === undefined) isKnown = false;
    else if (places.length === 0) return places;
    else begins = begins === undefined ? shifted(places, n) : common(begins, places, n);
  }
  return isKnown ? begins : undefined;
}

/** Where a phrase would begin that has the word after `by` others. */
function shifted(places: Uint32Array, by: number): Uint32Array {
  return by === 0 ? places : places.filter((place) => place >= by).map((place) => place - by);
}

/**
 * The begins that have the word after `by` others. A title has at most 255 words and a place room for 256, so a phrase
 * cannot go on in the next title.
 */
function common(begins: Uint32Array, places: Uint32Array, by: number): Uint32Array {
  const both = new Uint32Array(Math.min(begins.length, places.length));
  let count = 0;
  let at = 0;
  for (const begin of begins) {
    while (at < places.length && (places[at] ?? 0) < begin + by) at++;
    if (places[at] === begin + by) both[count++] = begin;
  }
  return both.subarray(0, count);
}

function slotsOf(places: Uint32Array, words: number): Uint32Array {
  const bits = new Uint32Array(words);
  for (const place of places) setBit(bits, rankOf(place));
  return bits;
}
