import type { RawCue } from "./cues.ts";
import { badNouns, goodNouns } from "./lexicon.ts";
import type { Token } from "./text.ts";

const scales: ReadonlyMap<string, number> = new Map([
  ["thousand", 1e3],
  ["k", 1e3],
  ["lakh", 1e5],
  ["mn", 1e6],
  ["mln", 1e6],
  ["m", 1e6],
  ["million", 1e6],
  ["crore", 1e7],
  ["cr", 1e7],
  ["bn", 1e9],
  ["bln", 1e9],
  ["b", 1e9],
  ["billion", 1e9],
  ["trillion", 1e12],
]);
const joined = /^(\d+(?:\.\d+)?)(k|m|mn|mln|bn|b|cr)?$/;

interface Amount {
  readonly value: number;
  readonly scaled: boolean;
  readonly first: number;
  /** Token after the amount. */
  readonly after: number;
  readonly percent: boolean;
}

function amountAt(text: string, tokens: readonly Token[], at: number): Amount | null {
  const token = tokens[at];
  const parts = token === undefined ? null : joined.exec(token.word);
  if (token === undefined || parts === null) return null;
  const next = tokens[at + 1];
  const unit = parts[2] ?? (next !== undefined && scales.has(next.word) ? next.word : null);
  const after = unit !== null && parts[2] === undefined ? at + 2 : at + 1;
  const percent = text.charAt(token.end) === "%" || next?.word === "per" || next?.word === "percent";
  const value = Number(parts[1]) * (unit === null ? 1 : (scales.get(unit) ?? 1));
  return { value, scaled: unit !== null, first: at, after, percent };
}

const linkWords = new Set(["from", "versus", "vs", "against", "compared", "over", "than", "down", "up"]);
const thenWords = new Set(["from", "versus", "vs", "against", "with", "to"]);
const skipped = new Set([
  "eur",
  "usd",
  "rs",
  "inr",
  "gbp",
  "a",
  "an",
  "the",
  "loss",
  "profit",
  "of",
  "about",
  "year",
  "ago",
  "earlier",
  "net",
]);

/** Amount within a few small words after `at`: "compared with a profit of EUR 8.7 mn". */
function nextAmount(text: string, tokens: readonly Token[], from: number): Amount | null {
  for (let at = from; at < Math.min(tokens.length, from + 5); at += 1) {
    const amount = amountAt(text, tokens, at);
    if (amount !== null) return amount;
    const word = tokens[at]?.word ?? "";
    if (!skipped.has(word) && !thenWords.has(word)) return null;
  }
  return null;
}

/** Two amounts can be set against each other when neither is a percentage and their units are alike. */
const comparable = (a: Amount, b: Amount): boolean =>
  !a.percent && !b.percent && a.value > 0 && b.value > 0 && (a.scaled === b.scaled || !b.scaled);

function nounBefore(tokens: readonly Token[], at: number): { sign: number; token: Token } | null {
  for (let index = at - 1; index >= Math.max(0, at - 9); index -= 1) {
    const token = tokens[index];
    if (token === undefined) continue;
    if (badNouns.has(token.word)) return { sign: -1, token };
    if (goodNouns.has(token.word)) return { sign: 1, token };
  }
  return null;
}

/** Years and days are no amounts of money. */
const isYear = ({ value, scaled }: Amount): boolean => !scaled && value >= 1990 && value <= 2099;

/**
 * Now against before: "profit of 13.1 mn compared with 8.7 mn", "sales fell to 90 mn from 95 mn", "from X to Y".
 * A change under 1% says nothing.
 */
export function comparisonCues(text: string, tokens: readonly Token[]): readonly RawCue[] {
  const found: RawCue[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const first = amountAt(text, tokens, at);
    if (first === null || isYear(first)) continue;
    const link = tokens[first.after]?.word ?? "";
    const backwards = linkWords.has(link);
    if (!backwards && link !== "to") continue;
    if (link === "to" && tokens[at - 1]?.word !== "from" && tokens[at - 2]?.word !== "from") continue;
    const second = nextAmount(text, tokens, first.after + 1);
    const noun = nounBefore(tokens, at);
    if (second === null || noun === null || !comparable(first, second) || isYear(second)) continue;
    const now = backwards ? first.value : second.value;
    const before = backwards ? second.value : first.value;
    const change = now / before - 1;
    const end = tokens[second.after - 1]?.end ?? noun.token.end;
    if (Math.abs(change) < 0.01 || Math.abs(change) > 50) continue;
    const weight = Math.sign(change) * noun.sign * (Math.abs(change) > 0.15 ? 1.8 : 1.3);
    found.push({ start: noun.token.start, end, weight, label: "Now against before" });
    at = second.after - 1;
  }
  return found;
}
