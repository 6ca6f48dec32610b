import type { FeedItem, StreamItem } from "tapewire";
import { z } from "zod";
import { line, most, quoted } from "./clean.ts";

const symbolsShown = 12;

/** What lists show of an item. Members are named as in the interface; those without a value are left out. */
export const shownItem = z.object({
  id: z.string(),
  published_at: z.string(),
  source: z.string(),
  link: z.string().optional(),
  title: z.string(),
  symbols: z.array(z.string()),
  event: z.string().optional(),
  actionability: z.boolean().optional(),
  actionability_score: z.number().optional(),
  sentiment_short: z.number().optional(),
  sentiment_conviction: z.number().optional(),
  status: z.string().optional(),
  locked: z.boolean().optional(),
});
/** The same in the lists of other tools than the search, where it is described. */
export const briefItem = z.looseObject({}).describe("as in search_feed");
export type ShownItem = z.infer<typeof shownItem>;

type Source = Omit<FeedItem, "scoring"> | Omit<StreamItem, "scoring">;
type Scores = Pick<
  FeedItem["scoring"],
  "actionability" | "actionability_score" | "sentiment_short" | "sentiment_conviction" | "locked"
>;

export function itemOf(item: Source & { readonly scoring: Scores }): ShownItem {
  const { scoring, status } = item;
  return {
    id: item.id,
    published_at: item.published_at,
    source: line(item.source, most.name),
    ...(item.link === null ? {} : { link: line(item.link, most.link) }),
    title: line(item.title ?? "", most.title),
    symbols: item.symbols.slice(0, symbolsShown).map(({ symbol }) => line(symbol, most.name)),
    ...present({
      event: item.event,
      actionability: scoring.actionability,
      actionability_score: scoring.actionability_score,
      sentiment_short: scoring.sentiment_short,
      sentiment_conviction: scoring.sentiment_conviction,
    }),
    ...(status === "published" ? {} : { status }),
    ...(scoring.locked ? { locked: true } : {}),
  };
}

/** The members that have a value. */
export function present<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], null | undefined> } {
  const given = Object.entries(members).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(given) as { [K in keyof T]?: Exclude<T[K], null | undefined> };
}

/** An item as one line of text. */
export function itemLine(item: ShownItem): string {
  const { published_at: at, symbols, title, event, source, link, id, status } = item;
  return [
    `${at.slice(0, 16)}Z`,
    symbols.slice(0, 4).join(",") || "-",
    quoted(title),
    scoreText(item),
    ...(event === undefined ? [] : [event]),
    ...(status === undefined ? [] : [status]),
    source,
    ...(link === undefined ? [] : [link]),
    `id ${id}`,
  ].join(" | ");
}

/** Scores in words that fit in a line. */
export function scoreText(item: Partial<ShownItem>): string {
  const { locked, actionability, actionability_score: score, sentiment_short: short } = item;
  if (locked === true) return "scores not in the plan";
  if (score === undefined && short === undefined) return "not scored";
  return [
    `${actionability === true ? "actionable" : "not actionable"} ${score ?? "-"}/100`,
    ...(short === undefined
      ? []
      : [`sentiment ${signed(short)} conviction ${item.sentiment_conviction ?? "-"}`]),
  ].join(", ");
}

export const signed = (value: number): string => (value > 0 ? `+${value}` : String(value));
