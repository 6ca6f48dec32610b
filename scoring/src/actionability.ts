import { eventOf, hasPercentFigure } from "./events.ts";
import { filingPrior } from "./filing-priors.ts";
import { percent, quote, type Reading } from "./sentiment.ts";
import type { Artifact, LinkedSymbol, Verdict } from "./types.ts";

/**
 * Score from which an item is called actionable. The score is built so that 50 is the average headline of a kind
 * that moves the price about as often as any (lift 1.0) and says something clear; 45 lets that one in once it also
 * names its subject, and keeps out products, ratings and notices, whose kinds move less than two thirds as often.
 */
export const actionableFrom = 45;

/** An echo has happened: whatever its lift, nothing is left to act on. */
const echoMost = 25;

type Actionability = Verdict["actionability"];

const doubtful =
  /\?\s*$|^(?:why|should|is|are|can|will|could|what|how|here's|here are|\d+ (?:reasons|stocks|things))\b/i;
const unnamed = 12;

function newsScore(artifact: Artifact, symbols: readonly LinkedSymbol[], reading: Reading): Actionability {
  const { name, lift, echo } = eventOf(artifact.title);
  const figure = hasPercentFigure.test(artifact.title.slice(0, 400)) ? 6 : 0;
  const tone = Math.min(18, Math.abs(reading.shortDirection) * 5) - (reading.shortDirection === 0 ? 5 : 0);
  const question = doubtful.test(artifact.title.slice(0, 400)) ? 20 : 0;
  const subject = symbols.length === 0 ? unnamed : symbols.length > 5 ? 6 : 0;
  const raw =
    8 + 27 * Math.min(lift, 2.2) + figure + tone - question - subject - (artifact.type === "ugc" ? 10 : 0);
  const score = percent(echo ? Math.min(echoMost, raw / 3) : raw);
  return {
    actionable: score >= actionableFrom,
    score,
    comment: newsComment(artifact, name, echo, question > 0, reading),
  };
}

function newsComment(
  artifact: Artifact,
  name: string,
  echo: boolean,
  question: boolean,
  reading: Reading,
): string {
  const first = reading.evidence[0];
  const text = `${artifact.title}\n${artifact.body}`;
  const proof = first === undefined ? "no wording for or against" : quote(first, text);
  if (echo) return `Reports a move that has already happened (${name}): ${proof}`;
  if (question) return `A question or list, not an event (${name}): ${proof}`;
  return name === "other"
    ? `No known kind of event in the headline; ${proof}`
    : `Kind of event: ${name}; ${proof}`;
}

function filingScore(artifact: Artifact, reading: Reading): Actionability {
  const { filing } = artifact;
  if (filing === null) return { actionable: false, score: 0, comment: "No filing facts" };
  const { prior, item } = filingPrior(filing, `${artifact.title} ${artifact.body.slice(0, 1000)}`);
  const score = percent(100 * prior.prior + (prior.prior >= 0.3 ? 3 * Math.abs(reading.shortDirection) : 0));
  const what = item === null ? filing.form : `${filing.form} item ${item}`;
  return { actionable: score >= actionableFrom, score, comment: `${what}: ${prior.meaning}` };
}

/** How likely the item moves the price, from its kind, its wording and, for filings, the form itself. */
export function judgeActionability(
  artifact: Artifact,
  symbols: readonly LinkedSymbol[],
  reading: Reading,
): Actionability {
  return artifact.filing === null ? newsScore(artifact, symbols, reading) : filingScore(artifact, reading);
}
