import type { Artifact } from "../types.ts";

export interface TradeHalt {
  /** 0..1, by judgement: an event to come moves the price, a past one does not. */
  readonly prior: number;
  readonly comment: string;
}

const codes: Readonly<Record<string, readonly [number, string]>> = {
  T1: [0.8, "news pending"],
  T2: [0.75, "news released"],
  T3: [0.4, "news and resumption times"],
  T5: [0.4, "single-stock pause"],
  T6: [0.65, "extraordinary market activity"],
  T7: [0.35, "quotation only"],
  T8: [0.3, "exchange-traded fund halt"],
  T12: [0.8, "additional information requested"],
  H4: [0.7, "non-compliance with listing rules"],
  H9: [0.65, "filings not current"],
  H10: [0.85, "SEC trading suspension"],
  H11: [0.7, "regulatory concern"],
  O1: [0.3, "operations halt"],
  LUDP: [0.42, "volatility pause"],
  LUDS: [0.42, "volatility pause, straddle condition"],
  M: [0.42, "volatility pause"],
  D: [0.6, "security deleted"],
  IPO1: [0.2, "not yet trading"],
};
const unknownCode: readonly [number, string] = [0.5, "reason not stated"];

const codePattern = /\b(T(?:1|2|3|5|6|7|8|12)|H(?:4|9|10|11)|O1|LUD[PS]|IPO1)\b/;
const ended = /\bresum(?:e|es|ed|ption|ing)\b|\breopen/i;

/** The meaning of a row of a trade halt list; null when the item is none. */
export function tradeHalt({ categories, title, body }: Artifact): TradeHalt | null {
  if (!categories.some((category) => /trade halt/i.test(category))) return null;
  const code =
    categories.map((category) => codePattern.exec(category)?.[1]).find((found) => found !== undefined) ??
    codePattern.exec(`${title} ${body.slice(0, 600)}`)?.[1] ??
    "";
  const [prior, meaning] = codes[code] ?? unknownCode;
  const what = code === "" ? "Trade halt" : `Trade halt ${code}`;
  if (ended.test(title))
    return { prior: Math.min(prior, 0.4), comment: `${what} (${meaning}) ends: '${title.slice(0, 60)}'` };
  return { prior, comment: `${what}: ${meaning}` };
}
