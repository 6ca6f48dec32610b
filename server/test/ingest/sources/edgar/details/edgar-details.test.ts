import assert from "node:assert/strict";
import { test } from "node:test";
import { type FilingDetails, filingFacts } from "@tapewire/contract/filings.ts";
import { readDetails } from "../../../../../src/ingest/sources/edgar/details/details.ts";
import { documentText, type FilingDocument } from "../../../../../src/ingest/sources/edgar/filing.ts";
import { fixture, itemOf, type Parties, submission } from "../../../../support/edgar-filings.ts";
import { growsLinearly } from "../../../../support/growth.ts";
import { recordedFile, withRecorded } from "../../../../support/recorded.ts";

const stakeParties: Parties = [
  ["SUBJECT COMPANY", "LARKMERE BANCORP", "0009000400"],
  ["FILED BY", "Harrowgate Partners LP", "0009000401"],
];

test("a stake tells who holds how much, and what for", () => {
  const { title, body, facts } = itemOf(
    submission("SCHEDULE 13D/A", [fixture("schedule-13d.xml")], stakeParties),
  );
  assert.equal(title, "SCHEDULE 13D/A: Harrowgate & Sons GP LLC and 2 others hold 7.2% of Larkmere Bancorp");
  assert.deepEqual(facts.details, {
    kind: "stake",
    schedule: "13D",
    issuer: "Larkmere Bancorp",
    persons: [
      { name: "Harrowgate Partners LP", percent: 6.8, shares: 1_800_000 },
      { name: "Harrowgate & Sons GP LLC", percent: 7.2, shares: 1_905_000 },
      { name: "Orsolya Harrowgate", percent: null, shares: null },
    ],
    purpose:
      "The Reporting Persons sent a letter to the board that calls for a sale of the bank. They intend to nominate two directors.",
  });
  assert.equal(facts.amends, "0009000400-25-000031");
  assert.equal(facts.cik, "0009000400");
  assert.deepEqual([facts.filed, facts.period], ["2026-03-03", "2026-02-26"]);
  assert.match(body, /^Harrowgate Partners LP holds 6\.8% of Larkmere Bancorp, 1,800,000 shares\./);
  assert.match(body, /transaction purpose: The Reporting Persons sent a letter/);
});

test("a passive stake names no purpose, and at most ten persons", () => {
  const person = `<coverPageHeaderReportingPersonDetails><reportingPersonName>Dunmoor Fund</reportingPersonName>
    <reportingPersonBeneficiallyOwnedAggregateNumberOfShares>12.00</reportingPersonBeneficiallyOwnedAggregateNumberOfShares>
    <classPercent>5.1</classPercent></coverPageHeaderReportingPersonDetails>`;
  const xml = `<edgarSubmission><submissionType>SCHEDULE 13G</submissionType><issuerName>Larkmere Bancorp</issuerName>${person.repeat(40)}</edgarSubmission>`;
  const { title, facts } = itemOf(submission("SCHEDULE 13G", [xml], stakeParties));
  assert.ok(facts.details?.kind === "stake");
  assert.deepEqual([facts.details.schedule, facts.details.purpose], ["13G", null]);
  assert.equal(facts.details.persons.length, 10);
  assert.deepEqual(facts.details.persons[0], { name: "Dunmoor Fund", percent: 5.1, shares: 12 });
  assert.equal(title, "SCHEDULE 13G: Dunmoor Fund and 39 others hold 5.1% of Larkmere Bancorp");
});

test("of many holders the largest is told and kept, wherever it stands", () => {
  const holders = Array.from({ length: 14 }, (_, n) => ({
    name: `Dunmoor Fund ${n}`,
    percent: n === 12 ? "9.4" : "1.5",
  }));
  const inXml = holders.map(
    ({ name, percent }) =>
      `<reportingPersonInfo><reportingPersonName>${name}</reportingPersonName><percentOfClass>${percent}</percentOfClass></reportingPersonInfo>`,
  );
  const inText = holders.map(
    ({ name, percent }) =>
      `<p>NAME OF REPORTING PERSON</p><p>${name}</p><p>PERCENT OF CLASS REPRESENTED</p><p>${percent}%</p>`,
  );
  const xml = `<edgarSubmission><submissionType>SCHEDULE 13D</submissionType><issuerName>Larkmere Bancorp</issuerName>${inXml.join("")}</edgarSubmission>`;
  for (const document of [xml, `<html><body>${inText.join("")}</body></html>`]) {
    const { title, body, facts } = itemOf(submission("SCHEDULE 13D", [document], stakeParties));
    assert.match(title ?? "", /^SCHEDULE 13D: Dunmoor Fund 12 and 13 others hold 9\.4% of Larkmere/i);
    assert.ok(facts.details?.kind === "stake");
    assert.deepEqual(
      facts.details.persons.map(({ name }) => name.replace("Dunmoor Fund ", "")),
      ["0", "1", "2", "3", "4", "5", "6", "7", "8", "12"],
    );
    assert.match(body, /^Dunmoor Fund 12 holds 9\.4%/m);
  }
});

