import { ApiError } from "@tapewire/contract/errors/errors.ts";
import { type ItemScores, type ItemText, mostItemScores } from "@tapewire/contract/feed-reads/texts.ts";
import type { Db } from "../../../store/engine/db.ts";
import type { History } from "../../../store/log/history.ts";
import { type StoredText, scoresOf, storedText } from "../../../store/log/item-texts.ts";
import type { Handlers } from "../../contract-routes.ts";

export interface ItemTextDeps {
  readonly db: Db;
  /** Texts may come from a replica. */
  readonly history: Pick<History, "read">;
  /** Whether the licence of the item's source allows showing its text. */
  readonly showsText: (stored: StoredText) => boolean;
}

/** GET /v1/feeds/{id}/text: exactly the text in which offsets of evidence count. The operator sees every text. */
export function readFeedText({ history, showsText }: ItemTextDeps): Handlers["readFeedText"] {
  return async ({ params: { id }, caller }) => {
    const stored = await textOf(history, id);
    if (caller.scope !== "operator" && !showsText(stored)) throw new ApiError("text_withheld");
    const { item, body: text } = stored;
    const body: ItemText = {
      title: item.title ?? "",
      body: text,
      base: "utf16",
      language: item.language,
      seq: item.seq,
    };
    return { body };
  };
}

/** GET /v1/feeds/{id}/scores. */
export function listFeedScores({ db }: ItemTextDeps): Handlers["listFeedScores"] {
  return async ({ params: { id }, caller }) => {
    if (!caller.plan.scores_visible)
      throw new ApiError("plan_required", { detail: "The plan of this key does not show scores" });
    const found = await scoresOf(db.main, id, mostItemScores);
    if (found === null) throw noItem();
    const data = found.map(
      ({ model, modelVersion, scoredAt, scoring, subScores }): ItemScores["data"][number] => ({
        model,
        model_version: modelVersion,
        scored_at: scoredAt.toISOString(),
        scoring,
        sub_scores: subScores,
      }),
    );
    return { body: { data } };
  };
}

/** @throws {ApiError} not_found */
export async function textOf(history: Pick<History, "read">, id: string): Promise<StoredText> {
  const stored = await history.read("main", (from) => storedText(from, id));
  if (stored === null) throw noItem();
  return stored;
}

function noItem(): ApiError {
  return new ApiError("not_found", { detail: "There is no item with this id" });
}
