import type { Span } from "../../text.ts";
import type { Artifact, LinkedSymbol } from "../../types.ts";
import type { WeighedSignal } from "../balance.ts";
import { factSignals } from "../fact-signals.ts";
import type { Signal } from "../types.ts";
import { Attribution } from "./attribution.ts";
import { FactBook, type OwnedFact } from "./facts/fact-book.ts";
import type { Mention } from "./mentions.ts";
import { partsOf } from "./parts.ts";
import { relationSignals } from "./relations.ts";
import type { Sentence } from "./sentence.ts";
import { findingsOf } from "./signals.ts";

/** Everything read of a text, in order. */
export interface Reading {
  /** title + newline + body, as far as it is read. */
  readonly text: string;
  readonly sentences: readonly Sentence[];
  readonly signals: readonly WeighedSignal[];
  readonly facts: readonly OwnedFact[];
  /** For each symbol the first of the same company: two lines of one company count as one. */
  readonly company: readonly number[];
  readonly companies: number;
  /** How many sentences name each company. */
  readonly named: readonly number[];
  /** Where the companies are named, in order; the first of a long text. */
  readonly mentions: readonly NamedAt[];
  /** Those that the headline lists with another. */
  readonly listed: ReadonlySet<number>;
}

/** A company's name in the text. */
export interface NamedAt extends Span {
  /** As in Reading.company. */
  readonly company: number;
}

/** Signals read per text; facts have their own bound. */
const mostSignals = 5_000;
const mostMentions = 500;

/** Reports list risks that might come; only those that are present count. */
const isPresentRisk = (sentence: Sentence, signal: { readonly alarm: boolean }): boolean =>
  sentence.part === "risk factors" && signal.alarm;

function forceOf(sentence: Sentence, signal: Signal): number {
  const weight = isPresentRisk(sentence, signal) ? 0.7 : sentence.weight;
  return signal.weight * weight;
}

/** Reads a text once, sentence by sentence, in linear time. */
export function readText(artifact: Artifact, symbols: readonly LinkedSymbol[], text: string): Reading {
  const sentences = partsOf(artifact, text);
  const attribution = new Attribution(symbols, artifact.type === "filing");
  const company = symbols.map(({ name }) => symbols.findIndex((other) => other.name === name));
  const book = new FactBook();
  const signals: WeighedSignal[] = [];
  const named = symbols.map(() => 0);
  const mentions: NamedAt[] = [];
  const listed = new Set<number>();
  for (const sentence of sentences) {
    const owners = attribution.read(sentence);
    for (const owner of new Set(owners.mentions.map((mention) => mention.owner)))
      named[owner] = (named[owner] ?? 0) + 1;
    if (mentions.length < mostMentions) mentions.push(...namedIn(sentence, owners.mentions, company));
    if (sentence.index === 0) for (const owner of owners.inList) listed.add(owner);
    const stretches = book.read(text, sentence, owners);
    if (signals.length >= mostSignals || isRow(text, sentence)) continue;
    const add = (signal: Signal) => signals.push({ signal, force: forceOf(sentence, signal) });
    for (const { token, ...found } of findingsOf(text, sentence)) {
      if (stretches.some(({ start, end }) => found.start < end && start < found.end && !found.alarm))
        continue;
      for (const owner of owners.together(token)) add({ ...found, owner, sentence: sentence.index });
    }
    for (const signal of relationSignals(sentence, owners.mentions)) add(signal);
  }
  const facts = book.facts(text, symbols);
  for (const { fact, owner, sentence: index } of facts) {
    const sentence = sentences[index];
    if (sentence === undefined) continue;
    for (const signal of factSignals(fact, owner, index))
      signals.push({ signal, force: forceOf(sentence, signal) });
  }
  return {
    text,
    sentences,
    signals,
    facts,
    company,
    companies: new Set(company).size,
    named,
    mentions,
    listed,
  };
}

function namedIn(
  { tokens }: Sentence,
  mentions: readonly Mention[],
  company: readonly number[],
): readonly NamedAt[] {
  return mentions.map(({ owner, first, after }) => {
    const start = tokens[first]?.start ?? 0;
    return { company: company[owner] ?? owner, start, end: tokens[after - 1]?.end ?? start };
  });
}

/** Rows of tables have figures but no sentences. */
const isRow = (text: string, { start, end }: Sentence): boolean => text.slice(start, end).includes("\t");
