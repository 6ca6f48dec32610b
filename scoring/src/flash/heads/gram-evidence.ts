import type { Cue } from "../cues/types.ts";
import type { Word } from "../words/scan.ts";
import type { GramHead, Heads } from "./heads.ts";
import { gramsOf } from "./ngrams.ts";

function weightOf({ grams, gramScale }: GramHead, hash: number, label: number): number {
  const at = (hash & (grams.length / 3 - 1)) * 3;
  const own = grams[at + label] ?? 0;
  return gramScale * (own - ((grams[at] ?? 0) + (grams[at + 1] ?? 0) + (grams[at + 2] ?? 0)) / 3);
}

/**
 * The pair of words, or the word, with the most weight for a sign in the experts; null when none has any.
 * @param sign -1 or +1
 */
export function gramEvidence(heads: Heads, sign: number, words: readonly Word[], text: string): Cue | null {
  let best: { start: number; end: number; value: number } | null = null;
  const experts = [heads.headlines, heads.tweets];
  for (let index = 0; index < Math.min(words.length, 40); index += 1) {
    const here = words[index];
    const next = words[index + 1];
    if (here === undefined) break;
    for (const span of next === undefined || next.gap >= 2 ? [[here]] : [[here], [here, next]]) {
      const last = span.at(-1) ?? here;
      const { words: singles, pairs } = gramsOf("", span);
      const hashes = span.length === 1 ? singles : [...singles, ...pairs];
      let value = 0;
      for (const hash of hashes) for (const expert of experts) value += weightOf(expert, hash, sign + 1);
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
