import type { Cue } from "../cues/types.ts";
import type { Word } from "../words/scan.ts";
import type { Heads } from "./heads.ts";
import type { LinearHead } from "./linear.ts";
import { leadGramsOf } from "./ngrams.ts";

/** A wording that says only how much or how many is no reason: "1-for-20", "2026". */
const isFigure = (words: readonly Word[]): boolean => words.some(({ digits }) => digits);

/** Words that tell nothing by themselves: "from buying" may be a reason, "have" is none. */
const bare = new Set(
  (
    "a an the this that these those it its he she his her they their we our you your i my of in on at to for from by with as into over under " +
    "up down about after before since until between among through during within and or but nor so if than then when while where who whom whose which " +
    "what how why there here is are was were be been being am has have had having do does did done will would shall should can could may " +
    "might must not no also just only very more most much many some any all each every both other another such own same says say said inc " +
    "ltd plc corp co llc group sa ag nv us"
  ).split(" "),
);
const isBare = (words: readonly Word[]): boolean =>
  words.every(({ word }) => bare.has(word) || word.length < 2);

function weightOf({ grams, gramScale, classes }: LinearHead, hash: number, label: number): number {
  const at = (hash & (grams.length / classes - 1)) * classes;
  const own = grams[at + label] ?? 0;
  let sum = 0;
  for (let other = 0; other < classes; other += 1) sum += grams[at + other] ?? 0;
  return gramScale * (own - sum / classes);
}

/**
 * The pair of words, or the word, with the most weight for a sign in the heads; null when none has any.
 * @param sign -1 or +1
 */
export function gramEvidence(heads: Heads, sign: number, words: readonly Word[], text: string): Cue | null {
  let best: { start: number; end: number; value: number } | null = null;
  const read = [heads.general, heads.headlines, heads.tweets];
  for (let index = 0; index < Math.min(words.length, 40); index += 1) {
    const here = words[index];
    const next = words[index + 1];
    if (here === undefined) break;
    for (const span of next === undefined || next.gap >= 2 ? [[here]] : [[here], [here, next]]) {
      const last = span.at(-1) ?? here;
      if (isFigure(span) || isBare(span)) continue;
      const { words: singles, pairs } = leadGramsOf(span);
      const hashes = span.length === 1 ? singles : [...singles, ...pairs];
      let value = 0;
      for (const hash of hashes) for (const head of read) value += weightOf(head, hash, sign + 1);
      if (value > (best?.value ?? 0)) best = { start: here.start, end: last.end, value };
    }
  }
  if (best === null) return null;
  const { start, end } = best;
  return {
    start,
    end,
    weight: 0.3 * sign,
    label: sign > 0 ? "Wording as in good news" : "Wording as in bad news",
    feature: "wording",
    hedged: false,
    negated: false,
    sentence: 0,
    sentenceStart: 0,
    sentenceEnd: text.indexOf("\n") < 0 ? text.length : text.indexOf("\n"),
    place: 1,
  };
}
