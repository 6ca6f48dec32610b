import { comparisonCues } from "./comparison.ts";
import {
  badNouns,
  badWords,
  clauseBreaks,
  concessions,
  goodNouns,
  goodWords,
  hedges,
  negations,
  strongDown,
  strongUp,
  weakDown,
  weakUp,
} from "./lexicon.ts";
import { anyPhrase, phraseRules } from "./phrases.ts";
import type { Token } from "./text.ts";
import { sentences, tokenize } from "./text.ts";

/** A piece of text that speaks for or against, with its place in title + newline + body. */
export interface Cue {
  readonly start: number;
  readonly end: number;
  /** Signed; 1 is a hint, 3 a strong statement. Already weighed for negation, hedging and place. */
  readonly weight: number;
  readonly label: string;
  readonly hedged: boolean;
  /** Index of the sentence it stands in, for attribution to companies. */
  readonly sentence: number;
  /** The sentence's own span. */
  readonly sentenceStart: number;
  readonly sentenceEnd: number;
}

/** A cue before its sentence is known: offsets and unweighed strength. */
export interface RawCue {
  readonly start: number;
  readonly end: number;
  readonly weight: number;
  readonly label: string;
  /** Where its verb stands when that is not the start: a negation stands before the verb. */
  readonly anchor?: number;
}

/** Body read by flash: the lead tells; what follows repeats it or is boilerplate. */
const bodyRead = 2000;
const titleRead = 1000;
const mostSentences = 12;

const clauseEnd = /[;:.!?]|\s[-–—]\s/;

/** Index of the first token past the clause, and of its first token, around `at`; a comma does not end a clause. */
function clauseAround(text: string, tokens: readonly Token[], at: number, reach: number): [number, number] {
  let from = at;
  while (from > 0 && at - from < reach) {
    const previous = tokens[from - 1];
    const current = tokens[from];
    if (previous === undefined || current === undefined) break;
    if (clauseBreaks.has(current.word) || clauseEnd.test(text.slice(previous.end, current.start))) break;
    from -= 1;
  }
  let to = at + 1;
  while (to < tokens.length && to - at <= reach) {
    const previous = tokens[to - 1];
    const current = tokens[to];
    if (previous === undefined || current === undefined) break;
    if (clauseBreaks.has(current.word) || clauseEnd.test(text.slice(previous.end, current.start))) break;
    to += 1;
  }
  return [from, to];
}

/** -1, 0, +1 with the strength of the move. */
function moveOf(word: string): number {
  if (strongUp.has(word)) return 2;
  if (weakUp.has(word)) return 1.4;
  if (strongDown.has(word)) return -2;
  if (weakDown.has(word)) return -1.4;
  return 0;
}

interface Polar {
  readonly sign: number;
  readonly index: number;
}

/** The thing that moved: nearest noun before the verb (its subject), else the nearest after it (its object). */
function movedNoun(tokens: readonly Token[], at: number, from: number, to: number): Polar | null {
  for (let index = at - 1; index >= from; index -= 1) {
    const word = tokens[index]?.word ?? "";
    if (badNouns.has(word)) return { sign: -1, index };
    if (goodNouns.has(word)) return { sign: 1, index };
  }
  for (let index = at + 1; index < Math.min(to, at + 5); index += 1) {
    const word = tokens[index]?.word ?? "";
    if (/^(?:to|by|from|at|in|after)$/.test(word)) return null;
    if (badNouns.has(word)) return { sign: -1, index };
    if (goodNouns.has(word)) return { sign: 1, index };
  }
  return null;
}

/** "up"/"down" beside a bare verb of motion is the same move; nouns like "increase in costs" count as verbs here. */
function moveCue(text: string, tokens: readonly Token[], at: number): RawCue | null {
  const token = tokens[at];
  if (token === undefined) return null;
  const move = moveOf(token.word);
  if (move === 0) return null;
  const [from, to] = clauseAround(text, tokens, at, 8);
  const noun = movedNoun(tokens, at, from, to);
  const other = noun === null ? undefined : tokens[noun.index];
  const start = Math.min(token.start, other?.start ?? token.start);
  const end = Math.max(token.end, other?.end ?? token.end);
  const sign = noun?.sign ?? 1;
  const strength = noun === null ? 0.75 : 1;
  const quoted = text.slice(start, end);
  const label = `${move > 0 ? "Up" : "Down"}: ${quoted}`;
  return {
    start,
    end,
    anchor: token.start,
    weight: move * sign * strength,
    label: label.length > 90 ? "Direction" : label,
  };
}

