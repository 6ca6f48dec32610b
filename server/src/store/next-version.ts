import type { FeedItem } from "@tapewire/contract/feeds.ts";
import type { NewItem } from "../feed/item.ts";
import type { StorySketch } from "../feed/story.ts";
import type { StoryShelf } from "./stories.ts";
import type { CurrentVersion } from "./versions.ts";

/** What is to become of a stored item. */
export type Change =
  | { readonly kind: "revise" | "take over"; readonly newItem: NewItem }
  | { readonly kind: "retract"; readonly at: string };

const mostRevisions = 100;

/** The version that follows a stored one. */
export interface NextVersion {
  readonly item: Unsequenced;
  readonly detail: string;
  readonly body: string;
  readonly contentKey: string | null;
  readonly rescored: NewItem | null;
  /** null: its story is what it was. */
  readonly sketch: StorySketch | null;
}

/** @returns null: nothing follows */
export function nextVersion(before: CurrentVersion, change: Change, stories: StoryShelf): NextVersion | null {
  if (change.kind === "retract") return retraction(before, change.at);
  const follow = change.kind === "revise" ? revision : takeover;
  return follow(before, change.newItem, stories);
}

type Unsequenced = Omit<FeedItem, "seq">;

/** What is told now, under the id and at the place in the list of what was told before. */
function following(old: Unsequenced, item: Unsequenced): Unsequenced {
  return {
    ...item,
    id: old.id,
    unique_id: old.unique_id,
    published_at: old.published_at,
    scraped_at: old.scraped_at,
    updated_at: item.scraped_at,
    status: item.status === "retracted" ? "retracted" : "revised",
    revision: old.revision + 1,
  };
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
      ...following(old, item),
      source_time: old.source_time ?? item.source_time,
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

/**
 * What the source that speaks for the item says of it, all of it its own, its score and its story too. null: that is what
 * stands there, or the operator has withdrawn what he pushed.
 */
function takeover(before: CurrentVersion, newItem: NewItem, stories: StoryShelf): NextVersion | null {
  const { seq: _, ...old } = before.item;
  const { item, body, contentKey } = newItem;
  const isSame =
    old.title === item.title &&
    old.link === item.link &&
    old.source === item.source &&
    old.provider_id === item.provider_id &&
    before.body === body &&
    (old.status === "retracted") === (item.status === "retracted");
  if (isSame || (old.status === "retracted" && before.sourceId === null)) return null;
  return {
    item: { ...following(old, item), story_id: old.id },
    detail: JSON.stringify(newItem.detail),
    body,
    contentKey,
    rescored: newItem,
    sketch: sketchOf({ id: old.id, story_id: old.id }, newItem, stories),
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
