import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ItemDetail, Scoring } from "@tapewire/contract/feeds.ts";
import type { TagSet } from "@tapewire/contract/tags.ts";
import { flash } from "@tapewire/scoring/flash.ts";
import { linkSymbols, SymbolTable } from "@tapewire/scoring/symbols.ts";
import { tagItem } from "@tapewire/scoring/tags.ts";
import type { Artifact, LinkedSymbol, SymbolHints, Verdict } from "@tapewire/scoring/types.ts";

const dataFolder = join(import.meta.dirname, "..", "..", "..", "scoring", "data");

/** Everything the engine says of one artifact. */
export interface Judgement {
  readonly symbols: readonly LinkedSymbol[];
  readonly tags: TagSet;
  readonly verdict: Verdict;
}

/** The scoring engine with its reference tables loaded. Pure from there on; some 150 microseconds a headline. */
export class Engine {
  readonly symbols: SymbolTable;

  private constructor(symbols: SymbolTable) {
    this.symbols = symbols;
  }

  static async load(): Promise<Engine> {
    const read = (name: string) => readFile(join(dataFolder, name), "utf8");
    const [symbols, demo, exchanges] = await Promise.all([
      read("symbols.tsv"),
      read("demo-symbols.tsv"),
      read("exchanges.tsv"),
    ]);
    return new Engine(SymbolTable.parse([symbols, demo], exchanges));
  }

  judge(artifact: Artifact, hints: SymbolHints): Judgement {
    const symbols = linkSymbols(this.symbols, artifact, hints);
    return { symbols, tags: tagItem(artifact, symbols), verdict: flash(artifact, symbols) };
  }
}

/** A verdict as items carry it. */
export function scoringOf(verdict: Verdict, scoredAt: Date): Scoring {
  const { actionability, sentiment } = verdict;
  return {
    actionability: actionability.actionable,
    actionability_score: actionability.score,
    actionability_comment: actionability.comment,
    sentiment_score: legacySentiment(sentiment.shortDirection),
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

export function detailOf({ symbols, subScores, summary }: Verdict): ItemDetail {
  return { analysis: [...symbols], sub_scores: subScores, summary };
}

/**
 * Folds the short-horizon direction into the score kept for older clients.
 * @param shortDirection integer -5..+5
 * @returns 0 (most bearish) .. 10 (most bullish)
 */
function legacySentiment(shortDirection: number): number {
  return 5 + shortDirection;
}
