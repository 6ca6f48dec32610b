import { Parser } from "htmlparser2";
import { ParseError } from "../adapter.ts";
import { foldSpace, safeText } from "../text.ts";

/** One line of the tables of what was bought, sold, granted ... Numbers as filed, "" where only a footnote stands. */
export interface OwnershipTransaction {
  /** SEC transaction code: P purchase, S sale, A grant, M exercise ... */
  readonly code: string;
  /** YYYY-MM-DD */
  readonly date: string;
  readonly shares: string;
  /** US dollars a share. */
  readonly price: string;
  /** A acquired, D disposed of. */
  readonly ad: string;
  readonly security: string;
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
  readonly issuer: string;
  /** Of the issuer, 10 digits. */
  readonly cik: string;
  /** As filed; many write NONE or N/A. */
  readonly symbol: string;
  readonly owners: readonly string[];
  readonly ownerDetails: readonly OwnershipOwner[];
  readonly transactions: readonly OwnershipTransaction[];
  readonly holdings: readonly OwnershipHolding[];
  readonly footnotes: readonly string[];
  readonly remarks: string;
}

const mostDepth = 64;
/** Far beyond what a form holds; more is not kept. */
const mostRows = 2_000;
const mostText = 20_000;

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

/** Facts of one group, by the name of the element; the first of a name counts. */
type Facts = Map<string, string>;

/**
 * An ownership document (Forms 3, 4 and 5 are filed as XML since 2003).
 * @throws {ParseError} when it is no ownership document, or ends before the issuer is named
 * Source: SEC, "EDGAR Ownership XML Technical Specification" (schemas X0101 to X0609).
 */
export function parseOwnership(xml: string): Ownership {
  const found = readGroups(xml);
  const top = found.get("")?.[0] ?? new Map<string, string>();
  const issuer = found.get("issuer")?.[0] ?? new Map<string, string>();
  const cik = fact(issuer, "issuerCik");
  if (cik === "") throw new ParseError("no ownership document: the issuer is missing");
  const owners = (found.get("reportingOwner") ?? []).map(toOwner);
  return {
    form: fact(top, "documentType"),
    period: fact(top, "periodOfReport").slice(0, 10),
    issuer: fact(issuer, "issuerName"),
    cik: cik.padStart(10, "0"),
    symbol: fact(issuer, "issuerTradingSymbol"),
    owners: owners.map(({ name }) => name),
    ownerDetails: owners,
    transactions: [
      ...(found.get("nonDerivativeTransaction") ?? []).map((facts) => toTransaction(facts, false)),
      ...(found.get("derivativeTransaction") ?? []).map((facts) => toTransaction(facts, true)),
    ],
    holdings: [...(found.get("nonDerivativeHolding") ?? []), ...(found.get("derivativeHolding") ?? [])].map(
      toHolding,
    ),
    footnotes: (found.get("footnote") ?? [])
      .map((facts) => fact(facts, "footnote"))
      .filter((text) => text !== ""),
    remarks: fact(top, "remarks"),
  };
}

