import type { FeedItem } from "@tapewire/contract/feeds.ts";
import type { NewItem } from "../feed/item.ts";
import type { IdentityRules } from "./append-request.ts";
import type { KnownItem } from "./item-keys.ts";
import type { CurrentVersion } from "./versions.ts";

/** The version that follows a stored one, but for its story, which is its own. */
export interface Takeover {
  readonly item: Omit<FeedItem, "seq">;
  readonly detail: string;
  readonly body: string;
  readonly contentKey: string | null;
  readonly rescored: NewItem | null;
}

/** Whether the source may have the item that another, or a push, brought. What was removed does not come back. */
export function isTakenOver(rules: IdentityRules, owner: KnownItem, form: string, sourceId: string): boolean {
  return owner.stored && rules.takesOver(sourceId, form, owner.sourceId);
}

/**
 * What the source that speaks for the item says of it, all of it its own; the item keeps its id and its place in the
 * list. null: that is what stands there, or the operator has withdrawn what he pushed.
 */
export function takeover(
  before: CurrentVersion,
  { item, detail, body, contentKey, ...rest }: NewItem,
): Takeover | null {
  const { seq: _, ...old } = before.item;
  const withdraws = item.status === "retracted";
  const isSame =
    old.title === item.title &&
    old.link === item.link &&
    old.source === item.source &&
    old.provider_id === item.provider_id &&
    before.body === body &&
    (old.status === "retracted") === withdraws;
  if (isSame || (old.status === "retracted" && before.sourceId === null)) return null;
  return {
    item: {
      ...item,
      id: old.id,
      unique_id: old.unique_id,
      published_at: old.published_at,
      scraped_at: old.scraped_at,
      updated_at: item.scraped_at,
      status: withdraws ? "retracted" : "revised",
      revision: old.revision + 1,
      story_id: old.id,
    },
    detail: JSON.stringify(detail),
    body,
    contentKey,
    rescored: { ...rest, item, detail, body, contentKey },
  };
}
