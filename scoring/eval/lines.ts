/** Measures on lines in the form of GUIDE.md: direction, actionability, event, contrast pairs, companies. */
import { z } from "zod";
import { eventCatalogue } from "../src/flash/events/catalogue.ts";
import type { Artifact, LinkedSymbol, Verdict } from "../src/types.ts";
import { readEventNames } from "../training/corpus.ts";

export const line = z.object({
  text: z.string(),
  body: z.string().optional(),
  kind: z.enum(["headline", "sentence", "filing", "macro", "post"]),
  label: z.enum(["positive", "neutral", "negative"]),
  actionable: z.boolean(),
  event: z.string(),
  /** Group of the table, where the author named one. */
  group: z.string().optional(),
  companies: z.array(z.object({ name: z.string(), role: z.string(), direction: z.number() })),
  pair: z.string().nullish(),
});
export type Line = z.infer<typeof line>;

const typeOf = { headline: "news", sentence: "news", macro: "news", filing: "filing", post: "ugc" } as const;

export const artifactOf = ({ text, body, kind }: Line): Artifact => ({
  type: typeOf[kind],
  title: text,
  body: body ?? "",
  publishedAt: new Date(0),
  filing: null,
  categories: [],
});

/** The companies as if they were known: the first subject is the primary one. */
export function symbolsOf({ companies }: Line): readonly LinkedSymbol[] {
  const subject = Math.max(
    0,
    companies.findIndex(({ role }) => role === "subject"),
  );
  return companies
    .map(
      ({ name }, at): LinkedSymbol => ({
        symbol: `TEST:C${at}`,
        exchange: "TEST",
        short_symbol: `C${at}`,
        logoid: null,
        name,
        country: null,
        type: "stock",
        method: "alias",
        relevance: at === subject ? 90 : 50,
        primary: at === subject,
      }),
    )
    .toSorted((a, b) => Number(b.primary) - Number(a.primary));
}

export interface LineMeasures {
  readonly actionable_f1: number;
  /** Share of the lines whose author's event is a kind of the table, or none. */
  readonly event_known: number;
  /** Of these, the share whose leading event is that kind. */
  readonly event_accuracy: number;
  /** Share of the lines with a known group, the author's own or that of a known kind, whose leading event is of it. */
  readonly event_group_accuracy: number;
  /** Share of the contrast groups in which every line has the right sign; null without pairs. */
  readonly pairs_right: number | null;
  /** Share of the companies whose sign is right. */
  readonly company_direction_accuracy: number | null;
}

export interface JudgedLine {
  readonly line: Line;
  readonly verdict: Omit<Verdict, "model">;
}

const share = (hits: readonly boolean[]): number => hits.filter(Boolean).length / Math.max(1, hits.length);
const groups = new Map(eventCatalogue.map(({ name, group }) => [name, group]));
const labels = ["negative", "neutral", "positive"] as const;

const isRight = ({ line: { label }, verdict }: JudgedLine): boolean =>
  labels[Math.sign(verdict.sentiment.shortDirection) + 1] === label;

function actionableF1(judged: readonly JudgedLine[]): number {
  const called = judged.filter(({ verdict }) => verdict.actionability.actionable);
  const wanted = judged.filter(({ line: { actionable } }) => actionable);
  const right = called.filter(({ line: { actionable } }) => actionable);
  return (2 * right.length) / Math.max(1, called.length + wanted.length);
}

function eventMeasures(judged: readonly JudgedLine[]) {
  const names = readEventNames();
  const kindOf = (event: string): string | undefined =>
    event === "none" || groups.has(event) ? event : names.get(event);
  const groupOf = (kind: string): string => groups.get(kind) ?? "none";
  const known = judged.flatMap(({ line: { event }, verdict }) => {
    const kind = kindOf(event);
    return kind === undefined ? [] : [{ kind, found: verdict.event ?? "none" }];
  });
  const grouped = judged.flatMap(({ line: { event, group }, verdict }) => {
    const kind = kindOf(event);
    const named = group ?? (kind === undefined ? undefined : groupOf(kind));
    return named === undefined ? [] : [{ named, found: groupOf(verdict.event ?? "none") }];
  });
  return {
    event_known: known.length / Math.max(1, judged.length),
    event_accuracy: share(known.map(({ kind, found }) => kind === found)),
    event_group_accuracy: share(grouped.map(({ named, found }) => named === found)),
  };
}

function pairsRight(judged: readonly JudgedLine[]): number | null {
  const pairs = new Map<string, boolean>();
  for (const one of judged) {
    const { pair } = one.line;
    if (pair !== null && pair !== undefined) pairs.set(pair, (pairs.get(pair) ?? true) && isRight(one));
  }
  return pairs.size === 0 ? null : share([...pairs.values()]);
}

function companiesRight(judged: readonly JudgedLine[]): number | null {
  const hits = judged.flatMap(({ line: { companies }, verdict }) =>
    companies.map(({ direction }, at) => {
      const found = verdict.symbols.find(({ symbol }) => symbol === `TEST:C${at}`);
      return Math.sign(found?.sentiment_short ?? 0) === Math.sign(direction);
    }),
  );
  return hits.length === 0 ? null : share(hits);
}

export const measureLines = (judged: readonly JudgedLine[]): LineMeasures => ({
  actionable_f1: actionableF1(judged),
  ...eventMeasures(judged),
  pairs_right: pairsRight(judged),
  company_direction_accuracy: companiesRight(judged),
});
