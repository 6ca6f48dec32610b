/** A piece of text that speaks for or against, with its place in title + newline + body. */
export interface Cue {
  readonly start: number;
  readonly end: number;
  /** Signed; 1 is a hint, 3 a strong statement. Already weighed for negation, hedging and place. */
  readonly weight: number;
  readonly label: string;
  /** What the trained heads call it: its rule, or the direction and the kind of thing that moved. */
  readonly feature: string;
  readonly hedged: boolean;
  readonly negated: boolean;
  /** Index of the sentence it stands in, for attribution to companies. */
  readonly sentence: number;
  /** The sentence's own span. */
  readonly sentenceStart: number;
  readonly sentenceEnd: number;
  /** 1 in the headline, less and less in the body. */
  readonly place: number;
}

/** A cue before its sentence is known: offsets and unweighed strength. */
export interface RawCue {
  readonly start: number;
  readonly end: number;
  readonly weight: number;
  readonly label: string;
  readonly feature: string;
  /** Index of its verb: a negation stands before the verb. */
  readonly at: number;
  /** Index of its first word. */
  readonly first: number;
}
