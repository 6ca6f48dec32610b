import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type FilingDetails, filingFacts } from "@tapewire/contract/filings.ts";
import type { RawItem } from "../../src/ingest/raw-item.ts";
import { readDetails } from "../../src/ingest/sources/edgar/details/details.ts";
import { parseLate } from "../../src/ingest/sources/edgar/details/late.ts";
import { offeringWords, parseOffering } from "../../src/ingest/sources/edgar/details/offering.ts";
import { parseOwnership } from "../../src/ingest/sources/edgar/details/ownership.ts";
import { documentText, type FilingDocument } from "../../src/ingest/sources/edgar/filing.ts";
import { withFiling } from "../../src/ingest/sources/edgar/reading.ts";
import { recordedFile, withRecorded } from "../support/recorded.ts";

function fixture(name: string): string {
  return readFileSync(join(import.meta.dirname, "../fixtures/edgar", name), "utf8");
}

type Parties = readonly (readonly [section: string, name: string, cik: string])[];

/** A submission of one invented company, or of the parties given. */
function submission(form: string, texts: readonly string[], parties: Parties = []): string {
  const sections = parties.length > 0 ? parties : [["FILER", "TARNFIELD OPTICS INC", "0009000700"] as const];
  // Reports of a period name it in the header, schedules the day of the event in their XML.
  const period = form.startsWith("SC") ? "" : "CONFORMED PERIOD OF REPORT:\t20251231\n";
  const header = sections.map(
    ([section, name, cik]) =>
      `${section}:\n\n\tCOMPANY DATA:\n\t\tCOMPANY CONFORMED NAME:\t${name}\n\t\tCENTRAL INDEX KEY:\t${cik}\n`,
  );
  const documents = texts.map(
    (text, n) =>
      `<DOCUMENT>\n<TYPE>${n === 0 ? form : "INFORMATION TABLE"}\n<SEQUENCE>${n + 1}\n<FILENAME>a${n}\n<TEXT>\n${text}\n</TEXT>\n</DOCUMENT>\n`,
  );
  return `<SEC-DOCUMENT>0009000700-26-000001.txt : 20260303
<SEC-HEADER>0009000700-26-000001.hdr.sgml : 20260303
<ACCEPTANCE-DATETIME>20260302163102
ACCESSION NUMBER:\t\t0009000700-26-000001
CONFORMED SUBMISSION TYPE:\t${form}
PUBLIC DOCUMENT COUNT:\t\t${texts.length}
${period}FILED AS OF DATE:\t\t20260303

${header.join("\n")}</SEC-HEADER>
${documents.join("")}</SEC-DOCUMENT>
`;
}

const blank: RawItem = {
  source: "edgar",
  providerId: "sec",
  type: "filing",
  identity: ["sec:0009000700-26-000001"],
  claims: [],
  seenAt: new Date("2026-03-02T21:31:11Z"),
  title: "listed",
  link: null,
  body: "",
  publishedAt: null,
  precision: "none",
  language: "en",
  symbols: [],
  isins: [],
  ciks: [],
  categories: [],
  filing: null,
  retracted: false,
};

/** The item that a submission makes, whose facts keep the contract. */
function itemOf(body: string | Buffer): RawItem & { facts: NonNullable<RawItem["filing"]> } {
  const response = { url: "", headers: {}, body: Buffer.from(body), fetchedAt: blank.seenAt };
  const item = withFiling(blank, [response]);
  const facts = filingFacts.parse(item.filing);
  assert.deepEqual(item.filing, facts, "nothing beyond the contract");
  assert.ok(JSON.stringify(facts).length < 8_000, "an item stays small");
  return { ...item, facts };
}

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
  assert.equal(title, "SCHEDULE 13G: Dunmoor Fund and 9 others hold 5.1% of Larkmere Bancorp");
});

test("a Form 4 keeps its transactions as numbers, and whether they were planned", () => {
  const { facts } = itemOf(fixture("form4.txt"));
  assert.ok(facts.details?.kind === "ownership");
  assert.equal(facts.details.ticker, "QLBK");
  assert.deepEqual(facts.details.owners, [
    { name: "DOE JANE Q.", relation: "Director, Chief Executive Officer" },
  ]);
  assert.deepEqual(
    facts.details.transactions.map(({ code, shares, price_usd, acquired, derivative }) => [
      code,
      shares,
      price_usd,
      acquired,
      derivative,
    ]),
    [
      ["S", 6_000, 12, false, false],
      ["S", 4_000, 13.25, false, false],
      ["M", 10_000, null, false, true],
    ],
  );
  assert.deepEqual(facts.details.transactions[0]?.date, "2026-02-26");
  const planned = (extra: string, footnote = "") =>
    parseOwnership(
      `<ownershipDocument><issuer><issuerCik>1</issuerCik></issuer>${extra}<footnotes><footnote>${footnote}</footnote></footnotes></ownershipDocument>`,
    ).isPlanned;
  assert.equal(planned("<aff10b5One>1</aff10b5One>"), true);
  assert.equal(planned("<aff10b5One>false</aff10b5One>", "pursuant to a Rule 10b5-1 plan"), false);
  assert.equal(planned("", "Sold pursuant to a Rule 10b5-1 trading plan."), true);
  assert.equal(planned("", "Sold at several prices."), null);
});

