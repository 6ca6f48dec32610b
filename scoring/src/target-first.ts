/** Which company leads a text that tells of a takeover. */
import type { LinkedSymbol, Verdict } from "./types.ts";

/**
 * It is the target's price that moves, and that of who buys it little: so the target leads, though the buyer is named first.
 * Where the source itself names the companies, its first one leads.
 * @param verdict on the text, its analyses in the order of the symbols
 * @returns the symbols in their new order; null: it stays
 */
export function targetFirst(
  symbols: readonly LinkedSymbol[],
  { events, symbols: analyses }: Pick<Verdict, "events" | "symbols">,
): readonly LinkedSymbol[] | null {
  const [primary] = symbols;
  if (primary === undefined || symbols.length < 2 || primary.method === "hint" || primary.method === "cik")
    return null;
  const target = events.find(({ role, symbol }) => role === "target" && symbol !== null)?.symbol;
  const at = symbols.findIndex(({ symbol }) => symbol === target);
  const leading = symbols[at];
  if (at < 1 || leading === undefined) return null;
  const moves = (of: number) => Math.abs(analyses[of]?.sentiment_short ?? 0);
  if (moves(at) <= moves(0)) return null;
  const relevance = Math.max(leading.relevance, primary.relevance);
  const others = symbols.filter((one) => one !== leading).map((one) => ({ ...one, primary: false }));
  return [{ ...leading, relevance, primary: true }, ...others];
}