function readGroups(xml: string): Map<string, Facts[]> {
  const top: Facts = new Map();
  const found = new Map<string, Facts[]>([["", [top]]]);
  const path: string[] = [];
  let facts = top;
  let text = "";
  const parser = new Parser(
    {
      onopentag(name) {
        path.push(name);
        if (path.length > mostDepth) throw new ParseError("nested too deeply for an ownership document");
        text = "";
        if (groups.has(name)) facts = openGroup(found, name);
      },
      ontext(part) {
        if (text.length < mostText) text += part;
      },
      onclosetag(name) {
        path.pop();
        // <transactionShares><value>10</value></transactionShares>: the value is told by what it stands in.
        const key = name === "value" ? path.at(-1) : name;
        const value = foldSpace(safeText(text));
        if (key !== undefined && value !== "" && !facts.has(key)) facts.set(key, value);
        text = "";
        if (groups.has(name)) facts = top;
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  return found;
}

/** A group beyond the limit is read into nowhere. */
function openGroup(found: Map<string, Facts[]>, name: string): Facts {
  const rows = found.get(name) ?? [];
  const facts: Facts = new Map();
  if (rows.length < mostRows) rows.push(facts);
  found.set(name, rows);
  return facts;
}

function fact(facts: Facts, name: string): string {
  return facts.get(name) ?? "";
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
    isDerivative,
  };
}

function toHolding(facts: Facts): OwnershipHolding {
  return { security: fact(facts, "securityTitle"), shares: fact(facts, "sharesOwnedFollowingTransaction") };
}

/**
 * What each code means, around the number of shares; in the order of what tells most.
 * Source: SEC, Form 4, general instruction 8 (transaction codes).
 */
const meanings: Readonly<Record<string, readonly [verb: string, tail: string]>> = {
  P: ["bought", ""],
  S: ["sold", ""],
  D: ["returned", " to the issuer"],
  A: ["was granted", ""],
  U: ["tendered", " in a change of control"],
  M: ["exercised or converted", ""],
  X: ["exercised", ""],
  O: ["exercised", " out of the money"],
  C: ["converted", ""],
  F: ["gave up", " for tax or exercise price"],
  G: ["gave away", ""],
  L: ["acquired", " in a small purchase"],
  I: ["traded", " through a plan"],
  W: ["got or passed on", " by will"],
  K: ["swapped", ""],
  J: ["moved", " for another reason"],
};

/** Headline of an ownership form, for example "Form 4: Jane Doe (Director) sold 10,000 ACME shares at $12.50". */
export function ownershipTitle(ownership: Ownership): string {
  const head = `Form ${ownership.form}: ${ownerNames(ownership)}`;
  const of = tradingSymbols(ownership.symbol)[0] ?? ownership.issuer;
  const main = mainTransactions(ownership.transactions);
  const [first] = main;
  if (first === undefined) return `${head} reports holdings in ${of}`;
  const total = main.reduce((sum, { shares }) => sum + amount(shares), 0);
  const [verb, tail] = meaningOf(first);
  const what = `${of} ${first.isDerivative ? "derivatives" : "shares"}`;
  const price = averagePrice(main);
  const at = price === null ? "" : ` at ${main.length > 1 ? "about " : ""}$${price}`;
  return `${head} ${verb} ${total > 0 ? `${grouped(total)} ` : ""}${what}${at}${tail}`;
}

/** The form in sentences, one a line: who, each transaction, holdings without one, remarks and footnotes. */
export function describeOwnership(ownership: Ownership): string {
  const { form, issuer, symbol, period, transactions, holdings, footnotes, remarks } = ownership;
  const ticker = tradingSymbols(symbol).join(", ");
  const about = `${issuer}${ticker === "" ? "" : ` (${ticker})`}`;
  const lines = [`${ownerNames(ownership)} reports on Form ${form} about ${about} for ${period}.`];
  const who = ownership.owners[0] ?? "The owner";
  for (const { code, date, shares, price, ad, security, isDerivative } of transactions) {
    const [verb, tail] = meaningOf({ code, ad });
    const many = shares === "" ? "" : `${grouped(amount(shares))} `;
    const what = `${isDerivative ? "derivatives" : "shares"}${security === "" ? "" : ` (${security})`}`;
    const at = amount(price) > 0 ? ` at $${trimmed(amount(price))}` : "";
    lines.push(
      `${date === "" ? "" : `On ${date} `}${who} ${verb} ${many}${what}${at}${tail} (code ${code}).`,
    );
  }
  for (const { security, shares } of holdings)
    if (shares !== "")
      lines.push(`Holds ${grouped(amount(shares))} shares${security === "" ? "" : ` (${security})`}.`);
  if (transactions.length === 0 && holdings.length === 0) lines.push("No securities are held.");
  if (remarks !== "") lines.push(remarks);
  return [...lines, ...footnotes].join("\n");
}

/** Symbols in the issuerTradingSymbol field, which is free text: "NYSE: ACME", "ACME, ACMEW", "NONE". Upper case. */
export function tradingSymbols(field: string): string[] {
  const noise = /^(NONE|NA|NYSE|NASDAQ|AMEX|OTC|OTCQB|OTCQX|OTCBB|PRIVATE|CBOE)$/;
  return field
    .slice(0, 200)
    .toUpperCase()
    .split(/[\s,;:()"']+/)
    .filter((word) => /^[A-Z]{1,5}([.-][A-Z]{1,2})?$/.test(word) && !noise.test(word));
}

function ownerNames({ ownerDetails }: Ownership): string {
  const [first, ...others] = ownerDetails;
  if (first === undefined) return "An owner";
  const roles = first.roles.length === 0 ? "" : ` (${first.roles.join(", ")})`;
  const more = others.length === 0 ? "" : ` and ${others.length} ${others.length === 1 ? "other" : "others"}`;
  return `${first.name}${roles}${more}`;
}

/** The transactions of the kind that tells most: purchases, else sales, else ...; shares before derivatives. */
function mainTransactions(transactions: readonly OwnershipTransaction[]): OwnershipTransaction[] {
  const order = Object.keys(meanings);
  const rank = ({ code, isDerivative }: OwnershipTransaction): number => {
    const at = order.indexOf(code);
    return (at < 0 ? order.length : at) * 2 + Number(isDerivative);
  };
  const best = Math.min(...transactions.map(rank));
  return transactions.filter((entry) => rank(entry) === best);
}

function meaningOf({ code, ad }: Pick<OwnershipTransaction, "code" | "ad">): readonly [string, string] {
  return meanings[code] ?? [ad === "D" ? "disposed of" : "acquired", ""];
}

/** Weighted by shares; null when no price is given (grants, gifts). */
function averagePrice(transactions: readonly OwnershipTransaction[]): string | null {
  const priced = transactions.filter(({ price, shares }) => amount(price) > 0 && amount(shares) > 0);
  const shares = priced.reduce((sum, entry) => sum + amount(entry.shares), 0);
  if (shares === 0) return null;
  return trimmed(priced.reduce((sum, entry) => sum + amount(entry.price) * amount(entry.shares), 0) / shares);
}

/** Always cents; up to four digits behind the point below a dollar. */
function trimmed(price: number): string {
  return price.toLocaleString("en-US", {
    minimumFractionDigits: 2,
    maximumFractionDigits: price < 1 ? 4 : 2,
  });
}

function grouped(shares: number): string {
  return shares.toLocaleString("en-US", { maximumFractionDigits: 2 });
}

/** 0 for what is no number. */
function amount(text: string): number {
  const number = Number(text.replaceAll(",", ""));
  return Number.isFinite(number) ? number : 0;
}
