import type { DetailsOf } from "@tapewire/contract/filings.ts";
import { stakeCovers } from "./stake-cover.ts";
import { amountOf, type Facts, fact, shortText, walkXml } from "./xml.ts";

type Stake = DetailsOf<"stake">;
type Person = Stake["persons"][number];

const mostPersons = 10;

/** The elements of a reporting person in 13D and 13G. */
const persons = new Set(["reportingPersonInfo", "coverPageHeaderReportingPersonDetails"]);

/**
 * A Schedule 13D or 13G filed as XML (all since December 2024).
 * @returns null when it names no reporting person
 * Source: SEC, "EDGAR Schedule 13D/13G XML Technical Specification"; recorded filings.
 */
export function parseStakeXml(xml: string): Stake | null {
  const found: Person[] = [];
  const top = walkXml(xml, persons, (_, facts) => {
    const person = toPerson(facts);
    if (person !== null && found.length < mostPersons) found.push(person);
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

/** A schedule filed as text or HTML; null when no cover says how much is held. */
export function parseStakeText(text: string, schedule: Stake["schedule"]): Stake | null {
  const persons = stakeCovers(text).flatMap(({ name, percent, shares }) => {
    const short = shortText(name);
    const held = { percent: percentOf(percent ?? undefined), shares: amountOf(shares ?? undefined) };
    return short === null || (held.percent === null && held.shares === null)
      ? []
      : [{ name: short, ...held }];
  });
  if (persons.length === 0) return null;
  return { kind: "stake", schedule, issuer: null, persons: persons.slice(0, mostPersons), purpose: null };
}

/** "Fund X holds 7.2% of Acme, 2,100,000 shares": a line per person, then the purpose. */
export function describeStake({ persons, issuer, purpose }: Stake): string {
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
