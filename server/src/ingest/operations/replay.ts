import type { ReplayRequest, ReplayResult } from "@tapewire/contract/admin.ts";
import type { SourceConfig } from "../../config/sources.ts";
import type { IdentityRules } from "../../store/append/append-request.ts";
import { formsOf, knownItems, ownerOf } from "../../store/append/item-keys.ts";
import { currentVersions } from "../../store/append/versions.ts";
import type { Db } from "../../store/engine/db.ts";
import { answersSince, countAnswers, type StoredAnswer } from "../../store/intake/raw-answers.ts";
import type { Adapters, ParsedPage } from "../adapter.ts";
import { documentOf } from "../documents/documents.ts";
import type { FetchedResponse } from "../fetch/types.ts";
import { newsOf } from "../pipeline/news.ts";
import { ingest, type PipelineDeps } from "../pipeline/pipeline.ts";
import type { RawItem } from "../raw-item.ts";
import type { PageReader } from "../reading/page-reader.ts";
import { LaterAnswers } from "./later-answers.ts";

export interface ReplayDeps extends PipelineDeps {
  readonly db: Db;
  readonly rules: IdentityRules;
  readonly adapters: Adapters;
  readonly reader: PageReader;
  readonly sources: readonly SourceConfig[];
}

/** Stored responses per call: some seconds of work. */
const answersAtOnce = 20;
/** Longest time for one response, including the wait for a reader. */
const longestMs = 60_000;

type Tally = Pick<ReplayResult, "items" | "created" | "revised" | "unchanged">;

/**
 * Reads stored responses again, in the order of their arrival, as if the sources had just sent them. Items that a better
 * reader now finds are created, items that it reads differently are revised, the others do not change: what a source has
 * corrected since is not published again. Sources that are no longer configured are skipped.
 */
export async function replayAnswers(deps: ReplayDeps, request: ReplayRequest): Promise<ReplayResult> {
  const { since: sinceText, source: only = null, after, dry_run: dryRun } = request;
  const since = new Date(sinceText);
  const answers = await answersSince(deps.db.main, { since, after, sourceId: only, limit: answersAtOnce });
  const tally = { items: 0, created: 0, revised: 0, unchanged: 0 };
  const later = new Map<string, LaterAnswers>();
  const errors: ReplayResult["errors"] = [];
  for (const answer of answers) {
    try {
      add(tally, await replayOne(deps, answer, { dryRun, later }));
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      errors.push({ source: answer.sourceId, url: answer.url, detail });
    }
  }
  const next = answers.length < answersAtOnce ? null : (answers.at(-1)?.id ?? null);
  const remaining =
    next === null ? 0 : await countAnswers(deps.db.main, { since, after: next, sourceId: only });
  return { next, remaining, answers: answers.length, ...tally, errors };
}

function add(total: Tally, more: Tally): void {
  total.items += more.items;
  total.created += more.created;
  total.revised += more.revised;
  total.unchanged += more.unchanged;
}

interface Replaying {
  readonly dryRun: boolean;
  /** By source; filled as needed. */
  readonly later: Map<string, LaterAnswers>;
}

async function replayOne(
  deps: ReplayDeps,
  answer: StoredAnswer,
  { dryRun, later }: Replaying,
): Promise<Tally> {
  const source = deps.sources.find(({ id }) => id === answer.sourceId);
  if (source === undefined) return { items: 0, created: 0, revised: 0, unchanged: 0 };
  const adapter = deps.adapters[source.format];
  const response = await answer.unpack();
  const page = await readPage(deps, response, source);
  const scope = { sourceId: source.id, adapter, rules: deps.rules };
  const { listed, fresh, changed: differing } = await newsOf(deps.db, page.items, scope);
  const read = (one: FetchedResponse, of: SourceConfig) => readPage(deps, one, of);
  const after = later.get(source.id) ?? new LaterAnswers({ db: deps.db.main, read }, source, answer.id);
  later.set(source.id, after);
  const newer = await storedLater(deps.db, differing, { sourceId: source.id, at: response.fetchedAt });
  const changed: RawItem[] = [];
  for (const item of differing)
    if (!newer.has(item) || !(await after.list(item, answer.id))) changed.push(item);
  const count = dryRun
    ? { created: fresh.length, revised: changed.length }
    : await replayed(deps, [...fresh, ...changed], { source, adapter, retracted: page.retracted });
  return { items: listed, ...count, unchanged: listed - count.created - count.revised };
}

function readPage(
  { reader }: ReplayDeps,
  response: FetchedResponse,
  source: SourceConfig,
): Promise<ParsedPage> {
  const signal = AbortSignal.timeout(longestMs);
  return reader.page(response, { source, spent: { readingMs: 0 }, signal });
}

/**
 * The items whose stored version is of a later time: the source has corrected them since, or their documents were read. In
 * the first case a later response lists them too.
 */
async function storedLater(
  { main }: Db,
  items: readonly RawItem[],
  { sourceId, at }: { readonly sourceId: string; readonly at: Date },
): Promise<ReadonlySet<RawItem>> {
  if (items.length === 0) return new Set();
  const known = await knownItems(main, items.flatMap(formsOf));
  const owners = new Map(
    items.map((item) => [item, ownerOf(item, (form) => known.get(form), sourceId)?.owner.id]),
  );
  const stored = await currentVersions(
    main,
    [...owners.values()].filter((id) => id !== undefined),
  );
  return new Set(
    items.filter((item) => {
      const before = stored.get(owners.get(item) ?? "");
      return before?.sourceId === sourceId && new Date(before.item.updated_at) > at;
    }),
  );
}

async function replayed(
  deps: ReplayDeps,
  items: readonly RawItem[],
  {
    source,
    adapter,
    retracted,
  }: { source: SourceConfig; adapter: Adapters["feed"]; retracted: readonly string[] },
): Promise<{ created: number; revised: number }> {
  const outcomes = await ingest(deps, items.toReversed(), {
    sourceId: source.id,
    backfill: true,
    retracted,
    pendingOf: (item) => documentOf(item, { source, adapter, backfill: true }),
  });
  const count = (wanted: string) => outcomes.filter(({ status }) => status === wanted).length;
  return { created: count("created"), revised: count("revised") };
}
