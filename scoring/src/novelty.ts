import type { SubScores } from "@tapewire/contract/feeds.ts";
import { actionableFrom } from "./actionable-threshold.ts";

/** What the feed has carried before about the matter of a text. */
export interface Recall {
  /** Age of the story that the text repeats, ms; null: no item of the last 48 hours told it. */
  readonly repeatsMs: number | null;
  /** Items about its symbols in the last 48 hours, a few of each source. */
  readonly onSymbols: number;
}

/** After this time a repeat is half as new as a new story. */
const decayMs = 48 * 3_600_000;
const newest = 100;
const repeated = 10;
const mostForgotten = 40;
/** Each earlier item on its company makes an item a little less new. */
const perItemOnSymbol = 2;
const mostOnSymbol = 30;

/**
 * How new the text is to the feed, 0..100: 100 for a new story about a company without other items; a repeat begins at 10
 * and rises with its age to 50 after 48 hours.
 */
export function noveltyOf({ repeatsMs, onSymbols }: Recall): number {
  if (repeatsMs !== null)
    return Math.round(repeated + mostForgotten * Math.min(1, Math.max(0, repeatsMs) / decayMs));
  return newest - Math.min(mostOnSymbol, perItemOnSymbol * Math.max(0, onSymbols));
}

interface Judged {
  readonly actionability: { readonly actionable: boolean; readonly score: number; readonly comment: string };
  readonly subScores: SubScores;
}

/**
 * The verdict with the feed's memory applied: a repeated story moves no price twice, so its score falls with its novelty. A
 * new story keeps its score. A report of a price move is never new.
 */
export function withNovelty<V extends Judged>(verdict: V, recall: Recall): V {
  const { actionability, subScores } = verdict;
  const fresh = noveltyOf(recall);
  const isEcho = subScores.actionability.novelty < 50;
  const novelty = isEcho ? Math.min(fresh, subScores.actionability.novelty) : fresh;
  const scores = { ...subScores, actionability: { ...subScores.actionability, novelty } };
  if (recall.repeatsMs === null) return { ...verdict, subScores: scores };
  const score = Math.round((actionability.score * fresh) / newest);
  return {
    ...verdict,
    subScores: scores,
    actionability: {
      score,
      actionable: actionability.actionable && score >= actionableFrom,
      comment: `Repeats a story told ${agoOf(recall.repeatsMs)}; ${actionability.comment}`,
    },
  };
}

function agoOf(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / 60_000));
  return minutes < 120 ? `${minutes} min ago` : `${Math.round(minutes / 60)} h ago`;
}
