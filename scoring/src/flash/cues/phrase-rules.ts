/** A phrase with a meaning of its own: what happened, its effect on the price, its label. */
export interface PhraseRule {
  readonly label: string;
  /** -5..+5 for the company it is about; 0 if the phrase only prevents another reading of its words. */
  readonly weight: number;
  /** The phrase counts as a whole: verbs and nouns inside it are not read again. */
  readonly whole: boolean;
}

/** A rule with its phrases. */
export type Entry = readonly [PhraseRule, string];
export const rule = (weight: number, label: string, phrases: string, whole = true): Entry => [
  { label, weight, whole },
  phrases,
];
