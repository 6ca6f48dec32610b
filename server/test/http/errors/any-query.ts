import fc from "fast-check";
import { anyCharacter } from "../../../../scoring/test/any-character.ts";

export const parameters = [
  "since",
  "until",
  "aggregator",
  "actionability",
  "sentiment_min",
  "sentiment_max",
  "exchange",
  "symbol",
  "corp_activity",
  "market",
  "market_country",
  "economic_category",
  "limit",
  "cursor",
];

// Right values as often as wrong ones: a query that fails at its first parameter tests no other.
const anyText = fc.oneof(
  fc.constantFrom("1", "5", "10", "true", "earnings,ipo", "stock", "US,va", "gdp", "DEMO:OBTX", "push"),
  fc.constantFrom("2026-03-01T00:00:00Z", "9999-12-31T23:59:59.999Z", "0001-01-01T00:00:00Z"),
  fc.string({ unit: anyCharacter, maxLength: 12 }).map((text) => encodeURIComponent(text.toWellFormed())),
  fc.string({ unit: fc.constantFrom("%", "0", "F", "&", "=", ",", ":", "-", "+", "'", ";"), maxLength: 8 }),
);

/** Up to four of the parameters that the list knows, one of them perhaps twice. */
export const anyQuery = fc
  .array(fc.tuple(fc.constantFrom(...parameters), anyText), { maxLength: 4 })
  .map((pairs) => pairs.map(([name, text]) => `${name}=${text}`).join("&"));
