import type { FeedItem } from "@tapewire/contract/feeds.ts";
import { termsOf } from "../../feed/filter.ts";
import type { LogItem, NewItem } from "../../feed/item.ts";
import type { Db, Queries, Write } from "../engine/db.ts";
import { isMissingPartition } from "../engine/errors.ts";
import { savePending } from "../intake/pending-documents.ts";
import { type SourceProgress, saveProgress } from "../intake/sources.ts";
import { type TermChange, TermIds } from "../list/terms.ts";
import { type LogPosition, settleLog } from "../log/log-position.ts";
import type { Partitions } from "../log/partitions.ts";
import { readKept } from "../retention/kept-since.ts";
import { refusedFor } from "../retention/too-old.ts";
import { AppendPlan, type Revised } from "./append-plan.ts";
import { type AppendOutcome, type AppendRequest, firstComes, type IdentityRules } from "./append-request.ts";
import { insertFilings, isFoundOtherwise, withOriginals } from "./filings.ts";
import { formsOf, moveAliases, saveContentKeys, uniqueIds } from "./item-keys.ts";
import { itemRow, storeBatch, termChange, termChanges, versionRow } from "./item-rows.ts";
import { AnotherLog, type Opening, openAppend } from "./opening.ts";
import { withReissues } from "./reissues.ts";
import { replaceSketches, StoryShelf, sketchRow } from "./stories.ts";
import { currentVersions, replaceVersions } from "./versions.ts";

export interface Appended {
  readonly outcomes: AppendOutcome[][];
  /** New entries, in order. */
  readonly logged: LogItem[];
  readonly epoch: string;
}

/** Enough for one settling of the log and one making of a month. */
const mostTries = 3;

/** The writing side of the item tables. */
export class ItemWriter {
  readonly #db: Db;
  readonly #partitions: Partitions;
  readonly #rules: IdentityRules;
  readonly #terms = new TermIds();
  readonly #stories = new StoryShelf();
  /** The log's position as this writer knows it; null: unknown yet. */
  #place: LogPosition | null = null;
  /** What was published before is refused, as this writer knows it; null: nothing is. */
  #keptSince: Date | null = null;

  constructor(db: Db, partitions: Partitions, rules: IdentityRules = firstComes) {
    this.#db = db;
    this.#rules = rules;
    this.#partitions = partitions;
  }

  /**
   * Makes the tables of the months that the items need. Called before the items are queued, since making tables takes
   * long and must not delay other items.
   * @returns null when all of them exist
   */
  makeRoom(items: readonly NewItem[]): Promise<void> | null {
    const times = this.#kept(monthsOf(items));
    return this.#partitions.lacks(times) ? this.#partitions.ensure(this.#db.main, times) : null;
  }

  /**
   * Appends the requests in one transaction: new items, and new versions of stored ones. Idempotent: an item that has a
   * known identity and says nothing new is a duplicate, so a batch whose commit was not confirmed can simply be sent
   * again. seq is given under the lock of log_head, hence dense and commit-ordered over all processes. When the log is not
   * the one this writer knows, it is settled first: no seq is used twice within an epoch.
   * @returns the outcome per request and item, and the log's new entries in order
   */
  async append(requests: readonly AppendRequest[]): Promise<Appended> {
    for (let tries = 1; ; tries++) {
      try {
        const place = this.#place ?? (await this.#settle());
        await this.#partitions.ensure(
          this.#db.main,
          this.#kept(requests.flatMap(({ items }) => monthsOf(items, tries > 1))),
        );
        return await this.#appendOnce(requests, place);
      } catch (error) {
        this.#stories.forget();
        if (tries === mostTries) throw error;
        if (error instanceof AnotherLog) await this.#settle();
        else if (isMissingPartition(error)) this.#partitions.forget();
        else throw error;
      }
    }
  }

  async #appendOnce(requests: readonly AppendRequest[], place: LogPosition): Promise<Appended> {
    let remember = () => {};
    const { head, ...appended } = await this.#db.transact(async (tx) => {
      const opening = await openAppend(tx, place, identitiesOf(requests));
      const { lastSeq } = opening;
      this.#keptSince = opening.keptSince;
      await this.#stories.catchUp(tx, lastSeq);
      const plan = await planOf(tx, requests, { ...opening, stories: this.#stories, rules: this.#rules });
      const outcomes = await withOwnersNames(tx, plan);
      const terms = await this.#countTerms(tx, plan);
      remember = terms.remember;
      const writes = [...writesOf(plan, terms), ...writesBeside(plan, requests)];
      const logged = [...plan.created, ...plan.revised].map(({ logItem }) => logItem);
      const head = lastSeq + logged.length;
      return { writes, result: { outcomes, logged: logged.sort((a, b) => a.seq - b.seq), head } };
    });
    remember();
    this.#stories.committed(head);
    this.#place = { epoch: place.epoch, seq: head };
    return { ...appended, epoch: place.epoch };
  }

  /** Items before that are refused: their months need no tables. */
  #kept(times: readonly Date[]): Date[] {
    const since = this.#keptSince;
    return times.filter((at) => since === null || at >= since);
  }

  /** What is cached of the tables is valid for one epoch: a restored database may give ids anew. */
  async #settle(): Promise<LogPosition> {
    const place = await settleLog(this.#db.main, this.#place);
    this.#keptSince = (await readKept(this.#db.main)).since;
    if (this.#place !== null && this.#place.epoch !== place.epoch) {
      this.#terms.forget();
      this.#stories.beginAnew();
      this.#partitions.forget();
    }
    this.#place = place;
    return place;
  }

  /** See StoryShelf; approximate, because items that other processes are writing are not known yet. */
  recall(...query: Parameters<StoryShelf["recall"]>): ReturnType<StoryShelf["recall"]> {
    return this.#stories.recall(...query);
  }

  /** See StoryShelf. */
  recalledOf(id: string): ReturnType<StoryShelf["recalledOf"]> {
    return this.#stories.recalledOf(id);
  }

  #countTerms(tx: Queries, { created, revised }: AppendPlan): Promise<CountedTerms> {
    return this.#terms.count(tx, [
      ...created.map(({ logItem: { item } }): TermChange => termChange(item, item, 1)),
      ...revised.flatMap(({ logItem, before }) => termChanges(before.item, logItem.item)),
    ]);
  }
}

