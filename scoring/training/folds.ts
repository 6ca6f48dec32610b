import type { Example, Line, Sets } from "./corpus.ts";

export interface Fold<T> {
  readonly train: readonly T[];
  readonly test: readonly T[];
}

/** Takes every `folds`-th example for testing, since the order of the sets has no meaning. */
export const foldOf = <T>(examples: readonly T[], index: number, folds: number): Fold<T> => ({
  train: examples.filter((_, at) => at % folds !== index),
  test: examples.filter((_, at) => at % folds === index),
});

export const authorsOf = (lines: readonly Line[]): readonly string[] => [
  ...new Set(lines.map(({ author }) => author)),
];

/** The sets without one author's lines. */
export const withoutAuthor = (sets: Sets, author: string): Sets => ({
  ...sets,
  lines: sets.lines.filter((line) => line.author !== author),
});

/** The public sets without their `index`-th part, for training. */
export const withoutPart = (sets: Sets, index: number, folds: number): Sets => ({
  ...sets,
  headlines: { ...sets.headlines, examples: foldOf(sets.headlines.examples, index, folds).train },
  tweets: { ...sets.tweets, examples: foldOf(sets.tweets.examples, index, folds).train },
});

/** Shares of the classes; a missing class counts as half a text. */
export function classShares(examples: readonly Example[]): readonly [number, number, number] {
  const share = (label: number): number =>
    (examples.filter((example) => example.label === label).length + 0.5) / (examples.length + 1.5);
  return [share(0), share(1), share(2)];
}
