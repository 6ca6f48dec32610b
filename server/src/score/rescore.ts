import type { RescoreRequest, RescoreResult } from "@tapewire/contract/admin.ts";
import type { FeedItem } from "@tapewire/contract/feeds.ts";
import { notBefore } from "@tapewire/contract/input.ts";
import { modelVersion as flashVersion } from "@tapewire/scoring/flash/flash.ts";
import { withForm } from "@tapewire/scoring/form-from-text.ts";
import { type Recall, withNovelty } from "@tapewire/scoring/novelty.ts";
import { proVersion } from "@tapewire/scoring/pro/pro.ts";
import type { Artifact } from "@tapewire/scoring/types.ts";
import { nothingRecalled } from "../feed/story/story.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Db } from "../store/engine/db.ts";
import { addScores, itemsToRescore, type RescoreItem, type ScoreRow } from "../store/log/scores.ts";
import { type Engine, scoringOf } from "./engine.ts";
import type { OwnModel } from "./model/own-model.ts";
import { type ProPool, ProPoolError } from "./pro-pool.ts";

export interface RescoreDeps {
  readonly db: Db;
  readonly engine: Engine;
  readonly pool: ProPool;
  /** The operator's classifier, which pro asks; null or absent: there is none. */
  readonly own?: OwnModel | null;
  /** What was recalled when an item was judged; null: the feed no longer remembers it. */
  readonly recalledOf: (id: string) => Recall | null;
  readonly clock: Clock;
}

/** Items of one call: some seconds of work. */
const itemsAtOnce = 100;
/** With more, some would wait for a thread of pro past their deadline. */
const judgedAtOnce = 4;

/**
 * Scores stored items again, some at a time, and adds the new scores: no score is overwritten, and streams are not
 * notified. Items that this version of the model has scored are skipped, as are those in a language that no model knows.
 */
export async function rescore(deps: RescoreDeps, request: RescoreRequest): Promise<RescoreResult> {
  const { since, model, after } = request;
  const by = model === "pro" ? deepModel(deps.own ?? null) : { model, modelVersion: flashVersion };
  const { modelVersion } = by;
  const wanted = { since: notBefore(since), after, ...by, limit: itemsAtOnce };
  const { items, next } = await itemsToRescore(deps.db.main, wanted);
  const scored = items.filter(({ item }) => item.scoring.model !== null);
  const rows: { item: FeedItem; score: ScoreRow }[] = [];
  for (let from = 0; from < scored.length; from += judgedAtOnce) {
    const some = scored.slice(from, from + judgedAtOnce);
    const scores = await Promise.all(some.map((one) => scoreAgain(deps, one, model)));
    rows.push(...some.flatMap(({ item }, at) => (scores[at] == null ? [] : [{ item, score: scores[at] }])));
  }
  await addScores(deps.db.main, rows);
  return { next, scored: rows.length, model_version: modelVersion };
}

/** Whose verdicts those of pro are. */
const deepModel = (own: OwnModel | null) =>
  own === null
    ? { model: "pro", modelVersion: proVersion }
    : { model: `onnx:${own.folder.name}`, modelVersion: own.folder.version };

/** null: pro, or the operator's classifier, gave up on this item; it keeps its score, and the call continues with the next. */
async function scoreAgain(
  { engine, pool, own = null, clock, recalledOf }: RescoreDeps,
  { item, body, firstPublishedAt }: RescoreItem,
  model: "flash" | "pro",
): Promise<ScoreRow | null> {
  const artifact = itemArtifact(item, body);
  const hints = { symbols: item.symbols.map(({ symbol }) => symbol), isins: [], ciks: [] };
  const recalled = recalledOf(item.id) ?? recalledFrom(item, firstPublishedAt);
  const { symbols, verdict: flash } = engine.judgeAny(artifact, hints, () => recalled);
  const read = model === "pro" ? await pool.judge(artifact, symbols, flash).catch(givenUp) : flash;
  const judged = read?.model === "pro" && own !== null ? (await own.judge(artifact, read)).verdict : read;
  if (judged === null) return null;
  const verdict = withNovelty(judged, recalled);
  const scoring = scoringOf(verdict, clock.now());
  const { event, events } = verdict;
  return {
    scoring,
    event,
    events: [...events],
    sub_scores: verdict.subScores,
    analysis: [...verdict.symbols],
  };
}

/** A stored item as the models read it. */
export function itemArtifact(item: FeedItem, body: string): Artifact {
  return withForm({
    type: item.type,
    title: item.title ?? "",
    body,
    publishedAt: new Date(item.published_at),
    filing: item.filing,
    categories: [],
  });
}

/** For an old item only the story that it repeats is still known. */
export function recalledFrom({ published_at }: FeedItem, firstPublishedAt: Date | null): Recall {
  if (firstPublishedAt === null) return nothingRecalled;
  return { repeatsMs: Math.max(0, Date.parse(published_at) - firstPublishedAt.getTime()), onSymbols: 0 };
}

function givenUp(error: unknown): null {
  if (error instanceof ProPoolError && (error.reason === "timeout" || error.reason === "failed")) return null;
  throw error;
}
