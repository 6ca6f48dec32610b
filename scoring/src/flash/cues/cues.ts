import { type Span, sentences } from "../../text.ts";
import { eventsOf, type FoundEvent, type ReadSentence } from "../events/events.ts";
import type { PhraseMatch } from "../words/phrase-index.ts";
import { hasTwoFigures, scan, type Word } from "../words/scan.ts";
import { comparisonCues } from "./comparison.ts";
import { isStatistic, moveCue, signedPercentCue } from "./moves.ts";
import type { PhraseRule } from "./phrase-rules.ts";
import { phraseRules } from "./phrases.ts";
import { thenAndNowCue } from "./then-and-now.ts";
import type { Cue, RawCue } from "./types.ts";

/** How much of the body flash reads: the lead has the news; the rest repeats it or is boilerplate. */
export const bodyRead = 2000;
export const titleRead = 1000;
const mostSentences = 12;
/** Sentences of the body that are searched for events: what happened stands in the lead, details and history follow. */
const leadSentences = 5;

const ratings = new Set(["underweight", "underperform", "overweight", "outperform"]);
const weights = new Set(["underweight", "overweight"]);
/** Words of analysts and of those who hold shares. */
const ofRatings = new Set(
  (
    "rating ratings rated rate rates upgrade upgrades upgraded downgrade downgrades downgraded analyst analysts broker brokerage coverage " +
    "initiates initiated starts started resumes reiterates reiterated maintains maintained stock stocks share shares equity equities " +
    "bond bonds portfolio investors target pt sector securities cuts cut raises raised lifts lowers moves goes turns stays"
  ).split(" "),
);

/**
 * A word of ratings that is none, or says nothing for or against: the old rating in "upgraded to hold from underweight", and weights
 * of people and goods in "recalls underweight packs".
 */
function isNoRating(words: readonly Word[], at: number): boolean {
  const word = words[at]?.word ?? "";
  if (!ratings.has(word)) return false;
  return (
    words[at - 1]?.word === "from" || (weights.has(word) && !words.some((other) => ofRatings.has(other.word)))
  );
}

function wordCue(words: readonly Word[], word: Word, at: number): RawCue | null {
  const tone = word.info?.tone ?? 0;
  if (tone === 0 || isNoRating(words, at)) return null;
  const label = tone > 0 ? "Favourable wording" : "Unfavourable wording";
  const feature = tone > 0 ? "tone:good" : "tone:bad";
  return { start: word.start, end: word.end, weight: 0.9 * tone, label, feature, at, first: at };
}

/** Where two matches overlap, the earlier rule keeps the words, and the later one stays only if the earlier is not `whole`. */
function withoutOverlaps(matches: PhraseMatch<PhraseRule>[]): readonly PhraseMatch<PhraseRule>[] {
  if (matches.length < 2) return matches;
  const kept: PhraseMatch<PhraseRule>[] = [];
  for (const match of matches.sort((a, b) => a.order - b.order || a.from - b.from || b.to - a.to)) {
    const clash = kept.some(
      ({ from, to, order, value }) =>
        match.from < to && from < match.to && (value.whole || order === match.order),
    );
    if (!clash) kept.push(match);
  }
  return kept;
}

interface Phrased {
  readonly cues: RawCue[];
  /** 1 for every word inside a phrase that counts as a whole. */
  readonly taken: Uint8Array;
}

function phraseCues(words: readonly Word[]): Phrased {
  const taken = new Uint8Array(words.length);
  const cues: RawCue[] = [];
  for (const { value, from, to } of withoutOverlaps(phraseRules.matches(words))) {
    const start = words[from]?.start ?? 0;
    const end = words[to - 1]?.end ?? start;
    const { weight, label, whole } = value;
    cues.push({ start, end, weight, label, feature: label, at: from, first: from });
    if (whole) taken.fill(1, from, to);
  }
  return { cues, taken };
}

/** Factor for the words before a cue: a negation reverses and weakens it; a hedge weakens it. */
function modified(
  words: readonly Word[],
  cue: RawCue,
): { factor: number; hedged: boolean; negated: boolean } {
  let negated = false;
  let hedged = false;
  let conceded = false;
  for (let index = cue.at - 1; index >= 0; index -= 1) {
    if ((words[index + 1]?.gap ?? 0) >= 2) break;
    const info = words[index]?.info;
    if (info === undefined) continue;
    if (info.negation && cue.at - index <= 3 && index < cue.at) negated = true;
    if (info.hedge && cue.first - index <= 6) hedged = true;
    if (info.concession) conceded = true;
  }
  return {
    factor: (negated ? (cue.weight < 0 ? -0.3 : -0.7) : 1) * (hedged ? 0.75 : 1) * (conceded ? 0.3 : 1),
    hedged,
    negated,
  };
}

