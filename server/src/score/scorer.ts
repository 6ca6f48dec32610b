import { createHash } from "node:crypto";
import { sentimentScore } from "@tapewire/contract/feeds.ts";
import {
  type DetailedAnalysis,
  defaultScoreModel,
  type ScoreArtifact,
  type ScoreOptions,
  type Verdict,
} from "@tapewire/contract/score.ts";
import type { TagSet } from "@tapewire/contract/tags.ts";
import { withForm } from "@tapewire/scoring/form-from-text.ts";
import { detectLanguage } from "@tapewire/scoring/language/language.ts";
import { type Recall, withNovelty } from "@tapewire/scoring/novelty.ts";
import type {
  Artifact,
  Verdict as FlashVerdict,
  LinkedSymbol,
  SymbolHints,
} from "@tapewire/scoring/types.ts";
import type { FeedItem } from "../feed/item.ts";
import { nothingRecalled, type StoryFacts } from "../feed/story/story.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import { failed, traced } from "../runtime/tracing/traces.ts";
import type { Engine, RecallOf } from "./engine.ts";
import type { ProAnswer, ProJudge } from "./pro-judge.ts";
import { ProPoolError } from "./pro-pool.ts";
import { itemArtifact } from "./rescore.ts";
import { factsOf } from "./story-facts.ts";
import { detailedOf, isForeign, unread } from "./verdict-notes.ts";

export interface ScorerDeps {
  readonly engine: Engine;
  readonly pro: ProJudge;
  /** What the feed has carried about a matter. */
  readonly recall: (facts: StoryFacts, id: null) => Recall;
  readonly clock: Clock;
  readonly log: Log;
  readonly watch: ScoreWatch;
}

/** Counts verdicts. */
export interface ScoreWatch {
  scored(model: string, seconds: number): void;
  /** A smaller model answers because the requested one failed. */
  stoodIn(model: "pro" | "flash"): void;
}

/** A verdict without the caller's usage. */
export type Scored = Omit<Verdict, "usage">;

type DeepVerdict = ProAnswer["verdict"];
type AnyVerdict = FlashVerdict | DeepVerdict;

/** What is to be judged. */
interface Asked {
  readonly artifact: Artifact;
  readonly hints: SymbolHints;
  readonly recall: RecallOf;
  /** ISO 639-1; null: any that the models know. */
  readonly language: string | null;
  /** What the id of the verdict is made of, beside the options and the verdict. */
  readonly said: unknown;
}

/** Judges texts that callers send, and items of the feed. The verdict names the model that answered. */
export class Scorer {
  readonly #deps: ScorerDeps;

  constructor(deps: ScorerDeps) {
    this.#deps = deps;
  }

  /** @param account of the caller: accounts take turns at pro */
  score(given: ScoreArtifact, options: ScoreOptions, account: string): Promise<Scored> {
    const artifact = withForm(artifactOf(given, this.#deps.clock.now()));
    const recall: RecallOf = (about, findings) => {
      const facts = factsOf(artifact, about, findings, { source: "score" });
      return facts === null ? nothingRecalled : this.#deps.recall(facts, null);
    };
    const { published_at: _, ...said } = given;
    const hints = hintsOf(given.related_symbols ?? []);
    return this.#verdict({ artifact, hints, recall, language: languageOf(artifact), said }, options, account);
  }

  /**
   * A verdict on a stored item, as it would be scored again.
   * @param recalled what the feed had carried about it when it came
   */
  scoreItem(
    { item, body, recalled }: { item: FeedItem; body: string; recalled: Recall },
    options: ScoreOptions,
    account: string,
  ): Promise<Scored> {
    const artifact = itemArtifact(item, body);
    const hints = hintsOf(item.symbols.map(({ symbol }) => symbol));
    const language = item.filing === null ? item.language : null;
    const said = [item.id, item.revision];
    return this.#verdict({ artifact, hints, recall: () => recalled, language, said }, options, account);
  }

  async #verdict(asked: Asked, options: ScoreOptions, account: string): Promise<Scored> {
    const startedMs = performance.now();
    const { engine, clock } = this.#deps;
    const { artifact, language } = asked;
    const { symbols, tags, verdict: flash, recalled } = engine.judgeAny(artifact, asked.hints, asked.recall);
    const model = options.model ?? defaultScoreModel(artifact.type);
    const wantsPro = model === "pro" || options.include_detailed_analysis;
    const pro = wantsPro ? await this.#pro(account, asked, symbols, flash) : null;
    const judged: AnyVerdict = model === "pro" ? (pro ?? flash) : flash;
    const isUnread = !judged.model.startsWith("llm:") && isForeign(language);
    const read = isUnread ? unread(judged, language) : judged;
    const verdict = withNovelty(read, recalled);
    const skips = options.score_sentiment === "if_actionable" && !verdict.actionability.actionable;
    const tookMs = performance.now() - startedMs;
    this.#deps.watch.scored(verdict.model, tookMs / 1_000);
    const detailed =
      options.include_detailed_analysis && pro !== null
        ? detailedOf(pro, { judged, read, verdict }, skips)
        : null;
    return {
      id: verdictId(asked.said, options, verdict),
      created_at: clock.now().toISOString(),
      ...shown(verdict, tags, { skips, detailed }),
      timing_ms: Math.round((performance.now() - startedMs) * 1000) / 1000,
    };
  }

  /** null: pro cannot answer in time; flash always can. */
  #pro(
    account: string,
    { artifact, language }: Asked,
    symbols: readonly LinkedSymbol[],
    flash: FlashVerdict,
  ): Promise<DeepVerdict | null> {
    const attributes = { "tapewire.artifact": artifact.type, "tapewire.body_chars": artifact.body.length };
    return traced("pro verdict", { attributes }, async (span) => {
      const verdict = await this.#judged(
        { artifact, symbols, flashVerdict: flash },
        { owner: account, language },
      );
      if (verdict === null) failed(span, "flash answers");
      else span.setAttribute("tapewire.model", verdict.model);
      return verdict;
    });
  }

  async #judged(...task: Parameters<ProJudge["judge"]>): Promise<DeepVerdict | null> {
    const { pro, log, watch } = this.#deps;
    try {
      const { verdict, reason } = await pro.judge(...task);
      if (reason !== null) {
        watch.stoodIn("pro");
        log.warn({ reason }, "the operator's model gave no verdict; pro answers");
      }
      return verdict;
    } catch (error) {
      if (!(error instanceof ProPoolError)) throw error;
      watch.stoodIn("flash");
      log.warn({ reason: error.message }, "pro gave no verdict; flash answers");
      return null;
    }
  }
}

