import { signed } from "../core/format.ts";
import type { SymbolRef } from "../core/types.ts";

const glyphOf = (direction: number) => (direction > 0 ? "▲" : direction < 0 ? "▼" : "●");
const wordOf = (direction: number) => (direction > 0 ? "bullish" : direction < 0 ? "bearish" : "neutral");
const classOf = (direction: number) => (direction > 0 ? "up" : direction < 0 ? "down" : "quiet");

const NotScored = () => (
  <span class="mark quiet">
    <span aria-hidden="true">—</span>
    <span class="unseen">not scored</span>
  </span>
);

/** A direction as glyph, number and, where it is given, conviction as width. */
export function Direction({
  value,
  conviction = null,
}: {
  value: number | null;
  conviction?: number | null;
}) {
  if (value === null) return <NotScored />;
  const said = `${wordOf(value)} ${value}${conviction === null ? "" : `, conviction ${conviction}`}`;
  return (
    <span
      class={`mark mono ${classOf(value)} ${conviction === null ? "" : "part"}`}
      style={{ "--part": `${conviction}%` }}
      title={`${said}; from −5 to +5`}
    >
      <span aria-hidden="true">
        {glyphOf(value)} {signed(value)}
      </span>
      <span class="unseen">{said}</span>
    </span>
  );
}

/** Actionability 0..100 as bar and number. */
export function Actionable({ score, is }: { score: number | null; is: boolean | null }) {
  if (score === null) return <NotScored />;
  return (
    <span
      class={`mark mono part ${is ? "accent" : "quiet"}`}
      style={{ "--part": `${score}%` }}
      title={is ? "rated actionable" : "rated not actionable"}
    >
      {score}
      <span class="unseen"> {is ? "actionable" : "not actionable"}</span>
    </span>
  );
}

/** Tickers with their exchange, as many as fit; the rest as a number. */
export function Tickers({ symbols, most = 3 }: { symbols: readonly SymbolRef[]; most?: number }) {
  const shown = symbols.slice(0, most);
  return (
    <span class="tickers">
      {shown.map((one) => (
        <bdi key={one.symbol} class="mono" title={one.symbol}>
          {one.short_symbol ?? one.symbol}
        </bdi>
      ))}
      {symbols.length === 1 && <span class="mono quiet">{symbols[0]?.exchange}</span>}
      {symbols.length > most && <span class="quiet small">+{symbols.length - most}</span>}
    </span>
  );
}
