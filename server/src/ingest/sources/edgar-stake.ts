import type { DetailsOf } from "@tapewire/contract/filings.ts";
import { amountOf, type Facts, fact, shortText, walkXml } from "./edgar-xml.ts";

type Stake = DetailsOf<"stake">;
type Person = Stake["persons"][number];

const mostPersons = 10;

/** Each reporting person, as 13D and 13G name it. */
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

/** Covers follow each other at the start of a schedule; what is behind so many lines is no cover. */
const mostLines = 3_000;

/**
 * A schedule filed as text or HTML: the rows of each reporting person's cover, in their prescribed words.
 * @param text one line a paragraph or row of a table
 */
export function parseStakeText(text: string, schedule: Stake["schedule"]): Stake | null {
  const lines = text.split("\n", mostLines).map((line) => line.trim());
  const found: { name: string; percent: number | null; shares: number | null }[] = [];
  for (const [index, line] of lines.entries()) {
    const next = lines[index + 1] ?? "";
    if (/NAMES? OF REPORTING PERSON/i.test(line)) {
      const name = shortText(next.replace(/\s+\d\d-\d{7}$/, ""));
      if (name !== null && found.length < mostPersons) found.push({ name, percent: null, shares: null });
      continue;
    }
    const person = found.at(-1);
    if (person === undefined) continue;
    if (/AGGREGATE AMOUNT (BENEFICIALLY )?OWNED/i.test(line)) person.shares ??= amountOf(numberIn(next));
    if (/PERCENT OF CLASS REPRESENTED/i.test(line)) person.percent ??= percentOf(numberIn(next));
  }
  const persons = found.filter(({ percent, shares }) => percent !== null || shares !== null);
  return persons.length === 0 ? null : { kind: "stake", schedule, issuer: null, persons, purpose: null };
}

function numberIn(line: string): string | undefined {
  return /^[^\d]{0,5}(\d[\d,]{0,20}(\.\d{1,6})?)/.exec(line)?.[1];
}

/** "Fund X holds 7.2% of Acme, 2,100,000 shares": each person a line, then the purpose. */
export function describeStake({ persons, issuer, purpose }: Stake): string {
  const of = issuer === null ? "" : ` of ${issuer}`;
  const lines = persons.map(({ name, percent, shares }) => {
    const part = percent === null ? "" : ` ${percent}%${of}`;
    const count = shares === null ? "" : ` ${shares.toLocaleString("en-US")} shares`;
    return `${name} holds${part}${part !== "" && count !== "" ? "," : ""}${count}.`;
  });
  return [...lines, ...(purpose === null ? [] : [`Purpose: ${purpose}`])].join("\n");
}

/** The largest holder; of a group that holds the same, the first named. */
export function largestHolder({ persons }: Stake): Person | null {
  const known = persons.filter(({ percent }) => percent !== null);
  return known.toSorted((a, b) => (b.percent ?? 0) - (a.percent ?? 0))[0] ?? null;
}
