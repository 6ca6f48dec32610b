import type { ReplayRequest, ReplayResult } from "@tapewire/contract/admin.ts";
import type { SourceConfig } from "../../config/sources.ts";
import type { IdentityRules } from "../../store/append/append-request.ts";
import type { Db } from "../../store/engine/db.ts";
import { answersSince, countAnswers, type StoredAnswer } from "../../store/intake/raw-answers.ts";
import type { Adapters } from "../adapter.ts";
import { documentOf } from "../documents/documents.ts";
import { newsOf } from "../pipeline/news.ts";
import { ingest, type PipelineDeps } from "../pipeline/pipeline.ts";
import type { RawItem } from "../raw-item.ts";
import type { PageReader } from "../reading/page-reader.ts";

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
 * reader now finds are created, items that it reads differently are revised, the others do not change. Sources that are no
 * longer configured are skipped.
 */
export async function replayAnswers(deps: ReplayDeps, request: ReplayRequest): Promise<ReplayResult> {
  const { since: sinceText, source: only = null, after, dry_run: dryRun } = request;
  const since = new Date(sinceText);
  const answers = await answersSince(deps.db.main, { since, after, sourceId: only, limit: answersAtOnce });
  const tally = { items: 0, created: 0, revised: 0, unchanged: 0 };
  const errors: ReplayResult["errors"] = [];
  for (const answer of answers) {
    try {
      add(tally, await replayOne(deps, answer, dryRun));
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

async function replayOne(deps: ReplayDeps, answer: StoredAnswer, dryRun: boolean): Promise<Tally> {
  const source = deps.sources.find(({ id }) => id === answer.sourceId);
  if (source === undefined) return { items: 0, created: 0, revised: 0, unchanged: 0 };
  const adapter = deps.adapters[source.format];
  const context = { source, spent: { readingMs: 0 }, signal: AbortSignal.timeout(longestMs) };
  const page = await deps.reader.page(await answer.unpack(), context);
  const scope = { sourceId: source.id, adapter, rules: deps.rules };
  const { listed, fresh, changed } = await newsOf(deps.db, page.items, scope);
  const count = dryRun
    ? { created: fresh.length, revised: changed.length }
    : await replayed(deps, [...fresh, ...changed], { source, adapter, retracted: page.retracted });
  return { items: listed, ...count, unchanged: listed - count.created - count.revised };
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
