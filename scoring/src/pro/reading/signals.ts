import type { Token } from "../../text.ts";
import type { Signal } from "../types.ts";
import * as words from "./lexicon.ts";
import type { Sentence } from "./sentence.ts";

/** A statement with the tokens it was read from. */
export interface Finding extends Omit<Signal, "owner" | "sentence"> {
  /** Token that carries it: the name nearest before it owns the statement. */
  readonly token: number;
}

/** First token of each token's clause. */
function clauseStarts(text: string, { tokens, start }: Sentence): readonly number[] {
  let clause = 0;
  return tokens.map((token, at) => {
    const gap = text.slice(tokens[at - 1]?.end ?? start, token.start);
    if (/[;:]|\. /.test(gap) || (gap.includes(",") && opens(tokens, at)) || splitting.test(token.word))
      clause = at;
    return clause;
  });
}

const splitting = /^(?:while|whereas|but|although|though|however|despite|after|because)$/;
/** Whether a comma begins a clause: before a conjunction, or before a verb's subject. */
const opens = (tokens: readonly Token[], at: number): boolean =>
  /^(?:and|but|while|as|which|with|partly|driven|offset|reflecting|yet)$/.test(tokens[at]?.word ?? "");

interface Clauses {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly starts: readonly number[];
}

function within(c: Clauses, from: number, to: number, set: ReadonlySet<string>): boolean {
  for (let at = Math.max(0, from); at < to; at += 1) if (set.has(c.tokens[at]?.word ?? "")) return true;
  return false;
}

/** Negation up to four words before, in the same clause. */
const isNegated = (c: Clauses, at: number): boolean =>
  within(c, Math.max(c.starts[at] ?? 0, at - 4), at, words.negations);

/** The word that negates: a quotation without it says the opposite. */
function negationBefore(c: Clauses, at: number): number {
  const first = Math.max(c.starts[at] ?? 0, at - 4, 0);
  for (let before = at - 1; before >= first; before -= 1)
    if (words.negations.has(c.tokens[before]?.word ?? "")) return before;
  return at;
}

const isHedged = (c: Clauses, at: number): boolean =>
  within(c, Math.max(c.starts[at] ?? 0, at - 12), at, words.hedges);

function finding(
  c: Clauses,
  first: number,
  last: number,
  token: number,
  of: Omit<words.Phrase, "words">,
): Finding {
  const hedged = isHedged(c, first);
  const weight = hedged ? of.weight * 0.35 : of.weight;
  return {
    start: c.tokens[first]?.start ?? 0,
    end: c.tokens[last]?.end ?? 0,
    weight,
    label: of.label,
    lasting: of.lasting,
    hedged,
    alarm: of.alarm && !hedged,
    token,
  };
}

/** The weight of an alarm that is denied or over. */
function phraseFinding(c: Clauses, at: number, phrase: words.Phrase): Finding | null {
  const last = at + phrase.words.length - 1;
  const found = finding(c, at, last, at, phrase);
  const isOver =
    within(c, at - 6, at, words.relief) ||
    within(c, last + 1, Math.min(c.tokens.length, last + 7), words.relief);
  if (phrase.alarm && (isOver || isNegated(c, at)))
    return isOver ? { ...found, weight: 0.8, alarm: false, label: `${phrase.label}: over` } : null;
  if (phrase.alarm || !isNegated(c, at)) return found;
  const start = c.tokens[negationBefore(c, at)]?.start ?? found.start;
  return { ...found, start, weight: -0.4 * found.weight, label: `No ${phrase.label.toLowerCase()}` };
}

function phraseAt(c: Clauses, at: number): words.Phrase | null {
  const candidates = words.phrasesByFirst.get(c.tokens[at]?.word ?? "");
  return (
    candidates?.find((phrase) => phrase.words.every((word, index) => matches(c.tokens[at + index], word))) ??
    null
  );
}

/** Hyphenated words are two tokens; the lexicon writes them as one. */
const matches = (token: Token | undefined, word: string): boolean => token?.word === word;

/** "raised its full-year guidance": the verb up to eight words before what is promised, or "guidance was raised". */
function promiseAt(c: Clauses, at: number): Finding | null {
  const promise = words.promises.get(c.tokens[at]?.word ?? "");
  if (promise === undefined) return null;
  const from = Math.max(c.starts[at] ?? 0, at - 8);
  for (const verb of [...nearest(at, from, -1), ...nearest(at, Math.min(c.tokens.length - 1, at + 4), 1)]) {
    const word = c.tokens[verb]?.word ?? "";
    const sign = words.raising.has(word) ? 1 : words.cutting.has(word) ? -1 : 0;
    if (sign === 0) continue;
    if (verb > at && !/^(?:was|were|is|are|been|being)$/.test(c.tokens[verb - 1]?.word ?? "")) continue;
    const weight = sign * promise[1] * (isNegated(c, verb) ? -0.3 : 1);
    return finding(c, Math.min(verb, at), Math.max(verb, at), verb, {
      weight,
      label: `${promise[0]} ${sign > 0 ? "raised" : "cut"}`,
      lasting: true,
      alarm: false,
    });
  }
  return null;
}

function* nearest(at: number, to: number, step: 1 | -1): Generator<number> {
  for (let index = at + step; step > 0 ? index <= to : index >= to; index += step) yield index;
}

