import type { Token } from "../../../text.ts";

/** A figure with its unit. Token indexes are into the sentence's tokens. */
export interface Amount {
  /** Scaled: 1.2 billion is 1.2e9. Negative when in brackets or after a minus. */
  readonly value: number;
  readonly unit: "currency" | "per_share" | "percent" | "points" | "plain";
  readonly currency: string | null;
  /** A scale word follows it. */
  readonly scaled: boolean;
  readonly first: number;
  /** First token after it. */
  readonly after: number;
  readonly start: number;
  readonly end: number;
}

const scales: ReadonlyMap<string, number> = new Map([
  ["thousand", 1e3],
  ["k", 1e3],
  ["lakh", 1e5],
  ["mn", 1e6],
  ["mln", 1e6],
  ["mm", 1e6],
  ["m", 1e6],
  ["million", 1e6],
  ["millions", 1e6],
  ["crore", 1e7],
  ["crores", 1e7],
  ["cr", 1e7],
  ["bn", 1e9],
  ["bln", 1e9],
  ["b", 1e9],
  ["billion", 1e9],
  ["billions", 1e9],
  ["trillion", 1e12],
  ["tn", 1e12],
]);

const currencyWords: ReadonlyMap<string, string> = new Map([
  ["usd", "USD"],
  ["dollars", "USD"],
  ["eur", "EUR"],
  ["euro", "EUR"],
  ["euros", "EUR"],
  ["gbp", "GBP"],
  ["pounds", "GBP"],
  ["jpy", "JPY"],
  ["yen", "JPY"],
  ["cny", "CNY"],
  ["rmb", "CNY"],
  ["yuan", "CNY"],
  ["inr", "INR"],
  ["rs", "INR"],
  ["rupees", "INR"],
  ["cad", "CAD"],
  ["aud", "AUD"],
  ["chf", "CHF"],
  ["sek", "SEK"],
  ["nok", "NOK"],
  ["dkk", "DKK"],
  ["krw", "KRW"],
  ["won", "KRW"],
  ["hkd", "HKD"],
  ["sgd", "SGD"],
  ["brl", "BRL"],
]);
const signs: ReadonlyMap<string, string> = new Map([
  ["$", "USD"],
  ["€", "EUR"],
  ["£", "GBP"],
  ["¥", "JPY"],
  ["₹", "INR"],
  ["₩", "KRW"],
]);
/** `C$`, `US$`: letters right before the sign. */
const dollarOf: ReadonlyMap<string, string> = new Map([
  ["us", "USD"],
  ["c", "CAD"],
  ["ca", "CAD"],
  ["a", "AUD"],
  ["au", "AUD"],
  ["nz", "NZD"],
  ["hk", "HKD"],
  ["s", "SGD"],
  ["r", "BRL"],
  ["nt", "TWD"],
]);

const numeric = /^(\d{1,15}(?:\.\d{1,6})?)([a-z]{1,3})?$/;
/** Tokens leave out the full stop of "$0.42.", and the point of ".42". */
const isDigit = (character: string): boolean => character >= "0" && character <= "9";

interface Before {
  readonly currency: string | null;
  readonly negative: boolean;
  readonly start: number;
}

/** What precedes a number: spaces, bracket or minus, and the sign of a currency. */
function before(text: string, tokens: readonly Token[], at: number, from: number): Before {
  const token = tokens[at];
  if (token === undefined) return { currency: null, negative: false, start: 0 };
  let index = token.start - 1;
  let currency: string | null = null;
  let negative = false;
  let start = token.start;
  // A sign, a bracket, a minus and a blank or tab each occur once or twice at most.
  for (let steps = 0; index >= from && steps < 5; steps += 1, index -= 1) {
    const character = text.charAt(index);
    const sign = signs.get(character);
    if (sign !== undefined && currency === null) {
      const letters = tokens[at - 1];
      const special = letters !== undefined && letters.end === index ? dollarOf.get(letters.word) : undefined;
      currency = special !== undefined && character === "$" ? special : sign;
      start = special === undefined || letters === undefined ? index : letters.start;
    } else if (
      character === "(" ||
      ((character === "-" || character === "−") && !isWordBefore(text, index))
    ) {
      negative = true;
      start = Math.min(start, index);
    } else if (character !== " " && character !== "\t" && character !== ".") break;
  }
  if (currency === null) {
    const word = tokens[at - 1];
    const named = word === undefined ? undefined : currencyWords.get(word.word);
    if (named !== undefined && word !== undefined && token.start - word.end <= 2)
      return { currency: named, negative, start: word.start };
  }
  return { currency, negative: negative && closesOrSigns(text, token.end, start), start };
}

const isWordBefore = (text: string, index: number): boolean => /[\p{L}\p{N}]/u.test(text.charAt(index - 1));

/** A bracket makes a negative only if it closes right after the figure: "($0.12)", not "($5 billion in cash". */
function closesOrSigns(text: string, end: number, start: number): boolean {
  const opening = text.slice(start, start + 2);
  return !opening.includes("(") || /^[%)\s]{0,2}\)|^\)/.test(text.slice(end, end + 3));
}

const perShareWords = new Set(["share", "ads", "unit"]);

