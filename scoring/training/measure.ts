import {
  type Bin,
  type ClassMeasures,
  calibrationBins,
  classMeasures,
  sentimentLabels,
} from "../eval/metrics.ts";
import { decide, type Heads, type Probabilities } from "../src/flash/heads/heads.ts";
import { assemble } from "./assemble.ts";
import type { Corpus, Example, Sets } from "./corpus.ts";
import { emptied, foldOf, withoutPart } from "./folds.ts";

export interface Measured {
  readonly name: string;
  readonly n: number;
  readonly measures: ClassMeasures;
  readonly bins: readonly Bin[];
}

interface Guess {
  readonly label: number;
  readonly probabilities: Probabilities;
}

function measured(name: string, guesses: readonly Guess[]): Measured {
  const rows = guesses.map(({ label, probabilities }) => {
    const confidence = Math.max(...probabilities);
    const guess = probabilities.indexOf(confidence);
    return {
      label: sentimentLabels[label] ?? "neutral",
      guess: sentimentLabels[guess] ?? "neutral",
      confidence,
    };
  });
  return {
    name,
    n: rows.length,
    measures: classMeasures(rows),
    bins: calibrationBins(
      rows.map(({ label, guess, confidence }) => ({ p: confidence, hit: label === guess })),
    ),
  };
}

const guess = (heads: Heads, examples: readonly Example[], isCompanyNews = false): readonly Guess[] =>
  examples.map(({ label, grams, features, ruleDirection }) => ({
    label,
    probabilities: decide(heads, grams, { features, direction: ruleDirection }, isCompanyNews),
  }));

const signOf = (direction: number): number => Math.sign(direction) + 1;

const rulesAlone = ({ name, examples }: Corpus): Measured =>
  measured(
    `${name}, rules alone`,
    examples.map(({ label, ruleDirection }) => {
      const sure = signOf(ruleDirection);
      return { label, probabilities: [sure === 0 ? 1 : 0, sure === 1 ? 1 : 0, sure === 2 ? 1 : 0] };
    }),
  );

/** Each set judged by heads that were not trained on it; for our own sentences, on none of our sets. */
export function leftOut(sets: Sets): readonly Measured[] {
  const { headlines, tweets, plain, prose, wire } = sets;
  const on = (rest: Sets, corpus: Corpus): Measured =>
    measured(`${corpus.name}, left out of training`, guess(assemble(rest), corpus.examples));
  return [
    ...[headlines, tweets, prose, wire].map(rulesAlone),
    on({ ...sets, headlines: emptied(headlines) }, headlines),
    on({ ...sets, tweets: emptied(tweets) }, tweets),
    on({ ...sets, prose: emptied(prose), plain: emptied(plain) }, prose),
    on({ ...sets, wire: emptied(wire) }, wire),
  ];
}

const folds = 5;

/** Each fifth of each set judged by heads trained on the other four. */
export function crossValidated(sets: Sets): readonly Measured[] {
  const corpora = [sets.headlines, sets.tweets, sets.prose, sets.wire];
  const guesses: Guess[][] = corpora.map(() => []);
  const linked: Guess[][] = corpora.map(() => []);
  for (let index = 0; index < folds; index += 1) {
    const heads = assemble(withoutPart(sets, index, folds));
    corpora.forEach(({ examples }, at) => {
      const { test } = foldOf(examples, index, folds);
      guesses[at]?.push(...guess(heads, test));
      linked[at]?.push(...guess(heads, test, true));
    });
  }
  return [
    ...corpora.map(({ name }, at) => measured(`${name}, cross-validated in five parts`, guesses[at] ?? [])),
    ...corpora.map(({ name }, at) => measured(`${name}, the same, read as company news`, linked[at] ?? [])),
  ];
}
