import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type ItemDetail, type Scoring, sentimentScore } from "@tapewire/contract/feeds.ts";
import type { TagSet } from "@tapewire/contract/tags.ts";
import { type Findings, flash } from "@tapewire/scoring/flash/flash.ts";
import { withForm } from "@tapewire/scoring/form-from-text.ts";
import { detectLanguage, scoredLanguages } from "@tapewire/scoring/language/language.ts";
import type { ListedTicker } from "@tapewire/scoring/linking/sec-tickers.ts";
import { linkSymbols } from "@tapewire/scoring/linking/symbols.ts";
import { SymbolTable } from "@tapewire/scoring/linking/table/symbol-table.ts";
import { type Recall, withNovelty } from "@tapewire/scoring/novelty.ts";
import type { ProVerdict } from "@tapewire/scoring/pro/types.ts";
import { summarize } from "@tapewire/scoring/summary.ts";
import { tagItem } from "@tapewire/scoring/tags/tags.ts";
import { targetFirst } from "@tapewire/scoring/target-first.ts";
import type { Artifact, LinkedSymbol, SymbolHints, Verdict } from "@tapewire/scoring/types.ts";
import { nothingRecalled } from "../feed/story/story.ts";
import { unscored } from "../feed/view.ts";
import type { ProTask } from "./pro-worker.ts";

const dataFolder = join(import.meta.dirname, "..", "..", "..", "scoring", "data");

/** Recalls what the feed has carried about a matter; called once the symbols of the text and its findings are known. */
export type RecallOf = (symbols: readonly LinkedSymbol[], findings: Findings) => Recall;

export const recallNothing: RecallOf = () => nothingRecalled;

/** What a model says of an item, with the feed's memory applied. */
interface Said {
  /** null: no model knows the language. */
  readonly verdict: Verdict | ProVerdict | null;
  readonly detail: ItemDetail;
  /** The verdict as if the story were new; null: it is new, or there is no verdict. */
  readonly alone: Verdict | ProVerdict | null;
}

/** Everything the engine says about one artifact. */
export interface Judgement extends Said {
  readonly symbols: readonly LinkedSymbol[];
  readonly tags: TagSet;
  /** ISO 639-1; null when it was not detected. */
  readonly language: string | null;
  /** What was recalled for the verdict. */
  readonly recalled: Recall;
  /** What pro needs to judge the artifact as well; null: no model knows the language. */
  readonly task: ProTask | null;
}

/** A list of tickers and the day of its data, YYYY-MM-DD. */
export interface RefreshedTickers {
  readonly rows: readonly ListedTicker[];
  readonly on: string;
}

/** The files are read again for each table, since they are too large to keep. */
function readTable(refreshed?: RefreshedTickers): SymbolTable {
  const read = (name: string) => readFileSync(join(dataFolder, name), "utf8");
  return SymbolTable.parse([read("symbols.tsv"), read("demo-symbols.tsv")], read("exchanges.tsv"), {
    history: read("symbol-history.tsv"),
    isins: read("isins.tsv"),
    nativeNames: read("native-names.tsv"),
    ...(refreshed === undefined ? {} : { refreshed }),
  });
}

/** Never changes, so all engines of the process share it. */
let shipped: WeakRef<SymbolTable> | null = null;

function shippedTable(): SymbolTable {
  const table = shipped?.deref() ?? readTable();
  shipped = new WeakRef(table);
  return table;
}

/**
 * The scoring engine. It reads its reference tables when they are first needed: a process that only streams never does.
 * Pure once they are there; some 150 microseconds per headline.
 */
export class Engine {
  /** Items of the feed judged since the start, and the time that took. */
  readonly judged = { items: 0, ms: 0 };
  #symbols: SymbolTable | null = null;

  /** The first call blocks the event loop for about half a second. */
  get symbols(): SymbolTable {
    this.#symbols ??= shippedTable();
    return this.#symbols;
  }

  /** Makes what the first verdict would make, which blocks the event loop: done before clients wait. */
  warm(): void {
    const title = "Profit rises 12% as company raises outlook";
    const artifact = {
      type: "news",
      title,
      body: `${title}.`,
      publishedAt: new Date(0),
      filing: null,
    } as const;
    this.judgeAny({ ...artifact, categories: [] }, { symbols: [], isins: [], ciks: [] }, recallNothing);
  }

  /** Applies the SEC's list to the shipped table; blocks the event loop for about half a second. */
  refreshTickers(refreshed: RefreshedTickers): void {
    this.#symbols = readTable(refreshed);
  }

  /**
   * Judges a caller's text in any language, since the caller asked for a verdict.
   * @returns the verdict as if the story were new; withNovelty applies what is recalled
   */
  judgeAny(
    artifact: Artifact,
    hints: SymbolHints,
    recall: RecallOf,
  ): { symbols: readonly LinkedSymbol[]; tags: TagSet; verdict: Verdict; recalled: Recall } {
    const judged = judgedWith(recall, artifact, linkSymbols(this.symbols, artifact, hints));
    return { tags: tagItem(artifact, judged.symbols), ...judged };
  }

