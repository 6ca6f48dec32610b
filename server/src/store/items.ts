import { sql } from "kysely";
import { termsOf } from "../feed/filter.ts";
import type { LogItem, NewItem } from "../feed/item.ts";
import { encodeDoc } from "../feed/view.ts";
import type { Db, Queries } from "./db.ts";
import type { Partitions } from "./partitions.ts";
import { type SourceProgress, saveProgress } from "./sources.ts";
import { TermIds } from "./terms.ts";

/** Items that go in together, with the source whose progress commits with them. */
export interface AppendRequest {
  readonly items: readonly NewItem[];
  /** State key of the source; null for pushes. */
  readonly sourceId: string | null;
}

export interface AppendOutcome {
  readonly id: string;
  readonly uniqueId: string;
  readonly status: "created" | "duplicate";
}

/** The writing side of the item tables. */
export class ItemWriter {
  readonly #db: Db;
  readonly #partitions: Partitions;
  readonly #terms = new TermIds();

  constructor(db: Db, partitions: Partitions) {
    this.#db = db;
    this.#partitions = partitions;
  }

  /**
   * Appends the requests in one transaction. Idempotent: an item any of whose identities is known is a duplicate, so a
   * batch whose commit was not confirmed can simply be sent again. seq is given under the lock of log_head, hence dense
   * and commit-ordered over all processes.
   * @returns per request and item what became of it, and the created items in the order of the log
   */
  async append(
    requests: readonly AppendRequest[],
  ): Promise<{ outcomes: AppendOutcome[][]; created: LogItem[] }> {
    const items = requests.flatMap((request) => request.items);
    await this.#partitions.ensure(
      this.#db.main,
      items.map(({ item }) => new Date(item.published_at)),
    );
    let remember = () => {};
    const result = await this.#db.main.transaction().execute(async (tx) => {
      const lastSeq = await lockHead(tx);
      const known = await knownAliases(
        tx,
        items.flatMap(({ identity }) => identity),
      );
      const plan = new AppendPlan(known, lastSeq);
      const outcomes = requests.map((request) => request.items.map((item) => plan.add(item)));
      if (plan.created.length > 0) remember = await this.#insert(tx, plan);
      if (plan.aliases.length > 0) await insertAliases(tx, plan.aliases);
      for (const [index, request] of requests.entries())
        if (request.sourceId !== null) await saveProgress(tx, progress(request, outcomes[index] ?? []));
      const named = await withOwnersNames(tx, outcomes);
      return { outcomes: named, created: plan.created.map(({ logItem }) => logItem) };
    });
    remember();
    return result;
  }

  async #insert(tx: Queries, plan: AppendPlan): Promise<() => void> {
    const rows = plan.created.map(({ logItem, newItem }) => ({
      logItem,
      newItem,
      terms: termsOf(logItem.item),
      publishedAt: logItem.item.published_at,
    }));
    const { idOf, remember } = await this.#terms.count(tx, rows);
    await insertItems(
      tx,
      rows.map(({ logItem, newItem, terms }) => itemRow(logItem, newItem, terms.map(idOf))),
    );
    return remember;
  }
}

/** Decides what of a batch is new, in order, and gives it seq. */
class AppendPlan {
  readonly created: { logItem: LogItem; newItem: NewItem }[] = [];
  readonly aliases: { alias: string; item_id: string }[] = [];
  readonly #owner: Map<string, string>;
  #seq: number;

  constructor(known: ReadonlyMap<string, string>, lastSeq: number) {
    this.#owner = new Map(known);
    this.#seq = lastSeq;
  }

