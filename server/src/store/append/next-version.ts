import type { FeedItem, ItemDetail } from "@tapewire/contract/feeds.ts";
import type { NewItem } from "../../feed/item.ts";
import { judgedAlone, type StorySketch } from "../../feed/story.ts";
import type { StoryShelf, Withdrawn } from "./stories.ts";
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
  /** null: the item keeps its score. */
  readonly rescored: ItemDetail | null;
  /** null: its story is what it was. */
  readonly sketch: StorySketch | Withdrawn | null;
  /** It no longer tells what its copies repeat. */
  readonly endsStory: boolean;
}

/** @returns null: nothing follows */
export function nextVersion(before: CurrentVersion, change: Change, stories: StoryShelf): NextVersion | null {
  if (change.kind === "retract") return retraction(before, change.at, stories);
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
  const { told, storyId, sketch, endsStory } =
    judged || withdraws ? retold(old, newItem, stories) : untold(newItem);
  return {
    item: {
      ...following(old, item),
      source_time: old.source_time ?? item.source_time,
      story_id: storyId ?? old.story_id,
      scoring: judged ? told.item.scoring : old.scoring,
    },
    detail: judged ? JSON.stringify(told.detail) : before.detail,
    body,
    contentKey,
    rescored: judged ? told.detail : null,
    sketch,
    endsStory,
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
  const { told, sketch, endsStory } = retold({ id: old.id, story_id: old.id }, newItem, stories);
  return {
    item: { ...following(old, told.item), story_id: old.id },
    detail: JSON.stringify(told.detail),
    body,
    contentKey,
    rescored: told.detail,
    sketch,
    endsStory,
  };
}

/** What becomes of an item's story with what is told of it now. */
interface Retold extends Pick<NextVersion, "sketch" | "endsStory"> {
  readonly told: Pick<NewItem, "item" | "detail">;
  /** null: the one that it was of. */
  readonly storyId: string | null;
}

const untold = (told: NewItem): Retold => ({ told, storyId: null, sketch: null, endsStory: false });

function retold(
  { id, story_id }: Pick<FeedItem, "id" | "story_id">,
  newItem: NewItem,
  stories: StoryShelf,
): Retold {
  const { story: facts, recalled, alone, item } = newItem;
  if (item.status === "retracted")
    return { ...untold(newItem), sketch: stories.withdraw(id), endsStory: true };
  if (facts === null)
    return stories.has(id)
      ? { ...untold(newItem), sketch: stories.withdraw(id), endsStory: true }
      : untold(newItem);
  // Before it is remembered by what it says now.
  const endsStory = stories.tellsAnother(id, facts);
  const sketch = stories.revise(id, story_id, { facts, recalled, alone }, item.scraped_at);
  return { told: scoredAs(newItem, sketch), storyId: sketch.storyId, sketch, endsStory };
}

/** Whether a filing names the same ones: its symbols, and so its score, follow from them. */
function sameParties(before: FeedItem["filing"], after: FeedItem["filing"]): boolean {
  return JSON.stringify(before?.parties) === JSON.stringify(after?.parties);
}

/** The item as it stands, marked as withdrawn. null when it is already. */
function retraction(before: CurrentVersion, at: string, stories: StoryShelf): NextVersion | null {
  const { seq: _, ...old } = before.item;
  if (old.status === "retracted") return null;
  return {
    item: { ...old, status: "retracted", revision: old.revision + 1, updated_at: at },
    detail: before.detail,
    body: before.body,
    contentKey: null,
    rescored: null,
    sketch: stories.withdraw(old.id),
    endsStory: true,
  };
}

/** A copy whose first was withdrawn, or has come to tell another story: in the story that it is of now. */
export function released(before: CurrentVersion, sketch: StorySketch, at: string): NextVersion {
  const { seq: _, ...old } = before.item;
  const stored: ItemDetail = JSON.parse(before.detail);
  const judged = judgedAlone({ scoring: old.scoring, detail: stored }, sketch);
  // Of an item's scores the last counts.
  const scoredAt = [old.scoring.scored_at ?? at, at].sort().at(-1) ?? at;
  return {
    item: {
      ...old,
      story_id: sketch.storyId,
      status: "revised",
      revision: old.revision + 1,
      updated_at: at,
      scoring: judged === null ? old.scoring : { ...judged.scoring, scored_at: scoredAt },
    },
    detail: judged === null ? before.detail : JSON.stringify(judged.detail),
    body: before.body,
    contentKey: null,
    rescored: judged?.detail ?? null,
    sketch,
    endsStory: false,
  };
}

/** What is told, with the scores that it has in the story that it was given. */
export function scoredAs(told: NewItem, sketch: StorySketch): NewItem {
  const judged = judgedAlone({ scoring: told.item.scoring, detail: told.detail }, sketch);
  if (judged === null) return told;
  return { ...told, item: { ...told.item, scoring: judged.scoring }, detail: judged.detail };
}