test("more transactions than twenty are left out of the facts, not of the text", () => {
  const row = (n: number) =>
    `<nonDerivativeTransaction><securityTitle><value>Common</value></securityTitle><transactionDate><value>2026-02-26</value></transactionDate><transactionCode>P</transactionCode><transactionShares><value>${n}</value></transactionShares></nonDerivativeTransaction>`;
  const rows = Array.from({ length: 60 }, (_, n) => row(n + 1)).join("");
  const xml = `<ownershipDocument><documentType>4</documentType><issuer><issuerCik>9000100</issuerCik><issuerName>Quillbrook</issuerName></issuer>${rows}</ownershipDocument>`;
  const { facts, body } = itemOf(submission("4", [xml]));
  assert.ok(facts.details?.kind === "ownership");
  assert.equal(facts.details.transactions.length, 20);
  assert.equal(body.match(/bought/g)?.length, 60);
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

test("a late notice tells why, and whether results will differ", () => {
  const { title, facts } = itemOf(submission("NT 10-Q", [fixture("nt-10q.htm")]));
  assert.deepEqual(facts.details, {
    kind: "late",
    form: "10-Q",
    reason: "Brackwater Mills needs more time to complete its review of inventory at two plants.",
    expects_change: false,
  });
  assert.equal(title, "NT 10-Q: TARNFIELD OPTICS INC will file its 10-Q late");
  const changed = fixture("nt-10q.htm").replace(
    "&#9744; Yes &#9746; No</p>\n<p>If so",
    "&#9746; Yes &#9744; No</p>\n<p>If so",
  );
  assert.equal(
    itemOf(submission("NT 10-K", [changed])).title,
    "NT 10-K: TARNFIELD OPTICS INC will file its 10-K late, expects a significant change in results",
  );
});

test("boxes are read in the ways that filers tick them", () => {
  const change = (boxes: string) =>
    parseLate(
      "NT 10-K",
      `PART III narrative: late. PART IV any significant change in results of operations? ${boxes}\nIf so, explain`,
    )?.expects_change;
  for (const yes of [
    "[X] Yes [ ] No",
    "Yes [X] No [ ]",
    "Yes ☒ No ☐",
    "x Yes o No",
    "Yes X No",
    "þ Yes ¨ No",
    "(x) Yes ( ) No",
    "Yes _X_ No ___",
  ])
    assert.equal(change(yes), true, yes);
  for (const no of [
    "[ ] Yes [X] No",
    "Yes [ ] No [x]",
    "☐ Yes ☒ No",
    "o Yes x No",
    "Yes No X",
    "¨ Yes ý No",
    "Yes ___ No _X_",
  ])
    assert.equal(change(no), false, no);
  for (const open of ["Yes No", "[ ] Yes [ ] No", "", "Yes ☒ No ☒"]) assert.equal(change(open), null, open);
});

test("the cover of a prospectus tells price, number and proceeds, not those of other securities", () => {
  const { title, facts } = itemOf(submission("424B5", [fixture("424b5.htm")]));
  assert.deepEqual(facts.details, {
    kind: "offering",
    price_usd: 4,
    shares: 5_000_000,
    gross_usd: 20_000_000,
    security: "Common Stock",
    resale: false,
  });
  assert.equal(title, "424B5: TARNFIELD OPTICS INC prices 5,000,000 shares at $4.00");
});

test("what a cover leaves blank, or puts in percent or words, is not invented", () => {
  const read = (text: string) => {
    const found = parseOffering(text);
    return found === null
      ? null
      : [found.price_usd, found.shares, found.gross_usd, found.security, offeringWords(found)];
  };
  assert.deepEqual(read("PROSPECTUS\n      Shares\nCommon Stock\nPublic offering price\t$\t\t$"), null);
  assert.deepEqual(
    read(
      "$500,000,000\nVeltrona Co\n5.250% Senior Notes due 2031\nPublic offering price(1)\t99.875%\t$\t499,375,000",
    ),
    [null, null, 499_375_000, "5.250% Senior Notes due 2031", "$499,375,000 of 5.250% Senior Notes due 2031"],
  );
  assert.deepEqual(
    read("Up to $75,000,000\nCommon Stock\nOur common stock trades at a closing price of $9.10 per share."),
    [null, null, 75_000_000, "Common Stock", "$75,000,000 of common stock"],
  );
  assert.deepEqual(
    read("Common stock having an aggregate offering price of up to $1.5 billion from time to time."),
    [null, null, 1_500_000_000, null, "$1,500,000,000 of securities"],
  );
  assert.deepEqual(
    read(
      "1,250,000 American Depositary Shares\nRepresenting 2,500,000 Ordinary Shares\nWe offer ADSs at an offering price of $12.50 per ADS.",
    ),
    [12.5, 1_250_000, null, "American Depositary Shares", "1,250,000 American Depositary Shares at $12.50"],
  );
  assert.deepEqual(read("The assumed public offering price is $5.00 per share, which we offer."), null);
});

test("shares that holders sell are not offered by the company", () => {
  const text =
    "PROSPECTUS\n900,000 Shares of Common Stock\nThe selling stockholders may resell up to 900,000 shares.";
  assert.equal(
    itemOf(submission("S-1", [`<html><body>${text.replaceAll("\n", "<br>")}</body></html>`])).title,
    "S-1: holders of TARNFIELD OPTICS INC may sell 900,000 shares",
  );
  assert.equal(
    itemOf(submission("S-1", [text.replace("The selling", "We are offering them all. Others are selling")]))
      .title,
    "S-1: TARNFIELD OPTICS INC registers 900,000 shares",
  );
});

test("a notice of a proposed sale sums up its sales, and not those that are past", () => {
  const sale = (shares: number, value: number) =>
    `<ns2:securitiesInformation><ns2:noOfUnitsSold>${shares}</ns2:noOfUnitsSold><ns2:aggregateMarketValue>${value}</ns2:aggregateMarketValue><ns2:approxSaleDate>03/04/2026</ns2:approxSaleDate></ns2:securitiesInformation>`;
  const xml = `<ns2:edgarSubmission xmlns:ns2="x"><ns2:nameOfPersonForWhoseAccountTheSecuritiesAreToBeSold>Jane Q. Doe</ns2:nameOfPersonForWhoseAccountTheSecuritiesAreToBeSold>${sale(1_000, 12_500)}${sale(500, 6_250.5)}<ns2:securitiesSoldInPast3Months><ns2:noOfUnitsSold>77</ns2:noOfUnitsSold></ns2:securitiesSoldInPast3Months></ns2:edgarSubmission>`;
  const { title, facts } = itemOf(submission("144", [xml]));
  assert.deepEqual(facts.details, {
    kind: "proposed_sale",
    seller: "Jane Q. Doe",
    shares: 1_500,
    value_usd: 18_750.5,
    date: "2026-03-04",
  });
  assert.equal(title, "Form 144: Jane Q. Doe to sell 1,500 shares of TARNFIELD OPTICS INC worth $18,751");
});

test("an exempt offering tells its size, unless it is indefinite", () => {
  const xml = (total: string) =>
    `<edgarSubmission><isAmendment>true</isAmendment><previousAccessionNumber>0009000700-25-000009</previousAccessionNumber><totalOfferingAmount>${total}</totalOfferingAmount><totalAmountSold>0</totalAmountSold></edgarSubmission>`;
  const sized = itemOf(submission("D/A", [xml("2000000")]));
  assert.deepEqual(sized.facts.details, { kind: "exempt_offering", total_usd: 2_000_000, sold_usd: 0 });
  assert.equal(sized.title, "D/A: TARNFIELD OPTICS INC — Exempt offering of $2,000,000, $0 sold");
  assert.equal(sized.facts.amends, "0009000700-25-000009");
  const open = itemOf(submission("D", [xml("Indefinite")])).facts;
  assert.deepEqual(open.details, { kind: "exempt_offering", total_usd: null, sold_usd: 0 });
  assert.equal(open.amends, null, "an original amends nothing");
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

test("hostile documents take no time", () => {
  const long = 500_000;
  const hostile = [
    `<edgarSubmission>${"<a>".repeat(long)}`,
    `<ownershipDocument>${"<issuer>".repeat(60)}`,
    `<edgarSubmission>${"<reportingPersonInfo>".repeat(long / 10)}`,
    `PART III ${"state below ".repeat(long / 10)} PART IV`,
    `significant change in results of operations ${"[ ] Yes ".repeat(long / 10)}`,
    "significant change ".repeat(long / 10),
    `${"price offered ".repeat(long / 10)}$`,
    "NAMES OF REPORTING PERSONS\n".repeat(long / 20),
    `${"5,000,000 Shares of\n".repeat(long / 10)}`,
    `pursuant to ${"pursuant to ".repeat(long / 10)}`,
  ];
  const started = performance.now();
  for (const text of hostile) for (const form of forms) detailsOf(form, text);
  const ms = performance.now() - started;
  assert.ok(ms < 20_000, `${ms} ms`);
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
