import type { DetailsOf } from "@tapewire/contract/filings.ts";
import { stakeCovers } from "./stake-cover.ts";
import { amountOf, type Facts, fact, shortText, walkXml } from "./xml.ts";

type Stake = DetailsOf<"stake">;
type Person = Stake["persons"][number];

const mostPersons = 10;
/** Far more than any group has; further ones are dropped. */
const mostRead = 1_000;

/** The elements of a reporting person in 13D and 13G. */
const persons = new Set(["reportingPersonInfo", "coverPageHeaderReportingPersonDetails"]);

/**
 * A Schedule 13D or 13G filed as XML (all since December 2024), with all its reporting persons.
 * @returns null when it names no reporting person
 * Source: SEC, "EDGAR Schedule 13D/13G XML Technical Specification"; recorded filings.
 */
export function parseStakeXml(xml: string): Stake | null {
  const found: Person[] = [];
  const top = walkXml(xml, persons, (_, facts) => {
    const person = toPerson(facts);
    if (person !== null && found.length < mostRead) found.push(person);
  });
  if (found.length === 0) return null;
  const schedule = fact(top, "submissionType").includes("13G") ? "13G" : "13D";
  return {
    kind: "stake",
    schedule,
    issuer: shortText(fact(top, "issuerName")),
    persons: found,
    purpose: schedule === "13D" ? shortText(fact(top, "transactionPurpose"), 300) : null,
  };
}

function toPerson(facts: Facts): Person | null {
  const name = shortText(fact(facts, "reportingPersonName"));
  const shares =
    facts.get("aggregateAmountOwned") ?? facts.get("reportingPersonBeneficiallyOwnedAggregateNumberOfShares");
  const percent = facts.get("percentOfClass") ?? facts.get("classPercent");
  return name === null ? null : { name, percent: percentOf(percent), shares: amountOf(shares) };
}

function percentOf(text: string | undefined): number | null {
  const percent = amountOf(text?.replace("%", ""));
  return percent === null || percent > 100 ? null : percent;
}

/** A schedule filed as text or HTML, with all its reporting persons; null when no cover says how much is held. */
export function parseStakeText(text: string, schedule: Stake["schedule"]): Stake | null {
  const persons = stakeCovers(text).flatMap(({ name, percent, shares }) => {
    const short = shortText(name);
    const held = { percent: percentOf(percent ?? undefined), shares: amountOf(shares ?? undefined) };
    return short === null || (held.percent === null && held.shares === null)
      ? []
      : [{ name: short, ...held }];
  });
  if (persons.length === 0) return null;
  return { kind: "stake", schedule, issuer: null, persons, purpose: null };
}

/** The schedule as an item keeps it: with the first ten persons, or the first nine and the largest holder behind them. */
export function storedStake(stake: Stake): Stake {
  const first = stake.persons.slice(0, mostPersons);
  const largest = largestHolder(stake);
  if (largest === null || first.includes(largest)) return { ...stake, persons: first };
  return { ...stake, persons: [...first.slice(0, -1), largest] };
}

/** "Fund X holds 7.2% of Acme, 2,100,000 shares": a line for each person that the item keeps, then the purpose. */
export function describeStake(stake: Stake): string {
  const { persons, issuer, purpose } = storedStake(stake);
  const of = issuer === null ? "" : ` of ${issuer}`;
  const lines = persons.map(({ name, percent, shares }) => {
    const part = percent === null ? "" : ` ${percent}%${of}`;
    const count = shares === null ? "" : ` ${shares.toLocaleString("en-US")} shares`;
    return `${name} holds${part}${part !== "" && count !== "" ? "," : ""}${count}.`;
  });
  return [...lines, ...(purpose === null ? [] : [`Purpose: ${purpose}`])].join("\n");
}

/** The largest holder; of several with the same holding the first named. */
export function largestHolder({ persons }: Stake): Person | null {
  const known = persons.filter(({ percent }) => percent !== null);
  return known.toSorted((a, b) => (b.percent ?? 0) - (a.percent ?? 0))[0] ?? null;
}
