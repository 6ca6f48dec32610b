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

/** Vietnamese words have one syllable each, so their marks identify them, not their trigrams. */
const shapes: readonly Shape[] = Object.entries(vocabulary)
  .filter(([language]) => language !== "vi")
  .map(shapeOf);

/** Mean logarithm per trigram by which a language must beat English; others this close to the best count too. */
const margin = 0.55;
const near = 0.15;
const nearEnglish = 0.01;
const mostLetters = 24;

function likeness({ gains, cost }: Shape, trigrams: readonly string[]): number {
  let sum = 0;
  for (const trigram of trigrams) sum += gains.get(trigram) ?? 0;
  return sum / trigrams.length - cost;
}

/**
 * Likely languages of an unknown word.
 * @param word in lower case, not empty
 * @returns at most three that fit far better than English; `en` when that fits best; else none
 */
export function likelyLanguages(word: string): readonly string[] {
  const trigrams = trigramsOf(word.slice(0, mostLetters));
  const scored = shapes.map((shape) => ({ language: shape.language, score: likeness(shape, trigrams) }));
  const english = scored.find(({ language }) => language === "en")?.score ?? 0;
  const best = Math.max(...scored.map(({ score }) => score));
  if (best - english < margin) return english >= best - nearEnglish ? ["en"] : [];
  const close = scored.filter(({ score }) => score >= best - near);
  return close.length > 3 ? [] : close.map(({ language }) => language);
}
