import type { DetailsOf } from "@tapewire/contract/filings.ts";
import { dayOf } from "../time.ts";
import { amountOf, type Facts, fact, shortText, walkXml } from "./xml.ts";

type Holdings = DetailsOf<"holdings">;

/** What a report states. An amendment may have only positions that the first report left out. */
export interface FoundHoldings extends Holdings {
  readonly onlyAdds: boolean;
}

const mostListed = 10;
/** The largest managers hold some 20,000 securities; names above this count in the sum but are not listed. */
const mostIssuers = 50_000;

/**
 * Some managers still report in thousands. Below this average price the values must be in thousands: no portfolio of
 * exchange-listed securities costs so little per share.
 */
const leastPerShare = 1;

/** Reports for earlier periods have values in thousands of dollars. Source: SEC release 34-95148. */
const inDollarsSince = "2022-09-30";

/**
 * A Form 13F-HR: its cover, and its information table.
 * @param cover XML of the primary document; "" when it is missing
 * @param table XML of the information table; "" when it is missing
 * @param filed decides whether values are in thousands; without it the period does
 * @returns null when neither says anything
 */
export function parseHoldings(cover: string, table: string, filed: string | null): FoundHoldings | null {
  const top = walkXml(cover, new Set());
  const period = dayOf(fact(top, "reportCalendarOrQuarter") || fact(top, "periodOfReport"));
  const { rowCount, sum, perShare, issuers } = readTable(table);
  const unit = perShare !== null && perShare < leastPerShare ? 1000 : unitOf(period, filed);
  const total = amountOf(top.get("tableValueTotal")) ?? (rowCount > 0 ? sum : null);
  const positions = amountOf(top.get("tableEntryTotal")) ?? (rowCount > 0 ? rowCount : null);
  if (total === null && positions === null) return null;
  const largest = [...issuers.values()].toSorted((a, b) => b.value - a.value).slice(0, mostListed);
  return {
    kind: "holdings",
    period,
    total_value_usd: total === null ? null : total * unit,
    positions: positions === null ? null : Math.trunc(positions),
    largest: largest.map(({ issuer, value, shares }) => ({ issuer, value_usd: value * unit, shares })),
    onlyAdds: /^NEW HOLDINGS$/i.test(fact(top, "amendmentType")),
  };
}

/** The report as an item keeps it: what an amendment adds is no total of what is held. */
export function storedHoldings({ onlyAdds, ...holdings }: FoundHoldings): Holdings {
  return onlyAdds ? { ...holdings, total_value_usd: null, positions: null } : holdings;
}

function unitOf(period: string | null, filed: string | null): 1 | 1000 {
  // The change applies to everything filed from 3 January 2023 on, late reports for older periods included.
  if (filed !== null) return filed >= "2023-01-03" ? 1 : 1000;
  return period === null || period >= inDollarsSince ? 1 : 1000;
}

interface Line {
  readonly issuer: string;
  value: number;
  shares: number | null;
}

function readTable(xml: string) {
  const issuers = new Map<string, Line>();
  let rowCount = 0;
  let sum = 0;
  const counted = { value: 0, shares: 0 };
  walkXml(xml, new Set(["infoTable"]), (_, facts) => {
    const line = toLine(facts);
    rowCount += 1;
    sum += line.value;
    if (facts.has("putCall")) return;
    if (line.shares !== null) {
      counted.value += line.value;
      counted.shares += line.shares;
    }
    addTo(issuers, line);
  });
  const perShare = counted.shares === 0 ? null : counted.value / counted.shares;
  return { rowCount, sum, perShare, issuers };
}

function toLine(facts: Facts): Line {
  const isPrincipal = fact(facts, "sshPrnamtType") === "PRN";
  return {
    issuer: shortText(fact(facts, "nameOfIssuer"), 100) ?? "",
    value: amountOf(facts.get("value")) ?? 0,
    shares: isPrincipal ? null : amountOf(facts.get("sshPrnamt")),
  };
}

function addTo(issuers: Map<string, Line>, line: Line): void {
  const known = issuers.get(line.issuer);
  if (known === undefined) {
    if (line.issuer !== "" && issuers.size < mostIssuers) issuers.set(line.issuer, line);
    return;
  }
  known.value += line.value;
  known.shares = known.shares === null || line.shares === null ? null : known.shares + line.shares;
}

/** "Acme held 4 positions worth $1,189,999 on 2025-12-31". */
export function holdingsWords(manager: string, holdings: FoundHoldings): string {
  const { period, total_value_usd, positions, onlyAdds } = holdings;
  const what =
    positions === null ? "securities" : `${grouped(positions)} ${positions === 1 ? "position" : "positions"}`;
  const worth = total_value_usd === null ? "" : ` worth $${grouped(total_value_usd)}`;
  const when = period === null ? "" : ` on ${period}`;
  return onlyAdds
    ? `${manager} adds ${what}${worth} to its holdings${when}`
    : `${manager} held ${what}${worth}${when}`;
}

/** In sentences: the total, then the largest positions, one per line. */
export function describeHoldings(manager: string, holdings: FoundHoldings): string {
  const lines = holdings.largest.map(({ issuer, value_usd, shares }) => {
    const count = shares === null ? "" : `, ${shares.toLocaleString("en-US")} shares`;
    return `${issuer}: $${value_usd.toLocaleString("en-US")}${count}`;
  });
  return [`${holdingsWords(manager, holdings)}.`, ...lines].join("\n");
}

/** A count or an amount as headlines have it: "1,189,999". */
export function grouped(count: number): string {
  return count.toLocaleString("en-US", { maximumFractionDigits: 0 });
}