/** "exceeded analysts' estimates". */
function surpriseAt(c: Clauses, at: number): Finding | null {
  const word = c.tokens[at]?.word ?? "";
  const sign = words.beats.has(word) ? 1 : words.misses.has(word) ? -1 : 0;
  if (sign === 0) return null;
  for (let index = at + 1; index < Math.min(c.tokens.length, at + 7); index += 1)
    if (words.expectations.has(c.tokens[index]?.word ?? "")) {
      const weight = 2 * sign * (isNegated(c, at) ? -0.8 : 1);
      const label = weight > 0 ? "Above expectations" : "Below expectations";
      return finding(c, at, index, at, { weight, label, lasting: true, alarm: false });
    }
  return null;
}

interface Noun {
  readonly at: number;
  readonly sign: 1 | -1;
  readonly price: boolean;
}

function nounAt(c: Clauses, at: number): Noun | null {
  const word = c.tokens[at]?.word ?? "";
  if (words.goodNouns.has(word)) {
    const isCost = c.tokens[at - 1]?.word === "of" && /^costs?$/.test(c.tokens[at - 2]?.word ?? "");
    return { at, sign: isCost ? -1 : 1, price: false };
  }
  if (words.badNouns.has(word)) return { at, sign: -1, price: false };
  return words.priceNouns.has(word) ? { at, sign: 1, price: true } : null;
}

/** The noun that moved: before the word in the clause, else after it, else the one of the clause before. */
function nounFor(c: Clauses, at: number, carried: Noun | null): Noun | null {
  for (let index = at - 1; index >= Math.max(c.starts[at] ?? 0, at - 9); index -= 1) {
    const word = c.tokens[index]?.word ?? "";
    if (words.rising.has(word) || words.dropping.has(word)) break;
    const noun = nounAt(c, index);
    if (noun !== null) return noun;
  }
  for (let index = at + 1; index < Math.min(c.tokens.length, at + 5); index += 1) {
    if (c.starts[index] !== c.starts[at]) break;
    const noun = nounAt(c, index);
    if (noun !== null) return noun;
  }
  return carried;
}

function motionAt(c: Clauses, at: number, carried: Noun | null): { finding: Finding; noun: Noun } | null {
  const word = c.tokens[at]?.word ?? "";
  const sign = words.rising.has(word) ? 1 : words.dropping.has(word) ? -1 : 0;
  // "Up to $22.50 a share" is a bound, not a rise.
  const isBound = word === "up" && c.tokens[at + 1]?.word === "to" && nounAt(c, at - 1) === null;
  // "growth rates" are measures, not growth.
  if (sign === 0 || isBound || /^rates?$/.test(c.tokens[at + 1]?.word ?? "")) return null;
  const noun = nounFor(c, at, carried);
  if (noun === null) return null;
  const force = within(c, at - 2, at + 3, words.strong)
    ? 1.3
    : within(c, at - 2, at + 3, words.faint)
      ? 0.5
      : 1;
  const base = noun.price ? 0.5 : 0.9;
  const weight = sign * noun.sign * base * force * sizeBehind(c, at) * (isNegated(c, at) ? -0.5 : 1);
  const label = `${noun.price ? "Price" : "Figure"} ${sign > 0 ? "up" : "down"}`;
  const found = finding(c, Math.min(noun.at, at), Math.max(noun.at, at), at, {
    weight,
    label,
    lasting: !noun.price,
    alarm: false,
  });
  return { finding: found, noun };
}

/** "rose 40%" is stronger than "rose 1%". */
function sizeBehind(c: Clauses, at: number): number {
  for (let index = at + 1; index < Math.min(c.tokens.length, at + 5); index += 1) {
    const token = c.tokens[index];
    if (token === undefined || !/^\d/.test(token.word)) continue;
    if (c.text.charAt(token.end) !== "%" && c.tokens[index + 1]?.word !== "percent") return 1;
    const size = Number(token.word);
    return size >= 20 ? 1.4 : size < 2 ? 0.5 : 1;
  }
  return 1;
}

/** Statements of a sentence for or against, in order; each word has at most one. */
export function findingsOf(text: string, sentence: Sentence): readonly Finding[] {
  const c: Clauses = { text, tokens: sentence.tokens, starts: clauseStarts(text, sentence) };
  const found: Finding[] = [];
  let carried: Noun | null = null;
  let taken = -1;
  for (let at = 0; at < c.tokens.length; at += 1) {
    if (at <= taken) continue;
    const phrase = phraseAt(c, at);
    if (phrase !== null) {
      const read = phraseFinding(c, at, phrase);
      if (read !== null) found.push(read);
      taken = at + phrase.words.length - 1;
      continue;
    }
    const plain = promiseAt(c, at) ?? surpriseAt(c, at);
    if (plain !== null) {
      found.push(plain);
      continue;
    }
    const motion = motionAt(c, at, carried);
    if (motion === null) continue;
    found.push(motion.finding);
    carried = motion.noun;
  }
  return withoutDoubles(found);
}

/** Of two overlapping statements the stronger stays: "raised guidance" is not also a rise of a figure. */
function withoutDoubles(found: readonly Finding[]): readonly Finding[] {
  const byForce = found.toSorted((a, b) => Math.abs(b.weight) - Math.abs(a.weight) || a.start - b.start);
  const kept: Finding[] = [];
  for (const one of byForce)
    if (kept.length < 12 && !kept.some(({ start, end }) => one.start < end && start < one.end))
      kept.push(one);
  return kept.toSorted((a, b) => a.start - b.start);
}
