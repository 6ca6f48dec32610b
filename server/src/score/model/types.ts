/** The classes that a model of the operator's tells apart, in the order in which scores are kept here. */
export const classNames = ["negative", "neutral", "positive"] as const;
export type ClassName = (typeof classNames)[number];

/** A score for each class: what the model gives (logits), or probabilities. */
export type ClassScores = readonly [negative: number, neutral: number, positive: number];

/** A text for a thread of the model. */
export interface ModelTask {
  readonly title: string;
  readonly body: string;
}

/** What a thread of the model needs to get ready. */
export interface ModelFiles {
  readonly modelFile: string;
  readonly tokenizerFile: string;
  /** null: the tokenizer has no settings of its own. */
  readonly tokenizerConfigFile: string | null;
  /** Special tokens included. */
  readonly maxTokens: number;
  /** Position of each class among the model's outputs, in the order of classNames. */
  readonly positions: ClassScores;
}
