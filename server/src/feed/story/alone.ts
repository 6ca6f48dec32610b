import type { FeedItem, ItemDetail } from "@tapewire/contract/feeds.ts";
import type { StorySketch } from "./memory.ts";

interface Judged {
  readonly scoring: FeedItem["scoring"];
  readonly detail: ItemDetail;
}

/** What is to be said of an item that was judged a repeat and is none; null: what was said of it holds. */
export function judgedAlone(
  { scoring, detail }: Judged,
  { recalled, alone = null }: StorySketch,
): Judged | null {
  if (recalled.repeatsMs !== null || alone === null) return null;
  const { actionable, score, comment, novelty } = alone;
  const { sub_scores } = detail;
  return {
    scoring: {
      ...scoring,
      actionability: actionable,
      actionability_score: score,
      actionability_comment: comment,
    },
    detail: {
      ...detail,
      sub_scores: sub_scores && { ...sub_scores, actionability: { ...sub_scores.actionability, novelty } },
    },
  };
}
