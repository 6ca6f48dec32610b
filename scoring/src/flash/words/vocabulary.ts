/**
 * The words that phrases and the lexicon name, numbered. The scanner looks each word of a text up once; what is known of it is
 * then found by its number.
 */
import { ownString } from "../../kept-strings.ts";
import { lexicon, type WordInfo } from "./lexicon.ts";

export interface KnownWord {
  /** Counts from 0. */
  readonly id: number;
  readonly word: string;
  readonly hash: number;
  /** What the rules know of it; undefined for a word that only stands in phrases. */
  readonly info: WordInfo | undefined;
}

const offset = 0x811c9dc5;
const prime = 0x01000193;

/** The lower case of ASCII letters and digits; 0 for all other characters. */
export const lowerOf = Uint8Array.from({ length: 128 }, (_, code) =>
  (code >= 48 && code <= 57) || (code >= 97 && code <= 122) ? code : code >= 65 && code <= 90 ? code + 32 : 0,
);

export const emptyHash = offset | 0;

/** FNV-1a, one character after the other. All digits count as one, so that a figure is a shape and not a value. */
export const hashedWith = (hash: number, code: number): number =>
  Math.imul(hash ^ (code >= 49 && code <= 57 ? 48 : code), prime);

export function wordHash(word: string): number {
  let hash = emptyHash;
  for (let index = 0; index < word.length; index += 1) hash = hashedWith(hash, word.charCodeAt(index));
  return hash;
}

const byWord = new Map<string, KnownWord>();
const byId: KnownWord[] = [];
/** Open addressing by hash: 1 + the number of a word, 0 where none is, and its hash. A power of two, at most half full. */
let slots = new Int32Array(1 << 16);

/** The slot at which a hash is looked for first. Slots have even numbers. */
const slotOf = (hash: number): number => (hash << 1) & (slots.length - 1);

function place({ id, hash }: KnownWord): void {
  let slot = slotOf(hash);
  while (slots[slot] !== 0) slot = (slot + 2) & (slots.length - 1);
  slots[slot] = id + 1;
  slots[slot + 1] = hash;
}

/** The number of a word, which is known from now on; texts scanned before do not show it. */
export function numberOf(word: string): number {
  const known = byWord.get(word);
  if (known !== undefined) return known.id;
  const own = ownString(word);
  const entry = { id: byId.length, word: own, hash: wordHash(own), info: lexicon.get(own) };
  byWord.set(own, entry);
  byId.push(entry);
  if (byId.length * 4 > slots.length) {
    slots = new Int32Array(slots.length * 2);
    for (const each of byId) place(each);
  } else place(entry);
  return entry.id;
}

export const vocabularySize = (): number => byId.length;

export const knownWord = (word: string): KnownWord | undefined => byWord.get(word);

function isWordAt(word: string, text: string, start: number, end: number): boolean {
  if (word.length !== end - start) return false;
  for (let at = 0; at < word.length; at += 1)
    if (lowerOf[text.charCodeAt(start + at)] !== word.charCodeAt(at)) return false;
  return true;
}

/** The known word that text[start, end), ASCII letters and digits alone, is in lower case. @param hash of its lower case */
export function knownWordAt(text: string, start: number, end: number, hash: number): KnownWord | undefined {
  for (let slot = slotOf(hash); slots[slot] !== 0; slot = (slot + 2) & (slots.length - 1)) {
    if (slots[slot + 1] !== hash) continue;
    const known = byId[(slots[slot] ?? 0) - 1];
    if (known !== undefined && isWordAt(known.word, text, start, end)) return known;
  }
  return undefined;
}

for (const word of lexicon.keys()) numberOf(word);
