/**
 * What the encoder and the rules say, joined in log odds. The weights make the labels of authors likeliest of whom neither has
 * learnt anything (scoring/training/encoder/join.py).
 */
import joint from "../../../model/encoder/joint.json" with { type: "json" };
import { type PlainFact, scoreOf } from "../../flash/flash.ts";
import { percent } from "../balance.ts";
import type { Said, SignScores } from "./encoder.ts";

interface Weights {
  readonly encoder: number;
  readonly rules: number;
  /** Of what the headline tells as a plain fact, for its sign; in a subordinate clause it is aside. */
  readonly told: number;
  readonly aside: number;
  readonly negative: number;
  readonly positive: number;
}

/** A direction with the probability that its sign is right. */
export interface Direction {
  /** -5..+5. */
  readonly short: number;
  /** 0..100. */
  readonly conviction: number;
}

/** The joint judgement of a text, or of one company in it. */
export interface JointDirection extends Direction {
  readonly long: number;
  /** Probability that there is no direction, 0..100. */
  readonly ifNone: number;
}

function softmax(scores: readonly number[]): readonly number[] {
  const most = Math.max(...scores);
  const weights = scores.map((score) => Math.exp(score - most));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

/** Probability that scores of negative, neutral and positive give a sign. */
export const shareOf = (scores: SignScores, sign: number): number => softmax(scores)[sign + 1] ?? 0;

/** What a direction with its conviction says of negative, neutral and positive, as logarithms; join.py has the same. */
function ofRules({ short, conviction }: Direction): readonly number[] {
  const sure = Math.min(0.95, Math.max(0.34, conviction / 100));
  return [-1, 0, 1].map((sign) => Math.log(sign === Math.sign(short) ? sure : (1 - sure) / 2));
}

/** Where both say the same way, the middle of their sizes; else the encoder's, which seldom is as sure of a large one. */
function sizeOf(sign: number, rules: number, encoder: number): number {
  const own = Math.max(0, sign * encoder);
  const size = Math.sign(rules) === sign ? (Math.abs(rules) + own) / 2 : own;
  return Math.max(1, Math.min(5, Math.round(size)));
}

function longOf(
  sign: number,
  size: number,
  long: number,
  rules: Direction & { readonly long: number },
): number {
  if (sign === 0) return 0;
  if (Math.sign(rules.short) === sign) return rules.long;
  return Math.max(-size - 1, Math.min(size + 1, Math.round(long))) || 0;
}

/** What the rules say: a direction, and the fact that the headline tells. */
export interface Ruled extends Direction {
  readonly long: number;
  readonly fact: PlainFact;
  /** An event was found that has a direction. */
  readonly hasEvent: boolean;
}

/**
 * Where no event was found and the rules do not share its sign, the encoder is alone with it: below this conviction no direction at all
 * is right more often, and less than plainly such news is small (docs/adr/0101).
 */
const leastAlone = 50;
const plainlyAlone = 70;
const mostAlone = 2;

const isAlone = (sign: number, { short, hasEvent }: Ruled): boolean =>
  sign !== 0 && !hasEvent && Math.sign(short) !== sign;

function joined(weights: Weights, said: Said, rules: Ruled): JointDirection {
  const encoder = softmax(said.sign);
  const byRules = ofRules(rules);
  const { sign: told, aside } = rules.fact;
  const ofFact = aside ? weights.aside : weights.told;
  const bias = [weights.negative + (told < 0 ? ofFact : 0), 0, weights.positive + (told > 0 ? ofFact : 0)];
  const probabilities = softmax(
    encoder.map(
      (p, at) => weights.encoder * Math.log(p) + weights.rules * (byRules[at] ?? 0) + (bias[at] ?? 0),
    ),
  );
  const top = probabilities.indexOf(Math.max(...probabilities));
  const conviction = percent(100 * (probabilities[top] ?? 0));
  const sign = top - 1;
  const size = sizeOf(sign, rules.short, said.short);
  const isOwn = isAlone(sign, rules);
  const short = !isOwn ? size : Math.min(size, conviction < plainlyAlone ? 1 : mostAlone);
  const long = longOf(sign, short, said.long, rules);
  return {
    short: sign === 0 ? 0 : sign * short,
    long: isOwn ? Math.max(-short, Math.min(short, long)) : long,
    conviction,
    ifNone: percent(100 * (probabilities[1] ?? 0)),
  };
}

/** Of companies beside others the encoder is right more often than 0 however little sure it is: it keeps its sign there. */
export function joinedWhole(said: Said, rules: Ruled): JointDirection {
  const found = joined(joint.whole, said, rules);
  return isAlone(Math.sign(found.short), rules) && found.conviction < leastAlone
    ? { ...found, short: 0, long: 0, conviction: found.ifNone }
    : found;
}

export const joinedCompany = (said: Said, rules: Ruled): JointDirection => joined(joint.company, said, rules);

/** @param score of the rules, 0..100 @returns the joint score */
export function joinedAction(said: Said, score: number): number {
  const { bias, encoder, rules, threshold } = joint.action;
  const share = Math.min(0.99, Math.max(0.01, score / 100));
  const odds = bias + encoder * said.action + rules * Math.log(share / (1 - share));
  return scoreOf(1 / (1 + Math.exp(-odds)), threshold);
}

/** The encoder's probability of each group of events, "none" among them. */
export function groupShares({ groups }: Said): ReadonlyMap<string, number> {
  const shares = softmax([...groups.values()]);
  return new Map([...groups.keys()].map((name, at) => [name, shares[at] ?? 0]));
}
