/** Which items are studied, and what each observed. */
import { z } from "zod";
import { type Move, SymbolMoves } from "./moves.ts";
import type { Prices, Series } from "./prices.ts";

/** What the study reads of an entry of GET /v1/replay, and of a line of `tail --replay --json`. */
export const studiedEntry = z.object({
  logged_at: z.iso.datetime({ offset: true }),
  data: z.object({
    id: z.string(),
    revision: z.int().nonnegative(),
    status: z.string(),
    source: z.string(),
    published_at: z.iso.datetime({ offset: true }),
    copy_of: z.string().nullish(),
    event: z.string().nullish(),
    symbols: z.array(z.object({ symbol: z.string() })),
    scoring: z.object({
      locked: z.boolean(),
      actionability: z.boolean().nullable(),
      actionability_score: z.number().nullable(),
      sentiment_short: z.number().nullable(),
      sentiment_conviction: z.number().nullable(),
    }),
  }),
});
export type StudiedEntry = z.infer<typeof studiedEntry>;

export interface Observation {
  readonly atMs: number;
  /** The prices of its main symbol. */
  readonly series: Series;
  readonly source: string;
  readonly event: string | null;
  readonly isActionable: boolean;
  /** 0 to 100. */
  readonly score: number;
  /** -5 to 5. */
  readonly direction: number;
  /** 0 to 100. */
  readonly conviction: number;
  /** By horizon, at least one; null: the prices do not reach, or pause there. */
  readonly moves: readonly (Move | null)[];
}

export const exclusions = {
  later: "later versions of items that were counted, or that began before the study",
  retracted: "withdrawn",
  copies: "copies of earlier items",
  late: "logged more than an hour after publication",
  locked: "scores withheld: the key's plan does not show them",
  unscored: "not scored",
  "no symbol": "without a symbol",
  "no prices": "the main symbol has no prices in the file",
  "no price before": "no price in the five days before the item",
  "no price after": "the prices end before the shortest horizon does",
  "long pause": "no price in the five days after the shortest horizon",
  "no index price": "no price of the index in the five days before the item, or before its move ends",
} as const;
export type Exclusion = keyof typeof exclusions;

export interface ObserverOptions {
  readonly prices: Prices;
  readonly index: Series | null;
  readonly horizonsMs: readonly number[];
  /** Counts copies of earlier items too. */
  readonly copies: boolean;
  /** Counts items that were logged long after their publication too. */
  readonly late: boolean;
}

/** What a first walk over a source finds is no news: its prices moved before. Delays of sources and polls are shorter. */
const mostDelayMs = 3_600_000;

/** Takes entries in the order of the log, and keeps the first scored version of each item: what a subscriber could act on. */
export class Observer {
  readonly observations: Observation[] = [];
  readonly excluded = new Map<Exclusion, number>();
  delisted = 0;
  items = 0;
  readonly #options: ObserverOptions;
  readonly #moves = new Map<Series, readonly SymbolMoves[]>();
  /** Items whose first version had no scores. */
  readonly #unscored = new Set<string>();

  constructor(options: ObserverOptions) {
    this.#options = options;
  }

  take(entry: StudiedEntry): void {
    this.items += 1;
    const outcome = this.#observe(entry);
    if (typeof outcome === "string") this.excluded.set(outcome, (this.excluded.get(outcome) ?? 0) + 1);
    else this.observations.push(outcome);
  }

  #observe({ logged_at, data }: StudiedEntry): Observation | Exclusion {
    const { id, revision, scoring } = data;
    if (revision > 0 && !this.#unscored.delete(id)) return "later";
    if (data.status === "retracted") return "retracted";
    if (scoring.locked) return "locked";
    const { actionability, actionability_score: score, sentiment_short: direction } = scoring;
    if (actionability === null || score === null || direction === null) {
      this.#unscored.add(id);
      return "unscored";
    }
    if (!this.#options.copies && data.copy_of != null) return "copies";
    const atMs = Date.parse(logged_at);
    if (!this.#options.late && atMs - Date.parse(data.published_at) > mostDelayMs) return "late";
    const symbol = data.symbols[0]?.symbol;
    if (symbol === undefined) return "no symbol";
    const series = this.#options.prices.find(symbol);
    if (series === null) return "no prices";
    const found = this.#movesOf(series).map((moves) => moves.after(atMs));
    const moves = found.map((move) => (typeof move === "string" ? null : move));
    const [first] = found;
    if (typeof first === "string" && moves.every((move) => move === null)) return first;
    if (moves.some((move) => move?.isDelisted === true)) this.delisted += 1;
    return {
      atMs,
      series,
      source: data.source,
      event: data.event ?? null,
      isActionable: actionability,
      score,
      direction,
      conviction: scoring.sentiment_conviction ?? 0,
      moves,
    };
  }

  #movesOf(series: Series): readonly SymbolMoves[] {
    const { horizonsMs, index, prices } = this.#options;
    const known = this.#moves.get(series);
    if (known !== undefined) return known;
    const made = horizonsMs.map((horizonMs) => new SymbolMoves(series, { index, horizonMs, prices }));
    this.#moves.set(series, made);
    return made;
  }
}