/** In "300 lifts" the word is a thing, not a motion. */
const isCounted = (words: readonly Word[], at: number): boolean =>
  words[at - 1]?.digits === true && words[at - 1]?.percent === false && (words[at]?.gap ?? 0) === 0;

function sentenceCues(text: string, words: readonly Word[]): RawCue[] {
  const { cues, taken } = phraseCues(words);
  const used = new Set<number>();
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined || taken[at] === 1) continue;
    if (word.digits) {
      const signed = signedPercentCue(text, word, at);
      if (signed !== null && !isStatistic(words)) cues.push(signed);
      continue;
    }
    const { info } = word;
    if (info === undefined) continue;
    const cue =
      (info.move === 0 ? null : moveCue(text, words, at)) ??
      (isCounted(words, at) ? null : wordCue(words, word, at));
    if (cue === null || used.has(cue.start)) continue;
    used.add(cue.start);
    cues.push(cue);
  }
  return hasTwoFigures(words) ? withComparisons(words, cues) : cues;
}

const overlaps = (a: RawCue, b: RawCue): boolean => a.start < b.end && b.start < a.end;

/** Drops cues that repeat a comparison ("turned to a profit of 3 from a loss of 2"), and rises too small to count. */
function withComparisons(words: readonly Word[], cues: readonly RawCue[]): RawCue[] {
  const compared = comparisonCues(words);
  const later = compared.length === 0 ? thenAndNowCue(words) : null;
  const all = (later === null ? compared : [later]).filter(
    (cue) => !cues.some((other) => other.label.startsWith("Turned") && overlaps(cue, other)),
  );
  const level = all.filter(({ feature }) => feature === "level");
  return [
    ...cues.filter((cue) => !cue.feature.includes(":") || !level.some((other) => overlaps(cue, other))),
    ...all,
  ];
}

/** Weight of a sentence by its position: full for the headline, less and less in the body. */
const placeWeight = (order: number, inTitle: boolean): number =>
  inTitle ? 1 : Math.max(0.08, 0.4 - 0.06 * order);

/** Words, cues and events of the text that flash reads; each word is scanned once. */
export interface ReadText {
  readonly cues: readonly Cue[];
  readonly sentences: readonly ReadSentence[];
  /** Words of the title, in order. */
  readonly titleWords: readonly Word[];
  /** The one that names the item first; empty when none is known. */
  readonly events: readonly FoundEvent[];
  /** Spans of the names of linked companies, whose words are no cues. */
  readonly names: readonly Span[];
}

function sentencesOf(text: string, titleEnd: number): readonly ReadSentence[] {
  const inTitle = sentences(text, 0, Math.min(titleEnd, titleRead), mostSentences);
  const inBody = sentences(text, titleEnd + 1, text.length, mostSentences - inTitle.length);
  return [...inTitle, ...inBody].map(({ start, end }, index) => ({
    words: scan(text, start, end),
    start,
    end,
    inTitle: index < inTitle.length,
  }));
}

function cuesOf(text: string, { words, start, end }: ReadSentence, sentence: number, place: number): Cue[] {
  const raw = sentenceCues(text, words);
  if (raw.length > 1) raw.sort((a, b) => a.start - b.start);
  return raw.map((cue) => {
    const { factor, hedged, negated } = modified(words, cue);
    return {
      start: cue.start,
      end: cue.end,
      weight: cue.weight * factor * place,
      label: cue.label,
      feature: cue.feature,
      hedged,
      negated,
      sentence,
      sentenceStart: start,
      sentenceEnd: end,
      place,
    };
  });
}

/** @param worth market value of the smallest company concerned, in dollars; 0: not known */
export function readText(title: string, body: string, worth = 0): ReadText {
  const text = `${title}\n${body.slice(0, bodyRead)}`;
  const read = sentencesOf(text, title.length);
  const titles = read.filter(({ inTitle }) => inTitle).length;
  return {
    cues: read.flatMap((sentence, index) =>
      cuesOf(text, sentence, index, placeWeight(index - titles, sentence.inTitle)),
    ),
    sentences: read,
    titleWords: read.slice(0, titles).flatMap(({ words }) => words),
    events: eventsOf(read.slice(0, titles + leadSentences), worth),
    names: [],
  };
}
