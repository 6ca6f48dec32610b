import type { FeedItem, ItemDetail } from "@tapewire/contract/feeds.ts";
import type { NewItem } from "../../feed/item.ts";
import { judgedAlone, type StorySketch } from "../../feed/story/story.ts";
import type { StoryShelf, Withdrawn } from "./stories.ts";
import type { CurrentVersion } from "./versions.ts";

/** A change of a stored item. */
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
  /** null: its story is unchanged. */
  readonly sketch: StorySketch | Withdrawn | null;
  /** It no longer tells the story that its copies repeat. */
  readonly endsStory: boolean;
}

/** @returns null: there is no new version */
export function nextVersion(before: CurrentVersion, change: Change, stories: StoryShelf): NextVersion | null {
  if (change.kind === "retract") return retraction(before, change.at, stories);
  const follow = change.kind === "revise" ? revision : takeover;
  return follow(before, change.newItem, stories);
}

type Unsequenced = Omit<FeedItem, "seq">;

const verdictOf = ({ scoring, event, events }: Unsequenced) => ({ scoring, event, events });

/** The new content under the id and the list position of the stored item. */
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
 * What the source says now, under the item's identity and list position. A changed text is scored again by itself, and
 * stays a copy of its story only while it tells that. null: nothing that we store has changed, or the item was withdrawn
 * before, which is final.
 */
function revision(before: CurrentVersion, newItem: NewItem, stories: StoryShelf): NextVersion | null {
  const { seq: _, ...old } = before.item;
  const { item, contentKey, completes } = newItem;
  // A source that now sends only the headline has not withdrawn its text.
  const body = newItem.body === "" && !completes ? before.body : newItem.body;
  const withdraws = item.status === "retracted";
  if (old.source !== item.source || old.status === "retracted") return null;
  const sameText = old.title === item.title && old.link === item.link && before.body === body;
  const hasParties = sameParties(old.filing, item.filing);
  if (sameText && hasParties && !withdraws) return null;
  // A page with a counter of its readers, for example, changes at every poll.
  if (old.revision >= mostRevisions && !completes && !withdraws) return null;
  const judged = !hasParties || old.title !== item.title || before.body !== body;
  const { content, storyId, sketch, endsStory } =
    judged || withdraws ? contentInStory(old, newItem, stories) : unplaced(newItem);
  return {
    item: {
      ...following(old, item),
      source_time: old.source_time ?? item.source_time,
      story_id: storyId ?? old.story_id,
      ...verdictOf(judged ? content.item : old),
    },
    detail: judged ? JSON.stringify(content.detail) : before.detail,
    body,
    contentKey,
    rescored: judged ? content.detail : null,
    sketch,
    endsStory,
  };
}

/**
 * What the source that speaks for the item says of it, with the score and the story of that text. null: the stored item
 * says the same, or the operator has withdrawn what was pushed.
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
  const { content, sketch, endsStory } = contentInStory({ id: old.id, story_id: old.id }, newItem, stories);
  return {
    item: { ...following(old, content.item), story_id: old.id },
    detail: JSON.stringify(content.detail),
    body,
    contentKey,
    rescored: content.detail,
    sketch,
    endsStory,
  };
}

/** The new content of an item, and what it does to the item's story. */
interface NewContent extends Pick<NextVersion, "sketch" | "endsStory"> {
  readonly content: Pick<NewItem, "item" | "detail">;
  /** null: the story it had. */
  readonly storyId: string | null;
}

const unplaced = (content: NewItem): NewContent => ({
  content,
  storyId: null,
  sketch: null,
  endsStory: false,
});

function contentInStory(
  { id, story_id }: Pick<FeedItem, "id" | "story_id">,
  newItem: NewItem,
  stories: StoryShelf,
): NewContent {
  const { story: facts, recalled, alone, item } = newItem;
  if (item.status === "retracted")
    return { ...unplaced(newItem), sketch: stories.withdraw(id), endsStory: true };
  if (facts === null)
    return stories.has(id)
      ? { ...unplaced(newItem), sketch: stories.withdraw(id), endsStory: true }
      : unplaced(newItem);
  // Before revise(), which replaces what is remembered of the item.
  const endsStory = stories.tellsAnother(id, facts);
  const sketch = stories.revise(id, story_id, { facts, recalled, alone }, item.scraped_at);
  return { content: scoredAs(newItem, sketch), storyId: sketch.storyId, sketch, endsStory };
}

/** Whether two versions of a filing name the same parties: its symbols, and so its score, follow from them. */
function sameParties(before: FeedItem["filing"], after: FeedItem["filing"]): boolean {
  return JSON.stringify(before?.parties) === JSON.stringify(after?.parties);
}

/** The stored item, marked as withdrawn; null when it already is. */
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

/** A copy whose first item was withdrawn or now tells another story: its version in its new story. */
export function released(before: CurrentVersion, sketch: StorySketch, at: string): NextVersion {
  const { seq: _, ...old } = before.item;
  const stored: ItemDetail = JSON.parse(before.detail);
  const judged = judgedAlone({ scoring: old.scoring, detail: stored }, sketch);
  // An item's current score is the one with the latest time.
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

/** The new item with the scoring for the story that it was placed in. */
export function scoredAs(newItem: NewItem, sketch: StorySketch): NewItem {
  const judged = judgedAlone({ scoring: newItem.item.scoring, detail: newItem.detail }, sketch);
  if (judged === null) return newItem;
  return { ...newItem, item: { ...newItem.item, scoring: judged.scoring }, detail: judged.detail };
}
