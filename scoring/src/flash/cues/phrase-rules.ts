/** A phrase that decides by itself: what happened, how it bears on the price, what to call it. */
export interface PhraseRule {
  readonly label: string;
  /** -5..+5 for the one it happens to; 0 where the words only must not be read otherwise. */
  readonly weight: number;
  /** The phrase says all there is to its words: verbs and nouns inside are not read again. */
  readonly whole: boolean;
}

/** A rule with its phrases. */
export type Entry = readonly [PhraseRule, string];
export const rule = (weight: number, label: string, phrases: string, whole = true): Entry => [
  { label, weight, whole },
  phrases,
];
