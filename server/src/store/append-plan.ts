import type { FeedItem } from "@tapewire/contract/feeds.ts";
import { isCopy } from "../feed/filter.ts";
import type { LogItem, NewItem } from "../feed/item.ts";
import type { StorySketch } from "../feed/story.ts";
import { encodeDoc } from "../feed/view.ts";
import { type AppendOutcome, type AppendRequest, firstComes, type IdentityRules } from "./append-request.ts";
import { isDamped, pastKeysOf } from "./damping.ts";
import { type ItemAlias, type KnownItem, ownerOf } from "./item-keys.ts";
import { nextVersion } from "./next-version.ts";
import type { Reissues } from "./reissues.ts";
import type { StoryShelf } from "./stories.ts";
import { isTakenOver } from "./takeover.ts";
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
  /** The source that speaks for the item's name tells it, after another that does not. */
  | { readonly kind: "take over"; readonly newItem: NewItem; readonly id: string; readonly sourceId: string }
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
  readonly pastKeys: readonly string[];
  readonly sourceId: string | null;
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
  /** Aliases that name another item from now on. */
  readonly moved: ItemAlias[] = [];
  readonly outcomes: AppendOutcome[][] = [];
  readonly created: Created[] = [];
  readonly revised: Revised[] = [];
  /** Items whose source says something else of them that changes nothing we keep. */
  readonly unchanged: { id: string; content_key: string; source_id: string | null }[] = [];
  /** Items whose documents were read for what their source has since said otherwise: they are read again. */
  readonly stale = new Set<string>();
  readonly #entries: { entry: Entry; outcome: AppendOutcome | null }[] = [];
  readonly #idOf: Map<string, string>;
  readonly #known: Map<string, KnownItem>;
  readonly #stories: StoryShelf;
  readonly #rules: IdentityRules;

  constructor(known: ReadonlyMap<string, KnownItem>, stories: StoryShelf, rules: IdentityRules = firstComes) {
    this.#idOf = new Map([...known].map(([form, { id }]) => [form, id]));
    this.#known = new Map([...known.values()].map((owner) => [owner.id, owner]));
    this.#stories = stories;
    this.#rules = rules;
  }

  add({ items, sourceId, retracted }: AppendRequest, reissues: Reissues["of"] = new Map()): void {
    this.outcomes.push(
      items.map((newItem) => {
        const outcome = this.#addItem(newItem, sourceId);
        const reissue = reissues.get(newItem);
        if (reissue !== undefined && outcome.status === "created") {
          this.#name(reissue.former.item_id, [reissue.former.alias]);
          this.#idOf.set(reissue.guid, outcome.id);
          this.moved.push({ alias: reissue.guid, item_id: outcome.id });
        }
        return outcome;
      }),
    );
    for (const identity of retracted?.identities ?? []) {
      const owner = this.#ownerOf(identity);
      const isOwn = owner !== undefined && (sourceId === null || owner.sourceId === sourceId);
      if (isOwn && retracted !== undefined)
        this.#entries.push({ entry: { kind: "retract", id: owner.id, at: retracted.at }, outcome: null });
    }
  }

  #ownerOf(form: string): KnownItem | undefined {
    return this.#known.get(this.#idOf.get(form) ?? "");
  }

  #name(id: string, forms: readonly string[]): void {
    for (const alias of forms) {
      if (this.#idOf.has(alias)) continue;
      this.#idOf.set(alias, id);
      this.aliases.push({ alias, item_id: id });
    }
  }

  #addItem(newItem: NewItem, sourceId: string | null): AppendOutcome {
    const { item, identity, contentKey } = newItem;
    const found = ownerOf(newItem, (form) => this.#ownerOf(form), sourceId);
    if (found === null) {
      this.#name(item.id, identity);
      this.#known.set(item.id, { id: item.id, stored: true, sourceId, contentKey });
      const { story: facts, recalled } = newItem;
      const sketch =
        facts === null || item.status === "retracted"
          ? null
          : this.#stories.place(item.id, { facts, recalled }, item.scraped_at);
      return this.#enter(
        { kind: "create", newItem, sourceId, sketch },
        { id: item.id, uniqueId: item.unique_id, status: "created" },
      );
    }
    const { form, owner } = found;
    this.#name(owner.id, identity);
    const outcome: AppendOutcome = { id: owner.id, uniqueId: item.unique_id, status: "duplicate" };
    if (owner.sourceId !== sourceId) {
      if (sourceId === null || newItem.completes || !isTakenOver(this.#rules, owner, form, sourceId))
        return outcome;
      this.#known.set(owner.id, { ...owner, sourceId, contentKey });
      return this.#enter({ kind: "take over", newItem, id: owner.id, sourceId }, outcome);
    }
    const saysOtherwise = owner.contentKey !== contentKey && owner.contentKey !== null;
    if (newItem.completes && saysOtherwise) this.stale.add(owner.id);
    // Documents count while the source still says what they were read for; a listing, when it says otherwise.
    if (saysOtherwise === newItem.completes) return outcome;
    // What comes later in the batch is compared with this.
    this.#known.set(owner.id, { ...owner, contentKey });
    return this.#enter({ kind: "revise", newItem, id: owner.id }, outcome);
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
        const { body, contentKey } = newItem;
        const detail = JSON.stringify(newItem.detail);
        newest.set(logItem.item.id, { ...logItem, detail, body, contentKey, pastKeys: [], sourceId });
        continue;
      }
      const before = newest.get(entry.id);
      if (before === undefined) continue;
      if (entry.kind === "revise" && outcome !== null && isDamped(before, entry.newItem))
        outcome.damped = true;
      else newest.set(entry.id, this.#writeNext(before, entry, { outcome, emit }));
    }
  }

  /** @returns how the item stands then */
  #writeNext(
    before: CurrentVersion,
    entry: Exclude<Entry, { kind: "create" }>,
    { outcome, emit }: { outcome: AppendOutcome | null; emit: (item: Omit<FeedItem, "seq">) => LogItem },
  ): CurrentVersion {
    const version = nextVersion(before, entry, this.#stories);
    const sourceId = entry.kind === "take over" ? entry.sourceId : before.sourceId;
    if (version === null) {
      if (entry.kind === "retract") return before;
      const { contentKey } = entry.newItem;
      this.unchanged.push({ id: entry.id, content_key: contentKey, source_id: sourceId });
      return { ...before, contentKey, sourceId };
    }
    const logItem = emit(version.item);
    const pastKeys = entry.kind === "take over" ? [] : pastKeysOf(before, version.contentKey);
    const revised = { ...version, logItem, before, pastKeys, sourceId };
    this.revised.push(revised);
    if (outcome !== null) outcome.status = "revised";
    const contentKey = version.contentKey ?? before.contentKey;
    return { ...revised, contentKey, item: logItem.item, doc: logItem.doc };
  }
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
