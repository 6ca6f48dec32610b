import { flash } from "../flash/flash.ts";
import { withForm } from "../form-from-text.ts";
import type { Artifact, LinkedSymbol, Verdict } from "../types.ts";
import { judgeActionability } from "./actionability.ts";
import { percent, type WeighedSignal } from "./balance.ts";
import { detailOf } from "./detail.ts";
import { extract } from "./extract.ts";
import { analysesOf } from "./per-symbol.ts";
import { type Reading, readText } from "./reading/reading.ts";
import { judgeSentiment, type WholeSentiment } from "./sentiment.ts";
import type { ProVerdict } from "./types.ts";

/** Changes with every change of a rule, so that old stored verdicts can be recognised. */
export const proVersion = "0.2.1";

/** Characters of the body that are read: the most that POST /v1/score takes. */
const mostRead = 200_000;

/** Bodies up to this length are summarised by their first sentences. */
const shortBody = 2_000;

/** Share of the lead, which flash has counted as well. */
const leadShare = 0.6;

/** Statements about the item's subject: its primary company, or an unknown owner. */
function ofSubject({ signals, sentences, companies }: Reading): readonly WeighedSignal[] {
  const own =
    companies <= 1 ? signals : signals.filter(({ signal }) => signal.owner === null || signal.owner === 0);
  return own.map(({ signal, force }) => {
    const isLead = sentences[signal.sentence]?.part === "lead";
    return { signal, force: isLead ? leadShare * force : force };
  });
}

function subScoresOf(
  base: Verdict,
  whole: WholeSentiment,
  score: number,
  facts: number,
): Verdict["subScores"] {
  const { actionability } = base.subScores;
  const size = percent(Math.abs(whole.sum) * 20);
  const certainty = percent(
    whole.body.total === 0 ? (base.subScores.sentiment?.certainty ?? 0) : whole.conviction,
  );
  const agreement =
    whole.body.total === 0 ? (base.subScores.sentiment?.agreement ?? 0) : percent(100 * whole.body.agreement);
  const clearer = (facts > 0 ? 8 : 0) - (whole.contradiction === null ? 0 : 20);
  return {
    ...base.subScores,
    actionability: {
      ...actionability,
      materiality: Math.max(actionability.materiality, percent(0.7 * score + 0.3 * size)),
      clarity: percent(actionability.clarity + clearer),
    },
    sentiment: { intensity: size, agreement, certainty },
  };
}

/**
 * The judgement of a whole text: flash's verdict on title and lead, refined by every sentence of the body, with each
 * symbol's own direction and the figures of results. Pure and deterministic; time grows with the length, of which at most
 * 200,000 characters of the body are read.
 * @param symbols from linkSymbols, the primary one first; the verdict has one analysis for each, in their order
 * @param flashVerdict flash's verdict on the same artifact and symbols, if available
 */
export function pro(
  artifact: Artifact,
  symbols: readonly LinkedSymbol[],
  flashVerdict?: Verdict,
): ProVerdict {
  const whole = withForm({ ...artifact, body: artifact.body.slice(0, mostRead) });
  const base = flashVerdict ?? flash(whole, symbols);
  const text = `${whole.title}\n${whole.body}`;
  const reading = readText(whole, symbols, text);
  const headline = flash({ ...whole, body: "", filing: null }, symbols).sentiment.shortDirection;
  const subject = ofSubject(reading);
  const sentiment = judgeSentiment(reading, base.sentiment, headline, subject);
  const reasoned = judgeActionability(whole, reading, base, sentiment, subject);
  const summary = whole.body.length > shortBody ? (extract(reading) ?? base.summary) : base.summary;
  return {
    ...base,
    model: "pro",
    modelVersion: proVersion,
    actionability: reasoned.actionability,
    sentiment: {
      ...base.sentiment,
      shortDirection: sentiment.short,
      longDirection: sentiment.long,
      conviction: sentiment.conviction,
      comment: sentiment.comment,
    },
    subScores: subScoresOf(base, sentiment, reasoned.actionability.score, reading.facts.length),
    symbols: analysesOf(reading, symbols, base, sentiment),
    summary,
    facts: reading.facts.map(({ fact }) => fact),
    contradiction: sentiment.contradiction,
    detailedAnalysis: detailOf(reading, base, sentiment, reasoned),
  };
}