  /**
   * @param given a filing without facts is judged by the form that its text names
   * @param options declared: the language that the source says the text is in, ISO 639-1; country: of the source, ISO
   * alpha-2, where it is known
   */
  judge(
    given: Artifact,
    hints: SymbolHints,
    {
      declared,
      country,
      recall,
    }: { declared: string | null; country?: string | undefined; recall: RecallOf },
  ): Judgement {
    const startedMs = performance.now();
    const { title, body, filing } = given;
    // Filings are in English; their tables of names and figures would mislead the detection.
    const language = filing === null ? detectLanguage(title, body, declared) : declared;
    const artifact = withForm(given);
    const linked = linkSymbols(this.symbols, { ...artifact, country }, hints);
    const isKnown = language === null || scoredLanguages.has(language);
    const judged = isKnown ? judgedWith(recall, artifact, linked) : null;
    const symbols = judged?.symbols ?? linked;
    const tags = tagItem(artifact, symbols);
    const recalled = judged?.recalled ?? recall(symbols, noFindings);
    const said =
      judged === null
        ? { verdict: null, alone: null, detail: unjudged(symbols, body) }
        : remembered(judged.verdict, recalled);
    const task = judged === null ? null : { artifact, symbols, flashVerdict: judged.verdict };
    this.judged.items += 1;
    this.judged.ms += performance.now() - startedMs;
    return { symbols, tags, language, recalled, task, ...said };
  }
}

/**
 * The judgement once pro was waited for.
 * @param last verdict: pro's on the task, null: flash's stands; repeatsMs: as it is recalled now
 */
export function judgedAtLast(
  judgement: Judgement,
  { verdict, repeatsMs }: { verdict: ProVerdict | null; repeatsMs: number | null },
): Judgement {
  const { task, recalled: before } = judgement;
  const read = verdict ?? task?.flashVerdict ?? null;
  if (read === null || (verdict === null && repeatsMs === before.repeatsMs)) return judgement;
  const recalled = { ...before, repeatsMs };
  return { ...judgement, recalled, ...remembered(read, recalled) };
}

/** What the feed remembers makes a verdict lower, whoever gave it. */
function remembered(read: Verdict | ProVerdict, recalled: Recall): Said {
  const verdict = withNovelty(read, recalled);
  const alone = recalled.repeatsMs === null ? null : withNovelty(read, { ...recalled, repeatsMs: null });
  const { symbols, subScores, summary } = verdict;
  return { verdict, alone, detail: { analysis: [...symbols], sub_scores: subScores, summary } };
}

/** The findings of a text that no model reads. */
const noFindings: Findings = { events: [], direction: 0 };

/** @param linked in the order of the text; a verdict of a takeover is given anew with its target first */
function judgedWith(
  recall: RecallOf,
  artifact: Artifact,
  linked: readonly LinkedSymbol[],
): { symbols: readonly LinkedSymbol[]; verdict: Verdict; recalled: Recall } {
  let recalled: Recall = nothingRecalled;
  const judgedFor = (symbols: readonly LinkedSymbol[]) =>
    flash(artifact, symbols, (findings) => {
      recalled = recall(symbols, findings);
      return { itemsOnSymbolToday: recalled.onSymbols };
    });
  const verdict = judgedFor(linked);
  const symbols = targetFirst(linked, verdict);
  return symbols === null
    ? { symbols: linked, verdict, recalled }
    : { symbols, verdict: judgedFor(symbols), recalled };
}

/** A verdict in the form that items have. */
export function scoringOf(
  verdict:
    | (Pick<Verdict, "actionability" | "sentiment" | "modelVersion"> & { readonly model: string })
    | null,
  scoredAt: Date,
): Scoring {
  if (verdict === null) return unscored;
  const { actionability, sentiment } = verdict;
  return {
    actionability: actionability.actionable,
    actionability_score: actionability.score,
    actionability_comment: actionability.comment,
    sentiment_score: sentimentScore(sentiment.shortDirection),
    sentiment_short: sentiment.shortDirection,
    sentiment_long: sentiment.longDirection,
    sentiment_conviction: sentiment.conviction,
    sentiment_comment: sentiment.comment,
    model: verdict.model,
    model_version: verdict.modelVersion,
    scored_at: scoredAt.toISOString(),
    locked: false,
  };
}

/** The detail of an item that no model reads. */
function unjudged(linked: readonly LinkedSymbol[], body: string): ItemDetail {
  const analysis = linked.map(({ symbol, exchange, short_symbol, logoid, primary, relevance }) => ({
    symbol,
    exchange,
    short_symbol,
    logoid,
    primary,
    relevance,
    sentiment_short: null,
    sentiment_long: null,
    sentiment_conviction: null,
    sentiment_score: null,
    sentiment_comment: null,
    evidence: [],
  }));
  return { analysis, sub_scores: null, summary: summarize(body) };
}