type CountedTerms = Awaited<ReturnType<TermIds["count"]>>;

function writesOf(
  { created, revised, aliases }: AppendPlan,
  { idOf, counts }: CountedTerms,
): readonly Write[] {
  if (created.length + revised.length + aliases.length === 0) return [];
  const termIds = (item: FeedItem) => termsOf(item).map(idOf);
  return [
    storeBatch({
      items: created.map((one) => itemRow(one, termIds(one.logItem.item))),
      sketches: created.flatMap(({ logItem, sketch }) =>
        sketch === null ? [] : [sketchRow(logItem, sketch)],
      ),
      counts,
      aliases,
    }),
    ...insertFilings([...created, ...revised.filter(isFoundAnew)].map(({ logItem }) => logItem.item)),
    ...replaceSketches(
      revised.flatMap(({ logItem, sketch }) => (sketch === null ? [] : [sketchRow(logItem, sketch)])),
    ),
    ...replaceVersions(revised.map((one) => versionRow(one, termIds(one.logItem.item)))),
  ];
}

/** What is stored beside the items: of their names, their sources and their documents. */
function writesBeside(plan: AppendPlan, requests: readonly AppendRequest[]): readonly Write[] {
  return [
    ...saveContentKeys(plan.unchanged),
    ...moveAliases(plan.moved),
    ...requests.flatMap((request, index) =>
      request.sourceId !== null && request.items.length > 0
        ? [saveProgress(progress(request, plan.outcomes[index] ?? []))]
        : [],
    ),
    ...savePending(requests, plan),
  ];
}

/** @param anew includes the months of completed items, which normally exist; set after the database missed one */
function monthsOf(items: readonly NewItem[], anew = false): Date[] {
  return items.filter(({ completes }) => anew || !completes).map(({ item }) => new Date(item.published_at));
}

function identitiesOf(requests: readonly AppendRequest[]): string[] {
  return requests.flatMap(({ items, retracted }) => [
    ...items.flatMap(formsOf),
    ...(retracted?.identities ?? []),
  ]);
}

interface PlanParts extends Opening {
  readonly stories: StoryShelf;
  readonly rules: IdentityRules;
}

async function planOf(
  tx: Queries,
  requests: readonly AppendRequest[],
  { stories, rules, lastSeq, keptSince, known }: PlanParts,
): Promise<AppendPlan> {
  const reissues = await withReissues(tx, await withOriginals(tx, requests), known, rules);
  const items = reissues.requests.flatMap((request) => request.items);
  const plan = new AppendPlan(known, stories, { rules, refused: await refusedFor(tx, items, keptSince) });
  for (const request of reissues.requests) plan.add(request, reissues.of);
  plan.write(await currentVersions(tx, plan.needed), lastSeq);
  return plan;
}

/** Gives a duplicate its owner's unique_id, which may be another form than its own. */
async function withOwnersNames(tx: Queries, { outcomes, created }: AppendPlan): Promise<AppendOutcome[][]> {
  const fresh = new Map(created.map(({ logItem: { item } }) => [item.id, item.unique_id]));
  const repeats = outcomes.flat().filter(({ id, status }) => status !== "created" && !fresh.has(id));
  const stored = await uniqueIds(
    tx,
    repeats.map(({ id }) => id),
  );
  const nameOf = (id: string) => fresh.get(id) ?? stored.get(id);
  return outcomes.map((of) => of.map((one) => ({ ...one, uniqueId: nameOf(one.id) ?? one.uniqueId })));
}

const isFoundAnew = ({ before, logItem }: Revised) => isFoundOtherwise(before.item, logItem.item);

function progress(
  { items, sourceId, live = false }: AppendRequest,
  outcomes: readonly AppendOutcome[],
): SourceProgress {
  const created = items.filter((_, index) => outcomes[index]?.status === "created");
  const times = items.map(({ item }) => Date.parse(item.published_at));
  return {
    id: sourceId ?? "",
    created: created.length,
    newestItemAt: times.length === 0 ? null : new Date(Math.max(...times)),
    damped: outcomes.filter(({ damped }) => damped === true).length,
    lagsMs: live ? created.flatMap(({ item }) => lagOf(item) ?? []) : [],
  };
}

function lagOf({ source_time, scraped_at }: NewItem["item"]): number | null {
  if (source_time === null) return null;
  return Math.max(0, Math.min(Date.parse(scraped_at) - Date.parse(source_time), 0x7fffffff));
}
