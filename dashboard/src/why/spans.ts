import type { Evidence, FeedItemDetail, Verdict } from "../core/types.ts";

/** A stretch of the text and why it counts. */
export interface Span {
  readonly start: number;
  readonly end: number;
  /** Ids of what it is evidence for: a factor, an event, a symbol. */
  readonly owner: string;
  readonly tone: "" | "up" | "down";
}

/** A piece of the text between two borders of spans. */
export interface Piece {
  readonly text: string;
  readonly start: number;
  readonly owners: readonly string[];
  readonly tone: Span["tone"];
}

const toneOf = (value: number | null) => (value === null || value === 0 ? "" : value > 0 ? "up" : "down");

const spansOf = (evidence: readonly Evidence[], owner: string, tone: Span["tone"]): Span[] =>
  evidence.map(({ start, end }) => ({ start, end, owner, tone }));

export const factorId = (head: "actionability" | "sentiment", at: number) => `${head}-${at}`;

/** The words that the reasons of a verdict rest on. */
export const factorSpans = (detail: Verdict["detailed_analysis"]): readonly Span[] =>
  (["actionability", "sentiment"] as const)
    .flatMap((head) =>
      (detail?.[head].factors ?? []).flatMap(({ evidence, weight }, at) =>
        spansOf(evidence, factorId(head, at), head === "sentiment" ? toneOf(weight) : ""),
      ),
    )
    .filter(({ start, end }) => end > start);

/** Everything in the text that counts: of the item's events and symbols, and of the reasons where they are known. */
export function allSpans(item: FeedItemDetail, verdict: Verdict | null): readonly Span[] {
  return [
    ...item.events.flatMap(({ evidence }, at) =>
      evidence === null ? [] : spansOf([evidence], `event-${at}`, ""),
    ),
    ...item.analysis.flatMap(({ symbol, evidence, sentiment_short }) =>
      spansOf(evidence, `symbol-${symbol}`, toneOf(sentiment_short)),
    ),
    ...factorSpans(verdict?.detailed_analysis),
  ].filter(({ start, end }) => end > start);
}

/**
 * Cuts a part of the text at the borders of the spans.
 * @param from, to the part, in UTF-16 code units of title + newline + body, as evidence counts
 */
export function piecesOf(text: string, from: number, to: number, spans: readonly Span[]): readonly Piece[] {
  const inside = spans.filter(({ start, end }) => start < to && end > from);
  const borders = new Set([from, to]);
  for (const { start, end } of inside) {
    borders.add(Math.max(from, start));
    borders.add(Math.min(to, end));
  }
  const sorted = [...borders].sort((a, b) => a - b);
  return sorted.slice(0, -1).map((start, at) => {
    const end = sorted[at + 1] ?? to;
    const those = inside.filter((span) => span.start <= start && span.end >= end);
    return {
      text: text.slice(start, end),
      start,
      owners: [...new Set(those.map(({ owner }) => owner))],
      tone: those.find(({ tone }) => tone !== "")?.tone ?? "",
    };
  });
}

/** Paragraphs of the body as offsets into the whole text. */
export function paragraphsOf(
  text: string,
  from: number,
): readonly { readonly start: number; readonly end: number }[] {
  return [...text.slice(from).matchAll(/[^\n]*\S[^\n]*/g)].map(({ 0: line, index }) => ({
    start: from + index,
    end: from + index + line.length,
  }));
}
