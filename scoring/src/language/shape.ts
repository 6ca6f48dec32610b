import { vocabulary } from "./vocabulary.ts";

/** Trigrams of the listed words, each framed by `_`: the typical letter sequences of a language. */
interface Shape {
  readonly language: string;
  /** By trigram, the logarithm of how much likelier it is than a trigram of no listed word. */
  readonly gains: ReadonlyMap<string, number>;
  /** Logarithm of the divisor for a trigram of no listed word. */
  readonly cost: number;
}

function trigramsOf(word: string): readonly string[] {
  const padded = `_${word}_`;
  return Array.from({ length: padded.length - 2 }, (_, at) => padded.slice(at, at + 3));
}

/** Additive smoothing over the few thousand trigrams that occur at all. */
const smoothing = 0.3;
const possible = 4000;

function shapeOf([language, list]: readonly [string, string]): Shape {
  const counts = new Map<string, number>();
  let total = 0;
  for (const word of list.split(/\s+/))
    for (const trigram of trigramsOf(word)) {
      counts.set(trigram, (counts.get(trigram) ?? 0) + 1);
      total += 1;
    }
  const gains = [...counts].map(
    ([trigram, count]) => [trigram, Math.log((count + smoothing) / smoothing)] as const,
  );
  const cost = Math.log((total + smoothing * possible) / smoothing);
  return { language, gains: new Map(gains), cost };
}

/** Mean logarithm per trigram by which a language must beat English; others this close to the best count too. */
const margin = 0.55;
const near = 0.15;
const nearEnglish = 0.01;
const mostLetters = 24;

/** What is compared with the trigrams of a word. */
interface Table {
  readonly languages: readonly string[];
  readonly costs: Float64Array;
  /** By trigram where its gains stand in `gains`: one look for all languages. */
  readonly places: ReadonlyMap<string, number>;
  /** One row for each trigram: its gain in each language, in the order of `languages`. */
  readonly gains: Float64Array;
}

function tableOf(shapes: readonly Shape[]): Table {
  const places = new Map<string, number>();
  for (const { gains } of shapes)
    for (const trigram of gains.keys())
      if (!places.has(trigram)) places.set(trigram, places.size * shapes.length);
  const gains = new Float64Array(places.size * shapes.length);
  for (const [index, shape] of shapes.entries())
    for (const [trigram, gain] of shape.gains) gains[(places.get(trigram) ?? 0) + index] = gain;
  const languages = shapes.map(({ language }) => language);
  return { languages, costs: Float64Array.from(shapes, ({ cost }) => cost), places, gains };
}

/** Vietnamese words have one syllable each, so their marks identify them, not their trigrams. */
const { languages, costs, places, gains } = tableOf(
  Object.entries(vocabulary)
    .filter(([language]) => language !== "vi")
    .map(shapeOf),
);
const english = languages.indexOf("en");

/** How well the trigrams fit each language, in the order of `shapes`. */
function likenesses(trigrams: readonly string[]): Float64Array {
  const sums = new Float64Array(costs.length);
  for (const trigram of trigrams) {
    const place = places.get(trigram);
    if (place === undefined) continue;
    for (let index = 0; index < sums.length; index += 1)
      sums[index] = (sums[index] ?? 0) + (gains[place + index] ?? 0);
  }
  return sums.map((sum, index) => sum / trigrams.length - (costs[index] ?? 0));
}

/**
 * Likely languages of an unknown word.
 * @param word in lower case, not empty
 * @returns at most three that fit far better than English; `en` when that fits best; else none
 */
export function likelyLanguages(word: string): readonly string[] {
  const scores = likenesses(trigramsOf(word.slice(0, mostLetters)));
  const own = scores[english] ?? 0;
  const best = scores.reduce((most, score) => Math.max(most, score), Number.NEGATIVE_INFINITY);
  if (best - own < margin) return own >= best - nearEnglish ? ["en"] : [];
  const close = languages.filter((_, index) => (scores[index] ?? 0) >= best - near);
  return close.length > 3 ? [] : close;
}