/** Filings are in English, even if their tables of names and figures do not look like it. */
const languageOf = ({ type, title, body }: Artifact): string | null =>
  type === "filing" ? null : detectLanguage(title, body, null);

const hintsOf = (symbols: readonly string[]): SymbolHints => ({ symbols, isins: [], ciks: [] });

function artifactOf(given: ScoreArtifact, now: Date): Artifact {
  const { type, title, body, tags = [], published_at } = given;
  const publishedAt = published_at === undefined ? now : new Date(published_at);
  return { type, title: readable(title), body: readable(body), publishedAt, filing: null, categories: tags };
}

/** Replaces characters that no text has and no database stores; offsets stay, since evidence names them. */
function readable(text: string): string {
  return text.toWellFormed().replaceAll(/[\p{Cc}--[\t\n\r]]/gv, " ");
}

/** The same verdict on the same artifact has the same id; it changes once the feed has carried the story. */
function verdictId(said: unknown, options: ScoreOptions, verdict: AnyVerdict): string {
  const { model, modelVersion, actionability, sentiment } = verdict;
  const text = JSON.stringify([said, options, model, modelVersion, actionability, sentiment]);
  const hex = createHash("sha256").update(text).digest("hex");
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  // A UUID of version 8 (RFC 9562), whose bits are free to define.
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function shown(
  verdict: AnyVerdict,
  tags: TagSet,
  { skips, detailed }: { skips: boolean; detailed: DetailedAnalysis | null },
): Omit<Scored, "id" | "created_at" | "timing_ms"> {
  const { actionability, sentiment, subScores, event, events } = verdict;
  const subs = subScores.sentiment ?? { intensity: 0, agreement: 0, certainty: 0 };
  return {
    model: verdict.model,
    model_version: verdict.modelVersion,
    actionability: { ...actionability, sub_scores: subScores.actionability },
    sentiment: skips
      ? null
      : {
          short_direction: sentiment.shortDirection,
          long_direction: sentiment.longDirection,
          conviction: sentiment.conviction,
          score: sentimentScore(sentiment.shortDirection),
          comment: sentiment.comment,
          sub_scores: subs,
        },
    ...(skips ? { sentiment_skipped_reason: "not_actionable" as const } : {}),
    event,
    events: [...events],
    symbols: verdict.symbols.map((entry) => (skips ? withoutSentiment(entry) : entry)),
    tags,
    ...(detailed === null ? {} : { detailed_analysis: detailed }),
  };
}

function withoutSentiment(entry: Scored["symbols"][number]): Scored["symbols"][number] {
  return {
    ...entry,
    sentiment_short: null,
    sentiment_long: null,
    sentiment_conviction: null,
    sentiment_score: null,
    sentiment_comment: null,
    evidence: [],
  };
}