/** The end of "per share", "a share", "per diluted share", "per basic and diluted share" after an amount. */
function perShareEnd(tokens: readonly Token[], at: number): number {
  const lead = tokens[at]?.word;
  if (lead !== "per" && lead !== "a" && lead !== "each" && lead !== "an") return at;
  for (let index = at + 1; index < at + 6; index += 1) {
    const word = tokens[index]?.word;
    if (word !== undefined && perShareWords.has(word)) return index + 1;
    if (
      word === undefined ||
      !/^(?:diluted|basic|and|common|ordinary|american|depositary|adjusted)$/.test(word)
    )
      return at;
  }
  return at;
}

interface Behind {
  readonly unit: Amount["unit"];
  readonly currency: string | null;
  /** 0.01 for cents. */
  readonly factor: number;
  readonly after: number;
  readonly end: number;
}

const points = /^(?:basis|bps|bp|percentage)$/;

/** The unit right after a number, or after its scale. */
function unitBehind(text: string, tokens: readonly Token[], at: number, end: number): Behind | null {
  const next = tokens[at];
  if (text.charAt(end) === "%" || text.slice(end, end + 2) === " %")
    return { unit: "percent", currency: null, factor: 1, after: at, end: text.indexOf("%", end) + 1 };
  if (next === undefined || !gapIsBlank(text, end, next.start)) return null;
  const { word } = next;
  const one = { currency: null, factor: 1, after: at + 1, end: next.end };
  if (word === "percent" || word === "pct") return { ...one, unit: "percent" };
  const second = tokens[at + 1];
  if (word === "per" && second?.word === "cent")
    return { ...one, unit: "percent", after: at + 2, end: second.end };
  if (points.test(word)) return { ...one, unit: "points" };
  if (word === "cents" || word === "cent")
    return { ...one, unit: "per_share", currency: "USD", factor: 0.01 };
  const named = currencyWords.get(word);
  return named === undefined ? null : { ...one, unit: "currency", currency: named };
}

interface Scaled {
  readonly value: number;
  readonly scaled: boolean;
  readonly after: number;
  readonly end: number;
}

/** The number at a token with the scale in it ("1.2bn") or after it ("1.2 billion"); null when it is no number. */
function numberAt(text: string, tokens: readonly Token[], at: number, hasCurrency: boolean): Scaled | null {
  const token = tokens[at];
  const parts = token === undefined ? null : numeric.exec(token.word);
  if (token === undefined || parts === null) return null;
  const pointBefore = text.charAt(token.start - 1) === "." && !isDigit(text.charAt(token.start - 2));
  const base = pointBefore ? Number(`0.${parts[1] ?? ""}`) : Number(parts[1]);
  if (parts[2] !== undefined) {
    const scale = scales.get(parts[2]);
    return scale === undefined ? null : { value: base * scale, scaled: true, after: at + 1, end: token.end };
  }
  const next = tokens[at + 1];
  // "5 m" may be metres; "$5 m" is five million.
  const isWord =
    next !== undefined && gapIsBlank(text, token.end, next.start) && (next.word.length > 1 || hasCurrency);
  const scale = isWord ? scales.get(next.word) : undefined;
  return scale === undefined || next === undefined
    ? { value: base, scaled: false, after: at + 1, end: token.end }
    : { value: base * scale, scaled: true, after: at + 2, end: next.end };
}

/** @param from where the sentence starts: earlier text is ignored */
function amountAt(text: string, tokens: readonly Token[], at: number, from: number): Amount | null {
  const lead = before(text, tokens, at, from);
  const number = numberAt(text, tokens, at, lead.currency !== null);
  if (number === null) return null;
  const behind = unitBehind(text, tokens, number.after, number.end);
  const unit = behind?.unit ?? (lead.currency !== null || number.scaled ? "currency" : "plain");
  const after = behind?.after ?? number.after;
  const value = number.value * (behind?.factor ?? 1) * (lead.negative ? -1 : 1);
  const found = { value, unit, currency: lead.currency ?? behind?.currency ?? null, scaled: number.scaled };
  const share = unit === "percent" || unit === "points" || number.scaled ? after : perShareEnd(tokens, after);
  const end = behind?.end ?? number.end;
  return share > after
    ? {
        ...found,
        unit: "per_share",
        first: at,
        after: share,
        start: lead.start,
        end: tokens[share - 1]?.end ?? end,
      }
    : { ...found, first: at, after, start: lead.start, end };
}

/** "1.2 billion", "two-million", "$(14.2) million". */
const gapIsBlank = (text: string, from: number, to: number): boolean =>
  to - from <= 3 && /^[\s)-]*$/.test(text.slice(from, to));

const isYear = (amount: Amount): boolean =>
  amount.unit === "plain" && Number.isInteger(amount.value) && amount.value >= 1900 && amount.value <= 2100;

/** Figures read per sentence; a row of a table has fewer. */
const most = 40;

/** The figures of a sentence, in order, without years. @param from where the sentence starts */
export function amountsOf(text: string, tokens: readonly Token[], from: number): readonly Amount[] {
  const found: Amount[] = [];
  for (let at = 0; at < tokens.length && found.length < most; ) {
    const code = text.charCodeAt(tokens[at]?.start ?? 0);
    const amount = code >= 48 && code <= 57 ? amountAt(text, tokens, at, from) : null;
    if (amount !== null && !isYear(amount)) found.push(amount);
    at = amount === null ? at + 1 : amount.after;
  }
  return found;
}
