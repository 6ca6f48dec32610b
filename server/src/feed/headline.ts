import type { FeedItem } from "@tapewire/contract/feeds.ts";

/**
 * The title as it is told where an item cannot be taken back: a withdrawn one begins with RETRACTED:, the form that wires use.
 * null: the item has no title.
 */
export function headlineOf({ title, status }: Pick<FeedItem, "title" | "status">): string | null {
  return status === "retracted" ? `RETRACTED: ${title ?? ""}`.trimEnd() : title;
}

type Judged = Pick<FeedItem, "symbols"> & {
  readonly scoring: Pick<
    FeedItem["scoring"],
    "sentiment_short" | "sentiment_conviction" | "actionability" | "actionability_score"
  >;
};

/** The score and the symbols in a line: "Bullish +3 (conviction 64) · actionable 81 · NASDAQ:OBTX". "": there is neither. */
export function verdictLine({ scoring, symbols }: Judged): string {
  const { sentiment_short: short, sentiment_conviction: conviction } = scoring;
  const { actionability, actionability_score: score } = scoring;
  const parts = [
    ...(short === null ? [] : [`${direction(short)} (conviction ${conviction ?? 0})`]),
    ...(actionability === null ? [] : [`${actionability ? "actionable" : "not actionable"} ${score ?? 0}`]),
    ...(symbols.length === 0 ? [] : [symbols.map(({ symbol }) => symbol).join(", ")]),
  ];
  return parts.join(" · ");
}

function direction(short: number): string {
  if (short === 0) return "Neutral";
  return short > 0 ? `Bullish +${short}` : `Bearish ${short}`;
}
