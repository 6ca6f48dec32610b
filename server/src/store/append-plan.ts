import type { FeedItem } from "@tapewire/contract/feeds.ts";
import { isCopy } from "../feed/filter.ts";
import type { LogItem, NewItem } from "../feed/item.ts";
import type { StorySketch } from "../feed/story.ts";
import { encodeDoc } from "../feed/view.ts";
import type { AppendOutcome, AppendRequest } from "./append-request.ts";
import type { ItemAlias, KnownItem } from "./item-keys.ts";
import type { StoryShelf } from "./stories.ts";
import type { CurrentVersion } from "./versions.ts";

/** What is to become of one item of a batch. */
type Entry =
  | {
      readonly kind: "create";
      readonly newItem: NewItem;
      readonly sourceId: string | null;
      readonly sketch: StorySketch | null;
    }
  | { readonly kind: "revise"; readonly newItem: NewItem; readonly id: string }
  | { readonly kind: "retract"; readonly id: string; readonly at: string };

export interface Created {
  readonly logItem: LogItem;
  readonly newItem: NewItem;
  readonly sourceId: string | null;
  readonly sketch: StorySketch | null;
}

/** A new version of a stored item. */
export interface Revised {
  readonly logItem: LogItem;
  readonly before: CurrentVersion;
  readonly detail: string;
  readonly body: string;
  readonly contentKey: string | null;
  readonly rescored: NewItem | null;
  /** null: its story is what it was. */
  readonly sketch: StorySketch | null;
}

/**
 * Decides what of a batch is new, what revises a stored item and what is known, in order; then, with the stored
 * versions at hand, writes the versions that the log is to have.
 */
export class AppendPlan {
  readonly aliases: ItemAlias[] = [];
  readonly outcomes: AppendOutcome[][] = [];
  readonly created: Created[] = [];
  readonly revised: Revised[] = [];
  /** Items whose source says something else of them that changes nothing we keep. */
  readonly unchanged: { id: string; content_key: string }[] = [];
  /** Items whose documents were read for what their source has since said otherwise: they are read again. */
  readonly stale = new Set<string>();
  readonly #entries: { entry: Entry; outcome: AppendOutcome | null }[] = [];
  readonly #owner: Map<string, KnownItem>;
  readonly #stories: StoryShelf;

  constructor(known: ReadonlyMap<string, KnownItem>, stories: StoryShelf) {
    this.#owner = new Map(known);
    this.#stories = stories;
  }

  add({ items, sourceId, retracted }: AppendRequest): void {
    this.outcomes.push(items.map((newItem) => this.#addItem(newItem, sourceId)));
    for (const identity of retracted?.identities ?? []) {
      const owner = this.#owner.get(identity);
      const isOwn = owner !== undefined && (sourceId === null || owner.sourceId === sourceId);
      if (isOwn && retracted !== undefined)
        this.#entries.push({ entry: { kind: "retract", id: owner.id, at: retracted.at }, outcome: null });
    }
  }

  #addItem(newItem: NewItem, sourceId: string | null): AppendOutcome {
    const { item, identity, contentKey } = newItem;
    const owner = identity.map((alias) => this.#owner.get(alias)).find((known) => known !== undefined);
    const id = owner?.id ?? item.id;
    for (const alias of identity) {
      if (this.#owner.has(alias)) continue;
      this.#owner.set(alias, owner ?? { id, sourceId, contentKey });
      this.aliases.push({ alias, item_id: id });
    }
    if (owner === undefined) {
      const { story: facts, recalled } = newItem;
      const sketch = facts === null ? null : this.#stories.place(id, { facts, recalled }, item.scraped_at);
      return this.#enter(
        { kind: "create", newItem, sourceId, sketch },
        { id, uniqueId: item.unique_id, status: "created" },
      );
    }
    const outcome: AppendOutcome = { id, uniqueId: item.unique_id, status: "duplicate" };
    if (owner.sourceId !== sourceId) return outcome;
    const saysOtherwise = owner.contentKey !== contentKey && owner.contentKey !== null;
    if (newItem.completes && saysOtherwise) this.stale.add(id);
    // Documents count while the source still says what they were read for; a listing, when it says otherwise.
    if (saysOtherwise === newItem.completes) return outcome;
    // What comes later in the batch is compared with this.
    for (const alias of identity) this.#owner.set(alias, { ...owner, contentKey });
    return this.#enter({ kind: "revise", newItem, id }, outcome);
  }

  #enter(entry: Entry, outcome: AppendOutcome): AppendOutcome {
    this.#entries.push({ entry, outcome });
    return outcome;
  }

  /** The stored items that the versions are written from. */
  get needed(): string[] {
    return this.#entries.flatMap(({ entry }) => {
      if (entry.kind !== "create") return [entry.id];
      const { sketch, newItem } = entry;
      return sketch === null || sketch.storyId === newItem.item.id ? [] : [sketch.storyId];
    });
  }

  /** @param lastSeq the head of the log */
  write(current: ReadonlyMap<string, CurrentVersion>, lastSeq: number): void {
    const newest = new Map(current);
    let seq = lastSeq;
    const emit = (told: Omit<FeedItem, "seq">): LogItem => {
      seq += 1;
      const item = { ...told, copy_of: isCopy(told) ? told.story_id : null };
      return { seq, item: { seq, ...item }, doc: encodeDoc(seq, JSON.stringify(item)) };
    };
    for (const { entry, outcome } of this.#entries) {
      if (entry.kind === "create") {
        const { newItem, sourceId } = entry;
        const { item, sketch } = asStoryCopy(newItem, entry.sketch, newest);
        const logItem = emit(item);
        this.created.push({ logItem, newItem, sourceId, sketch });
        newest.set(
          logItem.item.id,
          versionOf(logItem, JSON.stringify(entry.newItem.detail), entry.newItem.body),
        );
        continue;
      }
      const before = newest.get(entry.id);
      if (before === undefined) continue;
      const version =
        entry.kind === "retract"
          ? retraction(before, entry.at)
          : revision(before, entry.newItem, this.#stories);
      if (version === null) {
        if (entry.kind === "revise")
          this.unchanged.push({ id: entry.id, content_key: entry.newItem.contentKey });
        continue;
      }
      const logItem = emit(version.item);
      this.revised.push({ logItem, before, ...version });
      newest.set(entry.id, versionOf(logItem, version.detail, version.body));
      if (outcome !== null) outcome.status = "revised";
    }
  }
}

function versionOf({ item, doc }: LogItem, detail: string, body: string): CurrentVersion {
  return { item, doc, detail, body };
}

/** The item with the story it repeats. What was withdrawn is no story: its correction is news. */
function asStoryCopy(
  { item }: NewItem,
  sketch: StorySketch | null,
  newest: ReadonlyMap<string, CurrentVersion>,
): { item: Omit<FeedItem, "seq">; sketch: StorySketch | null } {
  if (sketch === null || sketch.storyId === item.id) return { item, sketch };
  const first = newest.get(sketch.storyId)?.item;
  if (first === undefined || first.status === "retracted")
    return { item, sketch: { ...sketch, storyId: item.id } };
  return { item: { ...item, story_id: sketch.storyId }, sketch };
}

const mostRevisions = 100;

interface NextVersion {
  readonly item: Omit<FeedItem, "seq">;
  readonly detail: string;
  readonly body: string;
  readonly contentKey: string | null;
  readonly rescored: NewItem | null;
  readonly sketch: StorySketch | null;
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
  { id, story_id }: Omit<FeedItem, "seq">,
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