const table = (rows: string) => `<ns1:informationTable>${rows}</ns1:informationTable>`;
const holding = (issuer: string, value: number, shares: number, more = "") =>
  `<ns1:infoTable><ns1:nameOfIssuer>${issuer}</ns1:nameOfIssuer><ns1:value>${value}</ns1:value><ns1:sshPrnamt>${shares}</ns1:sshPrnamt><ns1:sshPrnamtType>SH</ns1:sshPrnamtType>${more}</ns1:infoTable>`;
const cover = (count: number, total: number) =>
  `<edgarSubmission><periodOfReport>12-31-2025</periodOfReport><tableEntryTotal>${count}</tableEntryTotal><tableValueTotal>${total}</tableValueTotal></edgarSubmission>`;

test("holdings are summed by issuer, the largest first, without options", () => {
  const rows = [
    holding("Veltrona", 40_000, 1_000),
    holding("Larkmere", 90_000, 3_000),
    holding("Veltrona", 60_000, 1_500),
    holding("Quillbrook", 999_999, 10, "<ns1:putCall>Put</ns1:putCall>"),
  ];
  const { title, facts, body } = itemOf(submission("13F-HR", [cover(4, 1_189_999), table(rows.join(""))]));
  assert.deepEqual(facts.details, {
    kind: "holdings",
    period: "2025-12-31",
    total_value_usd: 1_189_999,
    positions: 4,
    largest: [
      { issuer: "Veltrona", value_usd: 100_000, shares: 2_500 },
      { issuer: "Larkmere", value_usd: 90_000, shares: 3_000 },
    ],
  });
  assert.equal(title, "13F-HR: TARNFIELD OPTICS INC held 4 positions worth $1,189,999 on 2025-12-31");
  assert.match(body, /\nVeltrona: \$100,000, 2,500 shares\n/);
});

test("an amendment that adds holdings tells what it adds, and no total", () => {
  const amended = (type: string, count: number) => {
    const amendment = `<amendmentInfo><amendmentType>${type}</amendmentType></amendmentInfo></edgarSubmission>`;
    const top = cover(count, 40_000).replace("</edgarSubmission>", amendment);
    return itemOf(submission("13F-HR/A", [top, table(holding("Veltrona", 40_000, 1_000))]));
  };
  const added = amended("NEW HOLDINGS", 1);
  assert.equal(
    added.title,
    "13F-HR/A: TARNFIELD OPTICS INC adds 1 position worth $40,000 to its holdings on 2025-12-31",
  );
  assert.match(
    added.body,
    /^TARNFIELD OPTICS INC adds 1 position worth \$40,000 to its holdings on 2025-12-31\.\n/,
  );
  assert.deepEqual(added.facts.details, {
    kind: "holdings",
    period: "2025-12-31",
    total_value_usd: null,
    positions: null,
    largest: [{ issuer: "Veltrona", value_usd: 40_000, shares: 1_000 }],
  });
  const restated = amended("RESTATEMENT", 1);
  assert.equal(restated.title, "13F-HR/A: TARNFIELD OPTICS INC held 1 position worth $40,000 on 2025-12-31");
  assert.ok(restated.facts.details?.kind === "holdings" && restated.facts.details.positions === 1);
});

test("holdings told in thousands are recognised by what a share would cost", () => {
  const details = itemOf(submission("13F-HR", [cover(1, 190), table(holding("Veltrona", 190, 4_000))])).facts
    .details;
  assert.ok(details?.kind === "holdings");
  assert.deepEqual([details.total_value_usd, details.largest[0]?.value_usd], [190_000, 190_000]);
});

test("a table of forty thousand holdings is read, ten of them are kept", () => {
  const rows = Array.from({ length: 40_000 }, (_, n) => holding(`Issuer ${n % 30_000}`, 100 + n, 1));
  const details = itemOf(submission("13F-HR", ["<edgarSubmission/>", table(rows.join(""))])).facts.details;
  assert.ok(details?.kind === "holdings");
  assert.deepEqual([details.positions, details.largest.length], [40_000, 10]);
});

test("an amendment that names its original in words is linked, one that does not is not", () => {
  const amends = (text: string) =>
    itemOf(submission("8-K/A", [`<html><body><p>${text}</p></body></html>`])).facts.amends;
  assert.equal(
    amends("amends the report (Accession No. 0009000700-26-000000) of March 1"),
    "0009000700-26-000000",
  );
  assert.equal(amends("amends the report of March 1"), null);
  assert.equal(amends("Accession Number: 0009000700-26-000001"), null, "its own");
});

const forms = ["4", "SCHEDULE 13D", "SC 13G/A", "13F-HR", "144", "D", "NT 10-K", "424B5", "S-1"];

