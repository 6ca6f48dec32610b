import { type Ownership, type OwnershipTransaction, tradingSymbols } from "./ownership.ts";

/** Words around the number of shares. */
type Meaning = readonly [verb: string, tail: string];

/**
 * What each code means; the most informative first.
 * Source: SEC, Form 4, general instruction 8 (transaction codes).
 */
const meanings: Readonly<Record<string, Meaning>> = {
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

/** Codes under which shares come as well as go, with A (acquired) and D (disposed of). */
const bothWays: Readonly<Record<string, Meaning>> = {
  GA: ["was given", ""],
  IA: ["received", " through a plan"],
  ID: ["parted with", " through a plan"],
  WA: ["received", " by will"],
  WD: ["passed on", " by will"],
  KA: ["received", " in a swap"],
  KD: ["parted with", " in a swap"],
  JA: ["received", " for another reason"],
  JD: ["parted with", " for another reason"],
};

/** Headline of an ownership form, for example "Form 4: Jane Doe (Director) sold 10,000 ACME shares at $12.50". */
export function ownershipTitle(ownership: Ownership): string {
  const head = `Form ${ownership.form}: ${ownerNames(ownership)}`;
  const of = tradingSymbols(ownership.symbol)[0] ?? ownership.issuer;
  const main = mainTransactions(ownership.transactions);
  const [first] = main;
  if (first === undefined) return `${head} reports holdings in ${of}`;
  const total = sharesOf(main);
  const [verb, tail] = meaningOf(first);
  const what = `${of} ${first.isDerivative ? "derivatives" : "shares"}`;
  const price = averagePrice(main);
  const at = price === null ? "" : ` at ${main.length > 1 ? "about " : ""}$${price}`;
  return `${head} ${verb} ${total > 0 ? `${grouped(total)} ` : ""}${what}${at}${tail}`;
}

/** The form in sentences, one per line: who, each transaction, holdings without one, remarks and footnotes. */
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

function ownerNames({ ownerDetails }: Ownership): string {
  const [first, ...others] = ownerDetails;
  if (first === undefined) return "An owner";
  const roles = first.roles.length === 0 ? "" : ` (${first.roles.join(", ")})`;
  const more = others.length === 0 ? "" : ` and ${others.length} ${others.length === 1 ? "other" : "others"}`;
  return `${first.name}${roles}${more}`;
}

/**
 * The transactions of the most informative kind: purchases, else sales, else ...; shares before derivatives. Of those
 * that come and those that go the larger side, since a transfer to one's own trust is reported as both.
 */
function mainTransactions(transactions: readonly OwnershipTransaction[]): OwnershipTransaction[] {
  const order = Object.keys(meanings);
  const rank = ({ code, isDerivative }: OwnershipTransaction): number => {
    const at = order.indexOf(code);
    return (at < 0 ? order.length : at) * 2 + Number(isDerivative);
  };
  const best = Math.min(...transactions.map(rank));
  const main = transactions.filter((entry) => rank(entry) === best);
  const came = main.filter(({ ad }) => ad === "A");
  const went = main.filter(({ ad }) => ad !== "A");
  return sharesOf(came) > sharesOf(went) || went.length === 0 ? came : went;
}

function sharesOf(transactions: readonly OwnershipTransaction[]): number {
  return transactions.reduce((sum, { shares }) => sum + amount(shares), 0);
}

function meaningOf({ code, ad }: Pick<OwnershipTransaction, "code" | "ad">): Meaning {
  return bothWays[code + ad] ?? meanings[code] ?? [ad === "D" ? "disposed of" : "acquired", ""];
}

/** Weighted by shares; null when no price is given (grants, gifts). */
function averagePrice(transactions: readonly OwnershipTransaction[]): string | null {
  const priced = transactions.filter(({ price, shares }) => amount(price) > 0 && amount(shares) > 0);
  const shares = priced.reduce((sum, entry) => sum + amount(entry.shares), 0);
  if (shares === 0) return null;
  return trimmed(priced.reduce((sum, entry) => sum + amount(entry.price) * amount(entry.shares), 0) / shares);
}

/** Always with cents; below a dollar with up to four decimals. */
function trimmed(price: number): string {
  return price.toLocaleString("en-US", {
    minimumFractionDigits: 2,
    maximumFractionDigits: price < 1 ? 4 : 2,
  });
}

function grouped(shares: number): string {
  return shares.toLocaleString("en-US", { maximumFractionDigits: 2 });
}

/** 0 when the text is no number. */
function amount(text: string): number {
  const number = Number(text.replaceAll(",", ""));
  return Number.isFinite(number) ? number : 0;
}
