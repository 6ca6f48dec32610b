import type { SubScores } from "@tapewire/contract/feeds.ts";
import type { Artifact, LinkedSymbol } from "../types.ts";
import type { FoundEvent } from "./events/events.ts";
import type { Sentiment } from "./heads/judge.ts";
import { percent } from "./sentiment.ts";

const credibilityOf = { filing: 95, news: 70, research: 65, ugc: 30 } as const;
const hasPercentFigure = /\d(?:[\d.,]{0,8})\s?(?:%|per ?cent|pct|pc\b)/i;
const urgent =
  /\b(?:breaking|halts?|halted|immediately|effective today|just in|alert|urgent|preannounces?)\b/i;

/**
 * The parts behind a score, each 0..100. Novelty is 50 here, because a single item does not show what the feed has carried
 * before; a caller that knows replaces it.
 */
export function subScores(
  artifact: Artifact,
  symbols: readonly LinkedSymbol[],
  score: number,
  sentiment: Sentiment,
  event: FoundEvent | null,
): SubScores {
  const echo = event?.kind.echo === true;
  const figure =
    hasPercentFigure.test(artifact.title.slice(0, 400)) || /[$€£¥]\s?\d/.test(artifact.title.slice(0, 400));
  const clarity = 25 + (symbols.length > 0 ? 25 : 0) + (figure ? 15 : 0) + 0.35 * sentiment.agreement;
  const urgency =
    (urgent.test(artifact.title.slice(0, 400)) ? 35 : 0) + (echo ? 10 : 10 + 40 * (event?.kind.move ?? 0));
  return {
    actionability: {
      novelty: echo ? 20 : 50,
      materiality: percent(0.7 * score + 0.3 * sentiment.intensity),
      clarity: percent(clarity),
      urgency: percent(urgency),
      credibility: credibilityOf[artifact.type],
      breadth: percent(symbols.length <= 1 ? 20 : 15 + 10 * symbols.length),
    },
    sentiment: {
      intensity: sentiment.intensity,
      agreement: sentiment.agreement,
      certainty: sentiment.certainty,
    },
  };
}