test("XML and text that are cut or damaged anywhere give facts or none, and never throw", () => {
  const texts = [
    fixture("schedule-13d.xml"),
    fixture("form4.txt").split("<TEXT>").at(-1) ?? "",
    cover(1, 1) + table(holding("Veltrona", 1, 1)),
    fixture("nt-10q.htm"),
    fixture("424b5.htm"),
  ];
  for (const form of forms)
    for (const text of texts)
      for (let end = 0; end < text.length; end += 97) {
        const details = detailsOf(form, text.slice(0, end));
        if (details !== null) filingFacts.shape.details.parse(details);
      }
});

function detailsOf(form: string, text: string, more: readonly string[] = []): FilingDetails | null {
  const document = (body: string): FilingDocument => ({
    type: form,
    seq: "1",
    filename: "",
    description: "",
    text: body,
  });
  const documents = [text, ...more].map(document);
  return readDetails({ form, filed: "2026-03-03", documents, text: documentText(document(text), 200_000) });
}

test("the time that hostile documents take grows no faster than they do", () => {
  const hostile: readonly (readonly [before: string, repeated: string, behind?: string])[] = [
    ["<edgarSubmission>", "<a>"],
    ["<ownershipDocument>", "<issuer>"],
    ["<edgarSubmission>", "<reportingPersonInfo>"],
    ["PART III ", "state below ", " PART IV"],
    ["significant change in results of operations ", "[ ] Yes "],
    ["", "significant change "],
    ["", "price offered ", "$"],
    ["", "NAMES OF REPORTING PERSONS\n"],
    ["", "5,000,000 Shares of\n"],
    ["pursuant to ", "pursuant to "],
  ];
  for (const [before, repeated, behind = ""] of hostile) {
    const read = (text: string) => forms.map((form) => detailsOf(form, before + text + behind));
    assert.ok(growsLinearly(read, repeated), repeated);
  }
});

test("the recorded forms give what they state", withRecorded, () => {
  const xml = (name: string) => recordedFile(`edgar/xml/${name}`).toString();
  const filed = (name: string) => itemOf(recordedFile(`edgar/filings/${name}.txt`));
  const stake = detailsOf("SCHEDULE 13D", xml("schedule13d.xml"));
  assert.ok(stake?.kind === "stake");
  assert.deepEqual(
    stake.persons.map(({ percent, shares }) => [percent, shares]),
    [
      [8.5, 2_100_000],
      [9.9, 2_435_000],
    ],
  );
  assert.ok(stake.purpose?.endsWith(" …") && stake.purpose.length <= 300);
  const passive = detailsOf("SCHEDULE 13G", xml("schedule13g.xml"));
  assert.ok(passive?.kind === "stake" && passive.schedule === "13G" && passive.persons[1]?.percent === 5.1);
  assert.equal(
    filed("SC_13G-A/0000019617-24-000012").title,
    "SC 13G/A: JPMORGAN CHASE & CO. holds 4.9% of FEDERAL REALTY INVESTMENT TRUST",
  );
  assert.deepEqual(detailsOf("144", xml("apple.144.xml")), {
    kind: "proposed_sale",
    seller: "Luca Maestri",
    shares: 69_996,
    value_usd: 11_588_537.76,
    date: "2023-04-13",
  });
  assert.deepEqual(detailsOf("D", xml("D.1685REIT.xml")), {
    kind: "exempt_offering",
    total_usd: 125_000,
    sold_usd: 125_000,
  });
  const sums = (["13F-HR/0001140361-23-013281", "13F-HR/0001790837-23-000002"] as const).map((name) => {
    const { details } = filed(name).facts;
    assert.ok(details?.kind === "holdings");
    return [details.total_value_usd, details.positions, details.largest.length];
  });
  assert.deepEqual(sums, [
    [11_019_796, 6, 6],
    [192_767_000, 90, 10],
  ]);
  const insider = detailsOf("4", xml("aapl-4-20201013.xml"));
  assert.ok(insider?.kind === "ownership" && insider.planned_10b5_1 === true);
  assert.equal(insider.transactions[0]?.owned_after, 110_272);
});

test("the recorded prospectuses give price and size", withRecorded, () => {
  const facts = (name: string) => {
    const { details } = itemOf(recordedFile(`edgar/filings/${name}.txt`)).facts;
    assert.ok(details?.kind === "offering", name);
    return [details.price_usd, details.shares, details.gross_usd, details.resale];
  };
  assert.deepEqual(facts("424B4/0001104659-24-132924"), [5.103, 608_197, 3_103_629.29, false]);
  assert.deepEqual(facts("424B5/0001108205-25-000026"), [2.41, 1_974_432, 4_758_381.12, false]);
  assert.deepEqual(facts("424B5/0001193125-25-338333"), [null, null, 4_000_000_000, false]);
  assert.deepEqual(facts("S-1/0001104659-23-076317"), [null, 2_666_666, null, true]);
});
