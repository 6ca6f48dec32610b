import {
  type Bin,
  type ClassMeasures,
  calibrationBins,
  classMeasures,
  sentimentLabels,
} from "../eval/metrics.ts";
import { decide, type Heads, type Probabilities } from "../src/heads.ts";
import { assemble, foldOf, type Sets } from "./assemble.ts";
import type { Corpus, Example } from "./corpus.ts";

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

const emptied = (corpus: Corpus): Corpus => ({ ...corpus, examples: [] });
const signOf = (direction: number): number => Math.sign(direction) + 1;

const rulesAlone = ({ name, examples }: Corpus): Measured =>
  measured(
    `${name}, rules alone, untrained`,
    examples.map(({ label, ruleDirection }) => {
      const sure = signOf(ruleDirection);
      return { label, probabilities: [sure === 0 ? 1 : 0, sure === 1 ? 1 : 0, sure === 2 ? 1 : 0] };
    }),
  );

/** Each set judged by heads that never saw a text of its kind. */
export function leftOut({ headlines, tweets }: Omit<Sets, "prose">, prose: Corpus): readonly Measured[] {
  const on = (sets: Sets, corpus: Corpus): Measured =>
    measured(`${corpus.name}, left out of training`, guess(assemble(sets), corpus.examples));
  return [
    ...[headlines, tweets, prose].map(rulesAlone),
    on({ headlines: emptied(headlines), tweets, prose }, headlines),
    on({ headlines, tweets: emptied(tweets), prose }, tweets),
    on({ headlines, tweets, prose: emptied(prose) }, prose),
  ];
}

const folds = 5;

/** Each fifth of each set judged by heads trained on the other four. */
export function crossValidated(
  { headlines, tweets }: Omit<Sets, "prose">,
  prose: Corpus,
): readonly Measured[] {
  const guesses: Guess[][] = [[], [], []];
  const linked: Guess[][] = [[], [], []];
  for (let index = 0; index < folds; index += 1) {
    const parts = [
      foldOf(headlines.examples, index, folds),
      foldOf(tweets.examples, index, folds),
      // Both spacings of a line must fall into one part.
      foldOf(prose.examples, index, folds, 2),
    ];
    const [first, second, third] = parts.map(({ train }) => train);
    const heads = assemble({
      headlines: { ...headlines, examples: first ?? [] },
      tweets: { ...tweets, examples: second ?? [] },
      prose: { ...prose, examples: third ?? [] },
    });
    parts.forEach(({ test }, at) => {
      guesses[at]?.push(...guess(heads, test));
      linked[at]?.push(...guess(heads, test, true));
    });
  }
  const corpora = [headlines, tweets, prose];
  return [
    ...corpora.map(({ name }, at) => measured(`${name}, cross-validated in five parts`, guesses[at] ?? [])),
    ...corpora.map(({ name }, at) => measured(`${name}, the same, read as company news`, linked[at] ?? [])),
  ];
}
