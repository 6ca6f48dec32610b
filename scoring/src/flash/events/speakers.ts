/** Who speaks at the head of a headline. */
import type { Word } from "../words/scan.ts";

const authorities = new Set(
  "fed fomc ecb boe boj boc rba rbnz rbi pboc snb riksbank banxico opec powell lagarde bailey ueda macklem trump bessent".split(
    " ",
  ),
);
/** Words of an authority and its speaker at most: "Bank of Japan's Ueda", "US Fed's Waller". */
const longestSpeaker = 4;

/** "Fed's Waller: would back a cut": what an authority says is told of it, so its colon parts no clause. The same list elsewhere. */
export function asSaid(words: readonly Word[]): readonly Word[] {
  const at = words.slice(0, longestSpeaker + 1).findIndex(({ gap }, index) => index > 0 && gap === 2);
  if (at < 0 || !words.slice(0, at).some(({ word }) => authorities.has(word))) return words;
  return words.map((word, index) => (index === at ? { ...word, gap: 0 } : word));
}
