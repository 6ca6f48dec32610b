import type { FeedItem } from "@tapewire/contract/feeds.ts";
import { isCopy } from "../../feed/filter.ts";
import type { LogItem, NewItem } from "../../feed/item.ts";
import type { StorySketch } from "../../feed/story/story.ts";
import { encodeDoc } from "../../feed/view.ts";
import { type AppendOutcome, type AppendRequest, firstComes, type IdentityRules } from "./append-request.ts";
import { isDamped, pastKeysOf } from "./damping.ts";
import { type ItemAlias, isTakenOver, type KnownItem, ownerOf } from "./item-keys.ts";
import { type NextVersion, nextVersion, released, scoredAs } from "./next-version.ts";
import type { Reissues } from "./reissues.ts";
import type { StoryShelf } from "./stories.ts";
import type { CurrentVersion } from "./versions.ts";

/**
 * Copies that one item releases as items with a story of their own, oldest first. Bounded, because the log is locked
 * meanwhile; further copies stay copies of it.
 */
const mostReleased = 200;

interface Creation {
  readonly kind: "create";
  readonly newItem: NewItem;
  readonly sourceId: string | null;
  readonly sketch: StorySketch | null;
}

/** What the plan does with one item of a batch. */
type Entry =
  | Creation
  | { readonly kind: "revise"; readonly newItem: NewItem; readonly id: string }
  /** The source that speaks for the item's name brings it, after another source that does not. */
  | { readonly kind: "take over"; readonly newItem: NewItem; readonly id: string; readonly sourceId: string }
  | { readonly kind: "retract"; readonly id: string; readonly at: string };

export interface PlanRules {
  readonly rules?: IdentityRules;
  /** From when on items are kept, for one that is not stored and refused for its age; else null. */
  readonly refused?: (newItem: NewItem) => Date | null;
}

export interface Created {
  readonly logItem: LogItem;
  readonly newItem: NewItem;
  readonly sourceId: string | null;
  readonly sketch: StorySketch | null;
}

/** A new version of a stored item. */
export interface Revised extends Omit<NextVersion, "item"> {
  readonly logItem: LogItem;
  readonly before: CurrentVersion;
  readonly pastKeys: readonly string[];
  readonly sourceId: string | null;
}

/**
 * Decides, in order, which items of a batch are new, which revise a stored item and which are duplicates; then writes
 * the new versions, once the stored versions are read.
 */
export class AppendPlan {
  readonly aliases: ItemAlias[] = [];
  /** Aliases that now name another item. */
  readonly moved: ItemAlias[] = [];
  readonly outcomes: AppendOutcome[][] = [];
  readonly created: Created[] = [];
  readonly revised: Revised[] = [];
  /** Items whose source changed nothing that we store. */
  readonly unchanged: { id: string; content_key: string; source_id: string | null }[] = [];
  /** Items whose documents were read for an earlier listing; they are read again. */
  readonly stale = new Set<string>();
  readonly #entries: { entry: Entry; outcome: AppendOutcome | null }[] = [];
  readonly #idOf: Map<string, string>;
  readonly #known: Map<string, KnownItem>;
  /** The newest versions of items while the batch is written. */
  #newest = new Map<string, CurrentVersion>();
  #seq = 0;
  /** Items that no longer tell the story that their copies repeat. */
  readonly #ended = new Set<string>();
  readonly #stories: StoryShelf;
  readonly #rules: IdentityRules;
  readonly #refused: NonNullable<PlanRules["refused"]>;

  constructor(
    known: ReadonlyMap<string, KnownItem>,
    stories: StoryShelf,
    { rules = firstComes, refused = () => null }: PlanRules = {},
  ) {
    this.#idOf = new Map([...known].map(([form, { id }]) => [form, id]));
    this.#known = new Map([...known.values()].map((owner) => [owner.id, owner]));
    this.#stories = stories;
    this.#rules = rules;
    this.#refused = refused;
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
      const keptSince = this.#refused(newItem);
      if (keptSince !== null) return { id: item.id, uniqueId: item.unique_id, status: "too_old", keptSince };
      this.#name(item.id, identity);
      this.#known.set(item.id, { id: item.id, stored: true, sourceId, contentKey });
      return this.#enter(
        { kind: "create", newItem, sourceId, sketch: this.#place(newItem) },
        { id: item.id, uniqueId: item.unique_id, status: "created" },
      );
    }
    const { form, owner } = found;
    // Names of a removed item would outlive those that it has.
    if (owner.stored) this.#name(owner.id, identity);
    const outcome: AppendOutcome = { id: owner.id, uniqueId: item.unique_id, status: "duplicate" };
    if (owner.sourceId !== sourceId) {
      if (sourceId === null || newItem.completes || !isTakenOver(this.#rules, owner, form, sourceId))
        return outcome;
      this.#known.set(owner.id, { ...owner, sourceId, contentKey });
      return this.#enter({ kind: "take over", newItem, id: owner.id, sourceId }, outcome);
    }
    const saysOtherwise = owner.contentKey !== contentKey && owner.contentKey !== null;
    if (newItem.completes && saysOtherwise) this.stale.add(owner.id);
    // Documents count while the listing they were read for is current; a listing counts when it says something else.
    if (saysOtherwise === newItem.completes) return outcome;
    // Later items of the batch are compared with this one.
    this.#known.set(owner.id, { ...owner, contentKey });
    return this.#enter({ kind: "revise", newItem, id: owner.id }, outcome);
  }

  #enter(entry: Entry, outcome: AppendOutcome): AppendOutcome {
    this.#entries.push({ entry, outcome });
    return outcome;
  }

