/** A piece of text that speaks for or against, with its position in title + newline + body. */
export interface Cue {
  readonly start: number;
  readonly end: number;
  /** Signed; 1 is a hint, 3 a strong statement. Already adjusted for negation, hedging and position. */
  readonly weight: number;
  readonly label: string;
  /** Its name in the trained heads: its rule, or the direction and kind of what moved. */
  readonly feature: string;
  readonly hedged: boolean;
  readonly negated: boolean;
  /** Index of its sentence, for attribution to companies. */
  readonly sentence: number;
  /** The sentence's own span. */
  readonly sentenceStart: number;
  readonly sentenceEnd: number;
  /** 1 in the headline, less and less in the body. */
  readonly place: number;
}

/** A cue before its sentence is known: offsets and unadjusted strength. */
export interface RawCue {
  readonly start: number;
  readonly end: number;
  readonly weight: number;
  readonly label: string;
  readonly feature: string;
  /** Index of its verb: a negation precedes the verb. */
  readonly at: number;
  /** Index of its first word. */
  readonly first: number;
}