  add(newItem: NewItem): AppendOutcome {
    const { item, identity } = newItem;
    const owner = identity.map((alias) => this.#owner.get(alias)).find((id) => id !== undefined);
    const id = owner ?? item.id;
    for (const alias of identity) {
      if (this.#owner.has(alias)) continue;
      this.#owner.set(alias, id);
      this.aliases.push({ alias, item_id: id });
    }
    if (owner !== undefined) return { id, uniqueId: item.unique_id, status: "duplicate" };
    this.#seq += 1;
    const doc = encodeDoc(this.#seq, JSON.stringify(item));
    this.created.push({ logItem: { seq: this.#seq, item: { seq: this.#seq, ...item }, doc }, newItem });
    return { id, uniqueId: item.unique_id, status: "created" };
  }
}

/** A duplicate is known under its owner's unique_id, which may be another form than its own. */
async function withOwnersNames(
  tx: Queries,
  outcomes: readonly AppendOutcome[][],
): Promise<AppendOutcome[][]> {
  const repeats = outcomes.flat().filter(({ status }) => status === "duplicate");
  if (repeats.length === 0) return outcomes.map((of) => [...of]);
  const owners = await tx
    .selectFrom("item_keys")
    .select(["id", "unique_id"])
    .where("id", "in", [...new Set(repeats.map(({ id }) => id))])
    .execute();
  const names = new Map(owners.map(({ id, unique_id }) => [id, unique_id]));
  return outcomes.map((of) => of.map((one) => ({ ...one, uniqueId: names.get(one.id) ?? one.uniqueId })));
}

function progress({ items, sourceId }: AppendRequest, outcomes: readonly AppendOutcome[]): SourceProgress {
  const newest = Math.max(...items.map(({ item }) => Date.parse(item.published_at)));
  return {
    id: sourceId ?? "",
    created: outcomes.filter(({ status }) => status === "created").length,
    newestItemAt: Number.isFinite(newest) ? new Date(newest) : null,
  };
}

async function lockHead(tx: Queries): Promise<number> {
  const { last_seq } = await tx
    .selectFrom("log_head")
    .select("last_seq")
    .forUpdate()
    .executeTakeFirstOrThrow();
  return last_seq;
}

/** Of these identities, the ones that an item has, with its id. */
export async function knownAliases(db: Queries, aliases: readonly string[]): Promise<Map<string, string>> {
  if (aliases.length === 0) return new Map();
  const found = await sql<{ alias: string; item_id: string }>`
    select alias, item_id from item_aliases where alias = any(${aliases}::text[])`.execute(db);
  return new Map(found.rows.map(({ alias, item_id }) => [alias, item_id]));
}

async function insertAliases(
  tx: Queries,
  aliases: readonly { alias: string; item_id: string }[],
): Promise<void> {
  await sql`
    insert into item_aliases (alias, item_id)
    select alias, item_id from json_to_recordset(${JSON.stringify(aliases)}::json) as r (alias text, item_id uuid)`.execute(
    tx,
  );
}

function itemRow(
  { seq, item, doc }: LogItem,
  { detail, body }: NewItem,
  terms: readonly (number | undefined)[],
) {
  const { scoring } = item;
  return {
    seq,
    id: item.id,
    unique_id: item.unique_id,
    published_at: item.published_at,
    scraped_at: item.scraped_at,
    actionable: scoring.actionability,
    sentiment: scoring.sentiment_score,
    terms,
    doc,
    detail: JSON.stringify(detail),
    body,
    model: scoring.model,
    model_version: scoring.model_version,
    scored_at: scoring.scored_at,
    verdict: { scoring, sub_scores: detail.sub_scores, analysis: detail.analysis },
  };
}

/** One statement and one parameter for all tables; ends with the new head of the log. */
async function insertItems(tx: Queries, rows: readonly ReturnType<typeof itemRow>[]): Promise<void> {
  await sql`
    with r as materialized (
      select * from json_to_recordset(${JSON.stringify(rows)}::json) as r (
        seq bigint, id uuid, unique_id text, published_at timestamptz, scraped_at timestamptz, actionable boolean,
        sentiment smallint, terms int[], doc text, detail text, body text, model text, model_version text,
        scored_at timestamptz, verdict json)
    ), keyed as (
      insert into item_keys (id, seq, unique_id, published_at) select id, seq, unique_id, published_at from r
    ), listed as (
      insert into items (seq, id, published_at, scraped_at, actionable, sentiment, terms)
      select seq, id, published_at, scraped_at, actionable, sentiment, terms from r
    ), told as (
      insert into item_bodies (id, published_at, doc, detail, body) select id, published_at, doc, detail, body from r
    ), scored as (
      insert into scores (item_id, published_at, model, model_version, scored_at, verdict)
      select id, published_at, model, model_version, scored_at, verdict from r where model is not null
    )
    update log_head set last_seq = (select max(seq) from r)`.execute(tx);
}
