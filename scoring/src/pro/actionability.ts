import type { Evidence } from "@tapewire/contract/feeds.ts";
import { actionableFrom } from "../actionable-threshold.ts";
import { quote } from "../quote.ts";
import type { Artifact, Verdict } from "../types.ts";
import { percent, type WeighedSignal } from "./balance.ts";
import { figure, metricName } from "./fact-signals.ts";
import type { Reading } from "./reading/reading.ts";
import type { WholeSentiment } from "./sentiment.ts";
import type { NumberFact } from "./types.ts";
import { evidenceOf } from "./wording.ts";

/** One reason why the whole text is more, or less, likely to move the price than flash says. */
export interface Reason {
  readonly name: string;
  /** Points of the score. */
  readonly points: number;
  readonly evidence: readonly Evidence[];
}

export interface ReasonedActionability {
  readonly actionability: Verdict["actionability"];
  /** With flash's score they add up to this one. */
  readonly reasons: readonly Reason[];
}

/** The form of a filing says little about its content; a headline says most of an article's. */
const mostGain = { filing: 42, news: 15, research: 15, ugc: 6 } as const;
/** Flash gives at most this novelty to a report of a past move, on which nothing is left to act. */
const echoNovelty = 25;

/** Sum from which a body counts as clear; when the headline says nothing, less is enough. */
const clear = 2.2;
const bareClear = 1.6;

const reason = (name: string, points: number, ...evidence: readonly Evidence[]): Reason => ({
  name,
  points,
  evidence,
});

function factReasons(facts: readonly NumberFact[]): readonly Reason[] {
  const found: Reason[] = [];
  const surprise = facts.find(
    ({ outcome, metric }) =>
      (outcome === "beat" || outcome === "miss") && (metric === "eps" || metric === "revenue"),
  );
  if (surprise !== undefined)
    found.push(
      reason(
        `${metricName(surprise)} ${surprise.outcome === "beat" ? "above" : "below"} expectations`,
        12,
        surprise.evidence,
      ),
    );
  const guided = facts.find(
    ({ kind, previous, value }) => kind === "guidance" && previous !== null && previous !== value,
  );
  if (guided !== undefined) found.push(reason("Guidance changed", 12, guided.evidence));
  const deal = facts.find(({ metric }) => metric === "deal_value");
  if (deal !== undefined)
    found.push(reason(`Deal price stated: ${figure(deal.value, deal)}`, 6, deal.evidence));
  const change = facts.find(
    ({ changePct, metric }) =>
      Math.abs(changePct ?? 0) >= 20 && (metric === "eps" || metric === "revenue" || metric === "net_income"),
  );
  if (change !== undefined)
    found.push(reason(`${metricName(change)} changed by a fifth or more`, 5, change.evidence));
  return found;
}

/** A headline that names no event: only the body says what happened. */
const isBare = ({ filing, title }: Artifact, base: Verdict): boolean =>
  filing === null && !base.events.some(({ evidence }) => evidence !== null && evidence.start < title.length);

/** The title of a 6-K, or a bare headline, does not reveal the results in the text. */
function resultsReason(artifact: Artifact, base: Verdict, facts: readonly NumberFact[]): readonly Reason[] {
  const isForeign = artifact.filing?.form.startsWith("6-K") === true;
  if (!isForeign && !isBare(artifact, base)) return [];
  const stated = facts.find(
    ({ kind, yearAgo, changePct }) => kind === "reported" && (yearAgo !== null || changePct !== null),
  );
  return stated === undefined ? [] : [reason("Results stated", isForeign ? 20 : 10, stated.evidence)];
}

function alarmReason(text: string, signals: readonly WeighedSignal[]): readonly Reason[] {
  const [worst] = signals
    .filter(({ signal }) => signal.alarm && signal.sentence > 0)
    .toSorted((a, b) => a.signal.weight - b.signal.weight || a.signal.start - b.signal.start);
  if (worst === undefined) return [];
  return [
    reason(
      worst.signal.label,
      Math.min(40, Math.round(9 * Math.abs(worst.signal.weight))),
      evidenceOf(text, worst.signal),
    ),
  ];
}

/** @param signals about the item's subject */
export function judgeActionability(
  artifact: Artifact,
  reading: Reading,
  base: Verdict,
  whole: WholeSentiment,
  signals: readonly WeighedSignal[],
): ReasonedActionability {
  const isEcho = base.subScores.actionability.novelty <= echoNovelty;
  const facts = reading.facts.map(({ fact }) => fact);
  const gains = isEcho
    ? []
    : [...factReasons(facts), ...resultsReason(artifact, base, facts), ...alarmReason(reading.text, signals)];
  const [strongest] = whole.body.evidence;
  if (
    !isEcho &&
    strongest !== undefined &&
    Math.abs(whole.body.sum) >= (isBare(artifact, base) ? bareClear : clear)
  )
    gains.push(
      reason(
        `Body clearly ${whole.body.sum > 0 ? "positive" : "negative"}`,
        isBare(artifact, base) ? 12 : 5,
        evidenceOf(reading.text, strongest.signal),
      ),
    );
  const losses =
    whole.contradiction === null
      ? []
      : [
          reason(
            "Headline and body contradict each other",
            -6,
            whole.contradiction.headline,
            whole.contradiction.body,
          ),
        ];
  const most = mostGain[artifact.type];
  const above = sumOfPoints(gains) - most;
  const capped = above > 0 ? [reason(`All that the body says adds ${most} at most`, -above)] : [];
  const unbounded = base.actionability.score + sumOfPoints([...gains, ...capped, ...losses]);
  const score = percent(unbounded);
  const ends = score === unbounded ? [] : [reason("A score ends at 0 and at 100", score - unbounded)];
  const isOver = score >= actionableFrom;
  const { actionable } = base.actionability;
  const changed = score > base.actionability.score ? actionable || isOver : actionable && isOver;
  const outcome = score === base.actionability.score ? actionable : changed;
  const comment = commentOf(
    reading.text,
    withOutcome(base.actionability.comment, outcome),
    [...gains, ...losses],
    base.events,
  );
  return {
    actionability: {
      ...base.actionability,
      score,
      actionable: outcome,
      comment,
    },
    reasons: [...gains, ...capped, ...losses, ...ends],
  };
}

const sumOfPoints = (reasons: readonly Reason[]): number =>
  reasons.reduce((sum, { points }) => sum + points, 0);

/** What flash says of the headline must not gainsay the verdict that the text gives. */
const withOutcome = (comment: string, actionable: boolean): string =>
  comment.replace(
    /: (?:likely to move|seldom moves) the price$/,
    actionable ? ": likely to move the price" : ": seldom moves the price",
  );

/**
 * What the text adds, where it is not what the headline, or the event that the comment names, tells already.
 * @param events of the text
 */
function commentOf(
  text: string,
  base: string,
  reasons: readonly Reason[],
  events: Verdict["events"],
): string {
  const title = text.indexOf("\n");
  const isToldAlready = ({ start, end }: Evidence): boolean =>
    start < title ||
    events.some(({ evidence }) => evidence !== null && evidence.start < end && start < evidence.end);
  const [top] = reasons
    .filter(({ evidence }) => evidence[0] !== undefined && !isToldAlready(evidence[0]))
    .toSorted((a, b) => Math.abs(b.points) - Math.abs(a.points));
  const [proof] = top?.evidence ?? [];
  if (top === undefined || proof === undefined) return base;
  return `${base}; in the text: ${top.name.charAt(0).toLowerCase()}${top.name.slice(1)}, ${quote(text, proof)}`;
}
