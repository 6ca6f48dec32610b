import type { DetailsOf } from "@tapewire/contract/filings.ts";
import { ParseError } from "../../../adapter.ts";
import { dayOf } from "../time.ts";
import { amountOf, type Facts, fact, shortText, walkXml } from "./xml.ts";

/** One row of the tables of transactions. Numbers as filed, "" where there is only a footnote. */
export interface OwnershipTransaction {
  /** SEC transaction code: P purchase, S sale, A grant, M exercise ... */
  readonly code: string;
  /** YYYY-MM-DD */
  readonly date: string;
  readonly shares: string;
  /** US dollars per share. */
  readonly price: string;
  /** A acquired, D disposed of. */
  readonly ad: string;
  readonly security: string;
  /** Shares held after it. */
  readonly ownedAfter: string;
  readonly isDerivative: boolean;
}

export interface OwnershipHolding {
  readonly security: string;
  readonly shares: string;
}

export interface OwnershipOwner {
  readonly name: string;
  readonly cik: string;
  /** Director, officer's title, 10% owner ...; may be empty. */
  readonly roles: readonly string[];
}

/** A Form 3, 4 or 5. */
export interface Ownership {
  readonly form: string;
  /** YYYY-MM-DD */
  readonly period: string;
  /** YYYY-MM-DD on which the form that this one amends was filed; "" for an original. */
  readonly originalFiled: string;
  readonly issuer: string;
  /** The issuer's, 10 digits. */
  readonly cik: string;
  /** As filed; many write NONE or N/A. */
  readonly symbol: string;
  readonly owners: readonly string[];
  readonly ownerDetails: readonly OwnershipOwner[];
  readonly transactions: readonly OwnershipTransaction[];
  readonly holdings: readonly OwnershipHolding[];
  readonly footnotes: readonly string[];
  readonly remarks: string;
  /** Whether it was traded under a Rule 10b5-1 plan; null when neither the box (since 2023) nor a footnote says so. */
  readonly isPlanned: boolean | null;
}

/** Far more than a form has; further rows are dropped. */
const mostRows = 2_000;

/** Elements that hold a group of facts. */
const groups = new Set([
  "issuer",
  "reportingOwner",
  "nonDerivativeTransaction",
  "derivativeTransaction",
  "nonDerivativeHolding",
  "derivativeHolding",
  "footnote",
]);

/**
 * An ownership document (Forms 3, 4 and 5 are filed as XML since 2003).
 * @throws {ParseError} when it is no ownership document, or ends before the issuer is named
 * Source: SEC, "EDGAR Ownership XML Technical Specification" (schemas X0101 to X0609).
 */
export function parseOwnership(xml: string): Ownership {
  const found = new Map<string, Facts[]>();
  const rows = (group: string) => found.get(group) ?? [];
  const top = walkXml(xml, groups, (group, facts) => {
    const known = found.get(group);
    if (known === undefined) found.set(group, [facts]);
    else if (known.length < mostRows) known.push(facts);
  });
  const issuer: Facts = rows("issuer")[0] ?? new Map();
  const cik = fact(issuer, "issuerCik");
  if (cik === "") throw new ParseError("no ownership document: the issuer is missing");
  const owners = rows("reportingOwner").map(toOwner);
  const footnotes = rows("footnote")
    .map((facts) => fact(facts, "footnote"))
    .filter((text) => text !== "");
  return {
    form: fact(top, "documentType"),
    period: fact(top, "periodOfReport").slice(0, 10),
    originalFiled: fact(top, "dateOfOriginalSubmission").slice(0, 10),
    issuer: fact(issuer, "issuerName"),
    cik: cik.padStart(10, "0"),
    symbol: fact(issuer, "issuerTradingSymbol"),
    owners: owners.map(({ name }) => name),
    ownerDetails: owners,
    transactions: [
      ...rows("nonDerivativeTransaction").map((facts) => toTransaction(facts, false)),
      ...rows("derivativeTransaction").map((facts) => toTransaction(facts, true)),
    ],
    holdings: [...rows("nonDerivativeHolding"), ...rows("derivativeHolding")].map(toHolding),
    footnotes,
    remarks: fact(top, "remarks"),
    isPlanned: planned(fact(top, "aff10b5One"), footnotes),
  };
}

