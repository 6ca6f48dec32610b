import type { DetailsOf } from "@tapewire/contract/filings.ts";
import { amountOf, shortText } from "./xml.ts";

type Offering = DetailsOf<"offering">;

/** A registration statement has its own cover, of some 8,000 characters, before that of the prospectus. */
const mostCover = 25_000;
const mostLines = 300;
/** Headlines of a cover are short; the longer sentences below also mention other securities. */
const mostHeadline = 140;

const units =
  "shares|units|american depositary shares|adss?|depositary shares|common shares|ordinary shares|common units";
const sharesLine = new RegExp(
  String.raw`^(?:up to )?(\d[\d,]{2,20}) (?:class [a-z] )?(${units})\b(?: of (.{3,100}))?`,
  "i",
);
const dollarsLine = /^(?:up to )?(?:us|u\.s\. ?)?\$ ?(\d[\d,]{5,20})(?:\s(?:of )?(.{3,100}))?$/i;
const securityLine = /\b(?:stock|shares|units|notes|debentures|bonds)\b/i;
const noSecurity = /prospectus|registration|table of contents|filed|offered by/i;
const priceRow = /^(?:(?:initial|combined) )?(?:(?:public )?offering price|price to (?:the )?public)\b/i;
const priceInText =
  /\bprice[^.$]{0,60}\$ ?(\d{1,6}(?:\.\d{1,6})?) per (?:share|unit|ads|american depositary share|common share|ordinary share)/i;
const otherPrice = /assum|last reported|last sale|closing|exercise|market price|book value|conversion/i;
const aggregateInText =
  /aggregate (?:gross )?(?:offering|sales) price of up to \$ ?(\d[\d,]{0,20}(?:\.\d{1,2})?)(?: (million|billion))?/i;

/**
 * What the cover of a prospectus states about the offering; what it leaves blank or words differently is null.
 * @param text of the document, one line per paragraph or table row, tabs between cells
 * @returns null when it has neither price nor size
 * Source: Regulation S-K, item 501; recorded prospectuses.
 */
export function parseOffering(text: string): Offering | null {
  const lines = text
    .slice(0, mostCover)
    .split("\n", mostLines)
    .map((line) => line.trim());
  const { at, gross, ...size } = headlineSize(lines);
  const table = priceTable(lines);
  const price_usd = table.price ?? (table.isPercent ? null : statedPrice(lines));
  const gross_usd = table.total ?? gross ?? statedAggregate(lines);
  if (price_usd === null && gross_usd === null && size.shares === null) return null;
  return { kind: "offering", price_usd, ...size, gross_usd, resale: isResale(lines.slice(at, at + 6)) };
}

/** Whether only holders sell: the paragraphs below the headline say so, and none says that the company sells too. */
function isResale(below: readonly string[]): boolean {
  const paragraphs = below.join("\n").slice(0, 5_000);
  return (
    /\bselling (?:stock|share|security ?|unit)holders?\b/i.test(paragraphs) &&
    !/\bwe are (?:offering|selling|issuing)\b/i.test(paragraphs)
  );
}

/** "5,000,000 Shares of Common Stock", or on two lines; "$500,000,000" over "5.25% Notes due 2031". */
function headlineSize(lines: readonly string[]) {
  for (const [index, line] of lines.entries()) {
    if (line.length > mostHeadline) continue;
    const [, shares, unit = "", of] = sharesLine.exec(line) ?? [];
    const [, dollars, what] = dollarsLine.exec(line) ?? [];
    if (shares === undefined && dollars === undefined) continue;
    const below = lines.slice(index + 1, index + 4).find(isSecurity);
    const plainUnit = /^(shares|units)?$/i.test(unit);
    const security = shortText(of ?? what ?? (plainUnit ? (below ?? unit) : unit), 100);
    const gross = amountOf(dollars);
    const count = amountOf(shares);
    if (count !== null || (gross !== null && security !== null))
      return { at: index, shares: count, gross, security };
  }
  return { at: lines.length, shares: null, gross: null, security: null };
}

function isSecurity(line: string): boolean {
  return line.length <= mostHeadline && securityLine.test(line) && !noSecurity.test(line);
}

/** The row of the price: per share, perhaps other securities, then the total. Notes are priced in percent. */
function priceTable(lines: readonly string[]) {
  for (const line of lines) {
    if (line.length > 300 || !priceRow.test(line)) continue;
    const row = line.replaceAll(/\(\d{1,2}\)/g, " ");
    const isPercent = row.includes("%");
    const amounts = [...row.matchAll(/\$\s*(\d[\d,]{0,20}(?:\.\d{1,6})?)/g)].map(([, digits]) =>
      amountOf(digits),
    );
    const [first = null] = amounts;
    const last = amounts.at(-1) ?? null;
    if (first === null && !isPercent) continue;
    const isTotal = isPercent || amounts.length > 1;
    return { price: isPercent ? null : first, total: isTotal ? last : null, isPercent };
  }
  return { price: null, total: null, isPercent: false };
}

function statedPrice(lines: readonly string[]): number | null {
  for (const line of lines)
    for (const sentence of line.slice(0, 5_000).split(/\.\s/)) {
      const [, price] = priceInText.exec(sentence) ?? [];
      if (price !== undefined && /offer/i.test(sentence) && !otherPrice.test(sentence))
        return amountOf(price);
    }
  return null;
}

const scales = { million: 1e6, billion: 1e9 } as const;

function statedAggregate(lines: readonly string[]): number | null {
  for (const line of lines) {
    const [, digits, scale] = aggregateInText.exec(line.slice(0, 5_000)) ?? [];
    const amount = amountOf(digits);
    if (amount === null) continue;
    return amount * (scale === undefined ? 1 : /^m/i.test(scale) ? scales.million : scales.billion);
  }
  return null;
}

/** "5,000,000 shares at $4.00", "$4,000,000,000 of common stock"; null when only a price is known. */
export function offeringWords({ price_usd, shares, gross_usd, security }: Offering): string | null {
  const price = price_usd === null ? "" : ` at $${dollars(price_usd)}`;
  // Names of notes and "American" keep their capitals.
  const kind = security === null || /\d|american/i.test(security) ? security : security.toLowerCase();
  if (shares !== null) return `${shares.toLocaleString("en-US")} ${counted(kind)}${price}`;
  return gross_usd === null
    ? null
    : `$${gross_usd.toLocaleString("en-US")} of ${kind ?? "securities"}${price}`;
}

function counted(kind: string | null): string {
  if (kind === null || /^(?:class [a-z] )?(?:common|ordinary) (?:stock|shares)\b/.test(kind)) return "shares";
  return /\b(?:shares|units|adss?|notes|bonds)$/i.test(kind) ? kind : `shares of ${kind}`;
}

function dollars(price: number): string {
  return price.toLocaleString("en-US", {
    minimumFractionDigits: 2,
    maximumFractionDigits: price < 1 ? 4 : 3,
  });
}
