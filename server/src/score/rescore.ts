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
import type { ThreadFailure } from "../runtime/sharing/thread-pool.ts";
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
  readonly own?: Pick<OwnModel, "folder" | "judge"> | null;
  /** What was recalled when an item was judged; null: the feed no longer remembers it. */
  readonly recalledOf: (id: string) => Recall | null;
  readonly clock: Clock;
}

/** Items of one call: some seconds of work. */
const itemsAtOnce = 100;
/** With more, some would wait for a thread of pro past their deadline. */
const judgedAtOnce = 4;
/** For a turn, and for a thread that starts: nobody waits for the verdict of one item. */
const waitMs = 60_000;

/**
 * Scores stored items again, some at a time, and adds the new scores: no score is overwritten, and streams are not
 * notified. Items that this version of the model has scored are passed over, as are those in a language that no model
 * knows.
 * @throws {ModelBusyError} the model had no turn for all; what it scored is stored
 */
export async function rescore(deps: RescoreDeps, request: RescoreRequest): Promise<RescoreResult> {
  const { since, model, after } = request;
  const by = model === "pro" ? deepModel(deps.own ?? null) : { model, modelVersion: flashVersion };
  const { modelVersion } = by;
  const wanted = { since: notBefore(since), after, ...by, limit: itemsAtOnce };
  const { items, next } = await itemsToRescore(deps.db.main, wanted);
  const scored = items.filter(({ item }) => item.scoring.model !== null);
  const outcomes: Outcome[] = [];
  for (let from = 0; from < scored.length && !outcomes.includes("busy"); from += judgedAtOnce) {
    const some = scored.slice(from, from + judgedAtOnce);
    outcomes.push(...(await Promise.all(some.map((one) => scoreAgain(deps, one, model)))));
  }
  const rows = outcomes.filter((one) => typeof one === "object");
  await addScores(deps.db.main, rows);
  if (outcomes.includes("busy")) throw new ModelBusyError(rows.length);
  return { next, scored: rows.length, skipped: outcomes.length - rows.length, model_version: modelVersion };
}

/** The call may be repeated in some seconds. */
export class ModelBusyError extends Error {
  override readonly name = "ModelBusyError";

  constructor(scored: number) {
    super(
      `Too many texts wait for the model: ${scored} items were scored. Repeat the call with the same after`,
    );
  }
}

/** Whose verdicts those of pro are. */
const deepModel = (own: Pick<OwnModel, "folder"> | null) =>
  own === null
    ? { model: "pro", modelVersion: proVersion }
    : { model: `onnx:${own.folder.name}`, modelVersion: own.folder.version };

/**
 * gave up: pro, or the operator's classifier, cannot judge this text; it keeps its score, and the call continues with the
 * next. busy: there was no turn for it.
 */
type Outcome = { readonly item: FeedItem; readonly score: ScoreRow } | "gave up" | "busy";

async function scoreAgain(
  { engine, pool, own = null, clock, recalledOf }: RescoreDeps,
  { item, body, firstPublishedAt }: RescoreItem,
  model: "flash" | "pro",
): Promise<Outcome> {
  const artifact = itemArtifact(item, body);
  const hints = { symbols: item.symbols.map(({ symbol }) => symbol), isins: [], ciks: [] };
  const recalled = recalledOf(item.id) ?? recalledFrom(item, firstPublishedAt);
  const { symbols, verdict: flash } = engine.judgeAny(artifact, hints, () => recalled);
  const read =
    model === "pro" ? await pool.judge(artifact, symbols, flash, { waitMs }).catch(outcomeOfFailure) : flash;
  if (typeof read === "string") return read;
  const asked = read.model === "pro" && own !== null ? await own.judge(artifact, read, { waitMs }) : null;
  if (asked !== null && asked.verdict === null) return outcomeOf(asked.failure);
  const verdict = withNovelty(asked?.verdict ?? read, recalled);
  const scoring = scoringOf(verdict, clock.now());
  const { event, events } = verdict;
  const score = {
    ...{ scoring, event, events: [...events] },
    sub_scores: verdict.subScores,
    analysis: [...verdict.symbols],
  };
  return { item, score };
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

/** Whether a thread gave up on the text itself, or had no turn for it. */
const outcomeOf = (failure: ThreadFailure): "gave up" | "busy" =>
  failure === "busy" || failure === "late" || failure === "closed" ? "busy" : "gave up";

function outcomeOfFailure(error: unknown): "gave up" | "busy" {
  if (error instanceof ProPoolError) return outcomeOf(error.reason);
  throw error;
}