function planned(box: string, footnotes: readonly string[]): boolean | null {
  if (box !== "") return isTrue(box);
  const isStated = footnotes.some((note) => /pursuant to [^.]{0,80}10b5-1/i.test(note.slice(0, 2_000)));
  return isStated ? true : null;
}

/** The form as facts of an item: the first 20 transactions and 10 owners. */
export function ownershipDetails(ownership: Ownership): DetailsOf<"ownership"> {
  return {
    kind: "ownership",
    ticker: tradingSymbols(ownership.symbol)[0] ?? null,
    owners: ownership.ownerDetails.slice(0, 10).map(({ name, roles }) => ({
      name: shortText(name) ?? "",
      relation: shortText(roles.join(", ")),
    })),
    transactions: ownership.transactions.slice(0, 20).map((entry) => ({
      security: shortText(entry.security, 100) ?? "",
      date: dayOf(entry.date),
      code: entry.code.slice(0, 5).toWellFormed(),
      acquired: entry.ad === "A" ? true : entry.ad === "D" ? false : null,
      shares: amountOf(entry.shares),
      price_usd: amountOf(entry.price),
      owned_after: amountOf(entry.ownedAfter),
      derivative: entry.isDerivative,
    })),
    planned_10b5_1: ownership.isPlanned,
  };
}

function isTrue(value: string): boolean {
  return value === "1" || value.toLowerCase() === "true";
}

function toOwner(facts: Facts): OwnershipOwner {
  const officer = isTrue(fact(facts, "isOfficer")) ? fact(facts, "officerTitle") || "Officer" : "";
  const other = isTrue(fact(facts, "isOther")) ? fact(facts, "otherText") : "";
  const roles = [
    isTrue(fact(facts, "isDirector")) ? "Director" : "",
    officer,
    isTrue(fact(facts, "isTenPercentOwner")) ? "10% owner" : "",
    other,
  ].filter((role) => role !== "");
  return { name: fact(facts, "rptOwnerName"), cik: fact(facts, "rptOwnerCik").padStart(10, "0"), roles };
}

function toTransaction(facts: Facts, isDerivative: boolean): OwnershipTransaction {
  return {
    code: fact(facts, "transactionCode"),
    date: fact(facts, "transactionDate").slice(0, 10),
    shares: fact(facts, "transactionShares"),
    price: fact(facts, "transactionPricePerShare"),
    ad: fact(facts, "transactionAcquiredDisposedCode"),
    security: fact(facts, "securityTitle"),
    ownedAfter: fact(facts, "sharesOwnedFollowingTransaction"),
    isDerivative,
  };
}

function toHolding(facts: Facts): OwnershipHolding {
  return { security: fact(facts, "securityTitle"), shares: fact(facts, "sharesOwnedFollowingTransaction") };
}

/** Never a symbol of an issuer that files with the SEC. */
const noSymbol = /^(NONE|NA|NOT|CLASS|US|NYSE|NASDAQ|AMEX|OTC|OTCQB|OTCQX|OTCBB|PRIVATE|CBOE|TSX|TSXV)$/;
/** Symbols that stand for something else where other words are beside them: parts of markets' names and of sentences. */
const symbolAlone = /^(PINK|ARCA|MKT|BB|GS|GM|CM|STOCK|UNITS|AND|OR|YET|NO|TO|BE)$/;

/**
 * Symbols in the issuerTradingSymbol field, which is free text: "NYSE: ACME", "ACME, ACMEW", "OTC PINK: ACME", "NONE".
 * Upper case.
 */
export function tradingSymbols(field: string): string[] {
  const found = field
    .slice(0, 200)
    .toUpperCase()
    .replaceAll(/\bCLASS\s+[A-Z]\b/g, "CLASS")
    .split(/[,;]/)
    .flatMap((part) => {
      const colon = part.lastIndexOf(":");
      const behind = symbolsOf(part.slice(colon + 1));
      // "ACME:NASDAQ" has the market behind it.
      return behind.length > 0 ? behind : symbolsOf(part.slice(0, Math.max(0, colon)));
    });
  return [...new Set(found)];
}

function symbolsOf(text: string): string[] {
  const words = text.split(/[\s:()"']+/).filter((word) => word !== "");
  return words.filter(
    (word) =>
      /^[A-Z]{1,5}([.-][A-Z]{1,2})?$/.test(word) &&
      !noSymbol.test(word) &&
      !(words.length > 1 && symbolAlone.test(word)),
  );
}