function wordCue(token: Token): RawCue | null {
  const good = goodWords.get(token.word);
  const bad = badWords.get(token.word);
  if (good === undefined && bad === undefined) return null;
  const weight = good ?? -(bad ?? 0);
  const label = weight > 0 ? "Favourable wording" : "Unfavourable wording";
  return { start: token.start, end: token.end, weight: 0.9 * weight, label };
}

function phraseCues(text: string, offset: number): { cues: RawCue[]; taken: [number, number][] } {
  const lower = text.toLowerCase();
  // Some capitals change length in lower case; offsets must stay true, so such text is read as it is.
  const read = lower.length === text.length ? lower : text;
  const cues: RawCue[] = [];
  const taken: [number, number][] = [];
  if (!anyPhrase.test(read)) return { cues, taken };
  for (const { pattern, weight, label, whole } of phraseRules) {
    for (const match of read.matchAll(pattern)) {
      const start = offset + match.index;
      const end = start + match[0].length;
      if (taken.some(([from, to]) => start < to && from < end)) continue;
      taken.push([start, end]);
      if (weight !== 0) cues.push({ start, end, weight, label });
      if (!whole) taken.pop();
    }
  }
  return { cues, taken };
}

/** Factor for what stands before a cue: a negation turns it, most of its force lost; a hedge takes some of it. */
function modified(tokens: readonly Token[], cue: RawCue): { factor: number; hedged: boolean } {
  const anchor = cue.anchor ?? cue.start;
  const at = tokens.findIndex(({ end }) => end > anchor);
  const before = tokens.slice(Math.max(0, at - 3), Math.max(0, at)).map(({ word }) => word);
  const all = tokens.filter(({ end }) => end <= cue.start).map(({ word }) => word);
  const negated = before.some((word) => negations.has(word));
  const hedged = all.slice(-6).some((word) => hedges.has(word));
  const conceded = all.some((word) => concessions.has(word));
  return { factor: (negated ? -0.7 : 1) * (hedged ? 0.75 : 1) * (conceded ? 0.3 : 1), hedged };
}

function sentenceCues(text: string, start: number, end: number): RawCue[] {
  const tokens = tokenize(text, start, end);
  const { cues, taken } = phraseCues(text.slice(start, end), start);
  const free = (cue: RawCue): boolean => !taken.some(([from, to]) => cue.start < to && from < cue.end);
  const used = new Set<number>();
  tokens.forEach((token, at) => {
    const move = moveCue(text, tokens, at);
    if (move !== null && free({ ...move, start: token.start, end: token.end })) {
      if (!used.has(move.start)) cues.push(move);
      used.add(move.start);
      return;
    }
    const word = wordCue(token);
    if (word !== null && free(word)) cues.push(word);
  });
  return [...cues, ...comparisonCues(text, tokens).filter(free)];
}

/** Weight of a sentence by its place: the headline counts whole, the body less and less. */
const placeWeight = (order: number, inTitle: boolean): number =>
  inTitle ? 1 : Math.max(0.08, 0.4 - 0.06 * order);

/** Every cue of the title and the first 2,000 characters of the body, in order of place. */
export function readCues(title: string, body: string): readonly Cue[] {
  const text = `${title}\n${body.slice(0, bodyRead)}`;
  const spans = [
    ...sentences(text, 0, Math.min(title.length, titleRead)).map((span) => ({ ...span, inTitle: true })),
    ...sentences(text, title.length + 1).map((span) => ({ ...span, inTitle: false })),
  ].slice(0, mostSentences);
  const titles = spans.filter(({ inTitle }) => inTitle).length;
  return spans.flatMap((span, index) => {
    const tokens = tokenize(text, span.start, span.end);
    const place = placeWeight(index - titles, span.inTitle);
    return sentenceCues(text, span.start, span.end)
      .map((cue) => {
        const { factor, hedged } = modified(tokens, cue);
        const weight = cue.weight * factor * place;
        return { ...cue, weight, hedged, sentence: index, sentenceStart: span.start, sentenceEnd: span.end };
      })
      .toSorted((a, b) => a.start - b.start);
  });
}
