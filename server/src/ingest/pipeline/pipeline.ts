import type { SymbolRef } from "@tapewire/contract/feeds.ts";
import type { TagDictionary, TagSet } from "@tapewire/contract/tags.ts";
import { withForm } from "@tapewire/scoring/form-from-text.ts";
import type { ProVerdict } from "@tapewire/scoring/pro/types.ts";
import type { Verdict } from "@tapewire/scoring/types.ts";
import { itemIdOf, type NewItem, type PendingDocument } from "../../feed/item.ts";
import { nothingRecalled, type StoryFacts, type VerdictAlone } from "../../feed/story/story.ts";
import type { Sequencer } from "../../itemlog/append.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Log } from "../../runtime/log.ts";
import { TurnShare } from "../../runtime/sharing/turn-share.ts";
import { type Engine, type Judgement, judgedAtLast, type RecallOf, scoringOf } from "../../score/engine.ts";
import type { FeedAnswer, FeedPro } from "../../score/feed/feed-pro.ts";
import { factsOf } from "../../score/story-facts.ts";
import type { AppendOutcome } from "../../store/append/append-request.ts";
import type { ItemWriter } from "../../store/append/item-writer.ts";
import { isRefusal } from "../../store/engine/errors.ts";
import { sharedNames } from "../identity/identity.ts";
import type { RawItem } from "../raw-item.ts";
import { contentKey } from "./content-key.ts";
import { oldestCounted, publishedAt } from "./published-at.ts";

export interface PipelineDeps {
  readonly engine: Engine;
  /** Scores items by pro as far as it answers in time; null or absent: flash scores all. */
  readonly pro?: FeedPro | null;
  readonly sequencer: Pick<Sequencer, "append">;
  readonly tags: TagDictionary;
  /** What the feed has carried about a matter; see ItemWriter. */
  readonly recall: ItemWriter["recall"];
  readonly clock: Clock;
  readonly log: Log;
}

export interface IngestOptions {
  /** State key of the source, null for pushes. */
  readonly sourceId: string | null;
  /** See publishedAt. */
  readonly backfill: boolean;
  /** The documents to read for an item once it is stored; absent: none. */
  readonly pendingOf?: (item: RawItem) => PendingDocument | null;
  /** The items are one stored item with its documents; this is its listing, for which they were read. */
  readonly completes?: RawItem;
  /** Identities that the source has withdrawn. */
  readonly retracted?: readonly string[];
}

const appendedAtOnce = 500;

/** Outcome of a raw item. Rejected: the engine or the database refuses it; other items are not affected. */
export type IngestOutcome = AppendOutcome | { readonly status: "rejected"; readonly reason: string };

/**
 * Turns raw items into scored items in the log. Durable when it resolves; a caller that stops before may send the same
 * items again, since known ones are dropped by identity.
 * @returns the outcome of each, in order
 * @throws when the database is away, or the log is closing; some may be stored
 */
export async function ingest(
  deps: PipelineDeps,
  items: readonly RawItem[],
  options: IngestOptions,
): Promise<IngestOutcome[]> {
  const outcomes: IngestOutcome[] = [];
  const oldest = oldestCounted(items, options);
  const share = new TurnShare();
  for (let start = 0; start < items.length; start += appendedAtOnce) {
    const judged: (Draft | { reason: string })[] = [];
    for (const item of items.slice(start, start + appendedAtOnce)) {
      if (share.isUsedUp) await share.pause();
      judged.push(attempt(deps, item, () => draftOf(deps, item, { ...options, oldest })));
    }
    const prepared = await withPro(deps, judged, options);
    const whole = prepared.flatMap((item) => ("reason" in item ? [] : [item]));
    const appended = (await append(deps, whole, options)).values();
    for (const item of prepared) {
      const outcome = "reason" in item ? { status: "rejected" as const, ...item } : appended.next().value;
      if (outcome !== undefined) outcomes.push(outcome);
    }
  }
  const { sourceId, retracted = [] } = options;
  if (retracted.length > 0) {
    const withdrawn = { identities: retracted, at: deps.clock.now().toISOString() };
    await deps.sequencer.append({ items: [], sourceId, retracted: withdrawn });
  }
  return outcomes;
}

/** The options, and the oldest publication time that counts. */
interface Preparing extends IngestOptions {
  readonly oldest: Date;
}

/** An item that flash has judged, and which pro may have been asked about. */
interface Draft {
  readonly raw: RawItem;
  readonly published: Date;
  readonly story: StoryFacts | null;
  readonly judged: Judgement;
  readonly answer: FeedAnswer | null;
}

/** An item that fails must not fail the others. */
function attempt<Result>(
  { log }: PipelineDeps,
  raw: RawItem,
  work: () => Result,
): Result | { reason: string } {
  try {
    return work();
  } catch (error) {
    log.error({ err: error, item: raw.identity[0] }, "an item could not be scored");
    return { reason: "could not be scored" };
  }
}

/** Items of a first walk come by thousands, and nobody waits for them. */
const isOld = ({ backfill, sourceId, completes }: IngestOptions): boolean =>
  backfill && sourceId !== null && completes === undefined;

async function withPro(
  deps: PipelineDeps,
  drafts: readonly (Draft | { reason: string })[],
  options: IngestOptions,
): Promise<(NewItem | { reason: string })[]> {
  const answers = drafts.map((draft) => ("reason" in draft ? null : draft.answer));
  const verdicts = (await deps.pro?.inOrder(answers)) ?? [];
  return drafts.map((draft, at) =>
    "reason" in draft
      ? draft
      : attempt(deps, draft.raw, () => newItemOf(deps, draft, verdicts[at] ?? null, options)),
  );
}

