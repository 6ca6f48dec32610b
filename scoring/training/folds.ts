import type { Corpus, Example, Sets } from "./corpus.ts";

export interface Fold {
  readonly train: readonly Example[];
  readonly test: readonly Example[];
}

/**
 * Takes every `folds`-th example for testing, since the order of the sets has no meaning.
 * @param together consecutive examples that stay in one part
 */
export function foldOf(examples: readonly Example[], index: number, folds: number, together = 1): Fold {
  const partOf = (at: number): number => Math.floor(at / together) % folds;
  return {
    train: examples.filter((_, at) => partOf(at) !== index),
    test: examples.filter((_, at) => partOf(at) === index),
  };
}

export const emptied = (corpus: Corpus): Corpus => ({ ...corpus, examples: [] });

/** The sets without their `index`-th part, for training. */
export function withoutPart(sets: Sets, index: number, folds: number): Sets {
  const less = (corpus: Corpus, together = 1): Corpus => ({
    ...corpus,
    examples: foldOf(corpus.examples, index, folds, together).train,
  });
  return {
    headlines: less(sets.headlines),
    tweets: less(sets.tweets),
    // Both spacings of a line fall into one part.
    plain: less(sets.plain, 2),
    prose: less(sets.prose),
    wire: less(sets.wire),
  };
}

/** Shares of the classes; a missing class counts as half a text. */
export function classShares(examples: readonly Example[]): readonly [number, number, number] {
  const share = (label: number): number =>
    (examples.filter((example) => example.label === label).length + 0.5) / (examples.length + 1.5);
  return [share(0), share(1), share(2)];
}

/**
 * Weights that make sets count alike whatever their size; a small set gets at most ten times its own weight.
 * @param byClass within a set, classes count alike too
 */
export function balance(
  corpora: readonly Corpus[],
  byClass: boolean,
): { readonly examples: readonly Example[]; readonly weights: readonly number[] } {
  const largest = Math.max(...corpora.map(({ examples }) => examples.length));
  return {
    examples: corpora.flatMap(({ examples }) => examples),
    weights: corpora.flatMap(({ examples }) => {
      const shares = classShares(examples);
      const size = Math.min(10, largest / Math.max(1, examples.length));
      return examples.map(({ label }) => (byClass ? size / (3 * (shares[label] ?? 1)) : size));
    }),
  };
}
