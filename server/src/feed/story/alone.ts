import type { FeedItem, ItemDetail } from "@tapewire/contract/feeds.ts";
import type { StorySketch } from "./known-stories.ts";

interface Judged {
  readonly scoring: FeedItem["scoring"];
  readonly detail: ItemDetail;
}

/** The scoring for an item that was judged as a repeat but is none; null: its scoring stays as it is. */
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