  #place(newItem: NewItem): StorySketch | null {
    const { item, story: facts, recalled, alone } = newItem;
    if (facts === null || item.status === "retracted") return null;
    return this.#stories.place(item.id, { facts, recalled, alone }, item.scraped_at);
  }

  /** The stored items that the new versions are made from. */
  get needed(): string[] {
    return this.#entries.flatMap(({ entry }) => {
      if (entry.kind !== "create")
        return [entry.id, ...this.#stories.copiesOf(entry.id).slice(0, mostReleased)];
      const { sketch, newItem } = entry;
      return sketch === null || sketch.storyId === newItem.item.id ? [] : [sketch.storyId];
    });
  }

  /** @param lastSeq the head of the log */
  write(current: ReadonlyMap<string, CurrentVersion>, lastSeq: number): void {
    this.#newest = new Map(current);
    this.#seq = lastSeq;
    for (const { entry, outcome } of this.#entries) {
      if (entry.kind === "create") this.#writeNew(entry);
      else {
        const before = this.#newest.get(entry.id);
        if (before === undefined) this.#noteGone(entry);
        else if (entry.kind === "revise" && outcome !== null && isDamped(before, entry.newItem))
          outcome.damped = true;
        else this.#writeNext(before, entry, outcome);
      }
    }
  }

  /** Its month was dropped: what its source says now is noted alone, or each listing would bring it as changed again. */
  #noteGone(entry: Exclude<Entry, Creation>): void {
    const owner = this.#known.get(entry.id);
    if (entry.kind === "retract" || owner === undefined) return;
    const { id, newItem } = entry;
    this.unchanged.push({ id, content_key: newItem.contentKey, source_id: owner.sourceId });
  }

  #emit(version: Omit<FeedItem, "seq">): LogItem {
    this.#seq += 1;
    const seq = this.#seq;
    const item = { ...version, copy_of: isCopy(version) ? version.story_id : null };
    return { seq, item: { seq, ...item }, doc: encodeDoc(seq, JSON.stringify(item)) };
  }

  #writeNew({ newItem: given, sketch: placed, sourceId }: Creation): void {
    const sketch = placed === null ? null : this.#settled(given, placed);
    const newItem = sketch === null ? given : scoredAs(given, sketch);
    const { item, body, contentKey } = newItem;
    const logItem = this.#emit({ ...item, story_id: sketch?.storyId ?? item.story_id });
    this.created.push({ logItem, newItem, sourceId, sketch });
    const detail = JSON.stringify(newItem.detail);
    this.#newest.set(item.id, { ...logItem, detail, body, contentKey, pastKeys: [], sourceId });
  }

  /** Items are placed before the batch is written: the first of the story may not tell it any more. */
  #settled({ item, story: facts, recalled, alone }: NewItem, placed: StorySketch): StorySketch {
    const { storyId } = placed;
    const stands = this.#stands(storyId) && !this.#ended.has(storyId);
    if (facts === null || storyId === item.id || stands) return placed;
    const telling = { facts, recalled, alone };
    return this.#stories.placeAnew(item.id, telling, item.scraped_at, (id) => this.#stands(id));
  }

  /** Whether the item exists and is not withdrawn, as far as the batch knows. */
  #stands(id: string): boolean {
    const status = this.#newest.get(id)?.item.status;
    return status !== undefined && status !== "retracted";
  }

  #writeNext(before: CurrentVersion, entry: Exclude<Entry, Creation>, outcome: AppendOutcome | null): void {
    const version = nextVersion(before, entry, this.#stories);
    const sourceId = entry.kind === "take over" ? entry.sourceId : before.sourceId;
    if (version === null) {
      if (entry.kind === "retract") return;
      const { contentKey } = entry.newItem;
      this.unchanged.push({ id: entry.id, content_key: contentKey, source_id: sourceId });
      this.#newest.set(entry.id, { ...before, contentKey, sourceId });
      return;
    }
    const pastKeys = entry.kind === "take over" ? [] : pastKeysOf(before, version.contentKey);
    this.#follow(before, version, { pastKeys, sourceId });
    if (outcome !== null) outcome.status = "revised";
    if (version.endsStory) this.#release(version.item);
  }

  #follow(
    before: CurrentVersion,
    version: NextVersion,
    { pastKeys, sourceId }: Pick<CurrentVersion, "pastKeys" | "sourceId">,
  ): void {
    const logItem = this.#emit(version.item);
    this.revised.push({ ...version, logItem, before, pastKeys, sourceId });
    const { detail, body } = version;
    const contentKey = version.contentKey ?? before.contentKey;
    this.#newest.set(before.item.id, { ...logItem, detail, body, contentKey, pastKeys, sourceId });
  }

  /** Releases the copies of an item that no longer tells their story; their new versions follow it in the log. */
  #release({ id, updated_at }: Omit<FeedItem, "seq">): void {
    this.#ended.add(id);
    const copies = this.#stories
      .copiesOf(id)
      .filter((copy) => this.#stands(copy))
      .slice(0, mostReleased);
    for (const sketch of this.#stories.regroup(id, copies, updated_at)) {
      const before = this.#newest.get(sketch.id);
      if (before !== undefined) this.#follow(before, released(before, sketch, updated_at), before);
    }
  }
}
