import type { FeedItem } from "@tapewire/contract/feeds.ts";
import type { NewItem } from "../feed/item.ts";
import type { StorySketch } from "../feed/story.ts";
import type { StoryShelf } from "./stories.ts";
import { type Takeover, takeover } from "./takeover.ts";
import type { CurrentVersion } from "./versions.ts";

/** What is to become of a stored item. */
export type Change =
  | { readonly kind: "revise" | "take over"; readonly newItem: NewItem }
  | { readonly kind: "retract"; readonly at: string };

const mostRevisions = 100;

/** The version that follows a stored one. */
export interface NextVersion extends Takeover {
  /** null: its story is what it was. */
  readonly sketch: StorySketch | null;
}

/** @returns null: nothing follows */
export function nextVersion(before: CurrentVersion, change: Change, stories: StoryShelf): NextVersion | null {
  if (change.kind === "retract") return retraction(before, change.at);
  const { kind, newItem } = change;
  if (kind === "revise") return revision(before, newItem, stories);
  const taken = takeover(before, newItem);
  if (taken === null) return null;
  const { id } = before.item;
  return { ...taken, sketch: sketchOf({ id, story_id: id }, newItem, stories) };
}

/**
 * What the source says now, under the item's identity and place in the list. Another text is scored again, by itself,
 * and is a copy of a story only while it tells that. null: nothing changed that we keep, or the item was withdrawn and
 * stays so.
 */
function revision(before: CurrentVersion, newItem: NewItem, stories: StoryShelf): NextVersion | null {
  const { seq: _, ...old } = before.item;
  const { item, contentKey, completes } = newItem;
  // A source that now gives the headline only has not taken its text back.
  const body = newItem.body === "" && !completes ? before.body : newItem.body;
  const withdraws = item.status === "retracted";
  if (old.source !== item.source || old.status === "retracted") return null;
  const sameText = old.title === item.title && old.link === item.link && before.body === body;
  const hasParties = sameParties(old.filing, item.filing);
  if (sameText && hasParties && !withdraws) return null;
  // A page that counts its own readers says something new at every poll.
  if (old.revision >= mostRevisions && !completes && !withdraws) return null;
  const judged = !hasParties || old.title !== item.title || before.body !== body;
  const sketch = judged ? sketchOf(old, newItem, stories) : null;
  return {
    item: {
      ...item,
      id: old.id,
      unique_id: old.unique_id,
      published_at: old.published_at,
      source_time: old.source_time ?? item.source_time,
      scraped_at: old.scraped_at,
      updated_at: item.scraped_at,
      status: withdraws ? "retracted" : "revised",
      revision: old.revision + 1,
      story_id: sketch?.storyId ?? old.story_id,
      scoring: judged ? item.scoring : old.scoring,
    },
    detail: judged ? JSON.stringify(newItem.detail) : before.detail,
    body,
    contentKey,
    rescored: judged ? newItem : null,
    sketch,
  };
}

function sketchOf(
  { id, story_id }: Pick<FeedItem, "id" | "story_id">,
  { story: facts, recalled, item }: NewItem,
  stories: StoryShelf,
): StorySketch | null {
  return facts === null ? null : stories.revise(id, story_id, { facts, recalled }, item.scraped_at);
}

/** Whether a filing names the same ones: its symbols, and so its score, follow from them. */
function sameParties(before: FeedItem["filing"], after: FeedItem["filing"]): boolean {
  return JSON.stringify(before?.parties) === JSON.stringify(after?.parties);
}

/** The item as it stands, marked as withdrawn. null when it is already. */
function retraction(before: CurrentVersion, at: string): NextVersion | null {
  const { seq: _, ...old } = before.item;
  if (old.status === "retracted") return null;
  return {
    item: { ...old, status: "retracted", revision: old.revision + 1, updated_at: at },
    detail: before.detail,
    body: before.body,
    contentKey: null,
    rescored: null,
    sketch: null,
  };
}