/** Appends them together; when the database refuses one of them, in halves, until that one is alone. */
async function append(
  deps: PipelineDeps,
  items: readonly NewItem[],
  options: IngestOptions,
): Promise<IngestOutcome[]> {
  const { sourceId, backfill } = options;
  try {
    return items.length === 0 ? [] : await deps.sequencer.append({ items, sourceId, live: !backfill });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if (items.length === 1) {
      deps.log.error({ err: error, item: items[0]?.identity[0] }, "an item could not be stored");
      return [{ status: "rejected", reason: "could not be stored" }];
    }
    const half = Math.ceil(items.length / 2);
    const first = await append(deps, items.slice(0, half), options);
    return [...first, ...(await append(deps, items.slice(half), options))];
  }
}

/** Links, tags and scores one item by flash, and asks pro about it. */
function draftOf({ engine, pro, recall }: PipelineDeps, raw: RawItem, options: Preparing): Draft {
  const { backfill, oldest } = options;
  const published = publishedAt(raw, raw.seenAt, { backfill, oldest });
  const { title, body, type, filing, categories } = raw;
  const artifact = { type, title: title ?? "", body, publishedAt: published, filing, categories };
  const id = itemIdOf(raw.identity[0]);
  // Made once, for recalling the story and for remembering the item.
  let story: StoryFacts | null = null;
  const recallOf: RecallOf = (symbols, findings) => {
    const { source, seenAt } = raw;
    const facts = factsOf(withForm(artifact), symbols, findings, { source, seenAt });
    story = facts === null ? null : { ...facts, ...sharedNames(raw) };
    return story === null ? nothingRecalled : recall(story, id);
  };
  const judged = engine.judge(
    artifact,
    { symbols: raw.symbols, isins: raw.isins, ciks: raw.ciks },
    { declared: raw.language, country: raw.homeCountry, recall: recallOf },
  );
  const { task } = judged;
  const isAsked = task !== null && !raw.retracted && !isOld(options);
  return { raw, published, story, judged, answer: isAsked ? (pro?.ask(task) ?? null) : null };
}

/** @param verdict pro's; null: flash's stands */
function newItemOf(
  { tags, clock, recall }: PipelineDeps,
  { raw, published, story, judged: byFlash, answer }: Draft,
  verdict: ProVerdict | null,
  { pendingOf, completes }: IngestOptions,
): NewItem {
  const { title, body, type, filing, categories } = raw;
  const [uniqueId] = raw.identity;
  const id = itemIdOf(uniqueId);
  // While it waited, the log may have got the story that it repeats.
  const repeatsMs =
    story === null || answer === null ? byFlash.recalled.repeatsMs : recall(story, id).repeatsMs;
  const judged = judgedAtLast(byFlash, { verdict, repeatsMs });
  const symbols = judged.symbols.map(symbolRef);
  const scrapedAt = raw.seenAt.toISOString();
  return {
    identity: raw.identity,
    claims: raw.claims,
    body,
    detail: judged.detail,
    contentKey: contentKey(completes ?? raw),
    story,
    recalled: judged.recalled,
    alone: judged.alone === null ? null : aloneOf(judged.alone),
    original: raw.original ?? null,
    pending: completes === undefined ? (pendingOf?.(raw) ?? null) : null,
    completes: completes !== undefined,
    item: {
      id,
      unique_id: uniqueId,
      title,
      link: raw.link,
      source: raw.source,
      provider_id: raw.providerId,
      type,
      published_at: published.toISOString(),
      source_time: raw.publishedAt?.toISOString() ?? null,
      scraped_at: scrapedAt,
      updated_at: scrapedAt,
      status: raw.retracted ? "retracted" : "published",
      revision: 0,
      story_id: id,
      language: judged.language,
      scoring: scoringOf(judged.verdict, judgedAt(clock.now(), raw.seenAt)),
      event: judged.verdict?.event ?? null,
      events: [...(judged.verdict?.events ?? [])],
      symbols,
      tags: withCountries(withGiven(judged.tags, categories, tags), raw.countries ?? []),
      filing,
    },
  };
}

function aloneOf({ actionability, subScores }: Pick<Verdict, "actionability" | "subScores">): VerdictAlone {
  return { ...actionability, novelty: subScores.actionability.novelty };
}

/** A clock that was set back must not date a judgement before the item was seen. */
function judgedAt(now: Date, seenAt: Date): Date {
  return now < seenAt ? seenAt : now;
}

function symbolRef({ symbol, exchange, short_symbol, logoid }: SymbolRef): SymbolRef {
  return { symbol, exchange, short_symbol, logoid };
}

/** Adds categories that are values of the dictionary to the tags found: the source knows its own item. */
function withGiven(found: TagSet, categories: readonly string[], dictionary: TagDictionary): TagSet {
  const given = new Set(categories.map((category) => category.toLowerCase()));
  const merged: TagSet = { ...found };
  for (const dimension of ["corp_activity", "market", "economic_category"] as const) {
    const named = dictionary[dimension].values.map(({ value }) => value).filter((value) => given.has(value));
    if (named.length > 0) merged[dimension] = [...new Set([...(merged[dimension] ?? []), ...named])].sort();
  }
  return merged;
}

function withCountries(found: TagSet, countries: readonly string[]): TagSet {
  if (countries.length === 0) return found;
  return { ...found, market_country: [...new Set([...(found.market_country ?? []), ...countries])].sort() };
}
