import assert from "node:assert/strict";
import { test } from "node:test";
import { parseOwnership, tradingSymbols } from "../../../../../src/ingest/sources/edgar/details/ownership.ts";
import { withFiling } from "../../../../../src/ingest/sources/edgar/reading.ts";
import { blank, fixture, itemOf, submission } from "../../../../support/edgar-filings.ts";

/** A Form 4 of Jane Doe about Quillbrook, with these transactions: code, A or D, shares. */
function form4(
  transactions: readonly (readonly [code: string, ad: string, shares: number])[],
  symbol = "QLBK",
): string {
  const row = ([code, ad, shares]: (typeof transactions)[number]) =>
    `<nonDerivativeTransaction><securityTitle><value>Common</value></securityTitle><transactionDate><value>2026-02-26</value></transactionDate><transactionCode>${code}</transactionCode><transactionShares><value>${shares}</value></transactionShares><transactionAcquiredDisposedCode><value>${ad}</value></transactionAcquiredDisposedCode></nonDerivativeTransaction>`;
  const owner = "<reportingOwner><rptOwnerName>Jane Doe</rptOwnerName></reportingOwner>";
  const xml = `<ownershipDocument><documentType>4</documentType><issuer><issuerCik>9000100</issuerCik><issuerName>Quillbrook</issuerName><issuerTradingSymbol>${symbol}</issuerTradingSymbol></issuer>${owner}${transactions.map(row).join("")}</ownershipDocument>`;
  return submission("4", [xml]);
}

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

test("shares that come are told by other words than shares that go", () => {
  const read = (...transactions: (readonly [code: string, ad: string, shares: number])[]) => {
    const { title, body } = itemOf(form4(transactions));
    return [title?.replace("Form 4: Jane Doe ", ""), ...body.split("\n").slice(1)];
  };
  assert.deepEqual(read(["G", "A", 900]), [
    "was given 900 QLBK shares",
    "On 2026-02-26 Jane Doe was given 900 shares (Common) (code G).",
  ]);
  const [given] = read(["G", "D", 900]);
  assert.equal(given, "gave away 900 QLBK shares");
  const came = ["W", "I", "J", "K"].map((code) => read([code, "A", 900])[0]);
  assert.deepEqual(came, [
    "received 900 QLBK shares by will",
    "received 900 QLBK shares through a plan",
    "received 900 QLBK shares for another reason",
    "received 900 QLBK shares in a swap",
  ]);
  const went = ["W", "I", "J", "K"].map((code) => read([code, "D", 900])[0]);
  assert.deepEqual(went, [
    "passed on 900 QLBK shares by will",
    "parted with 900 QLBK shares through a plan",
    "parted with 900 QLBK shares for another reason",
    "parted with 900 QLBK shares in a swap",
  ]);
});

test("shares moved to a trust are counted once", () => {
  const titleOf = (...transactions: (readonly [code: string, ad: string, shares: number])[]) =>
    itemOf(form4(transactions)).title;
  assert.equal(titleOf(["G", "A", 5_000], ["G", "D", 5_000]), "Form 4: Jane Doe gave away 5,000 QLBK shares");
  assert.equal(
    titleOf(["G", "D", 100], ["G", "A", 3_000], ["G", "A", 2_000]),
    "Form 4: Jane Doe was given 5,000 QLBK shares",
  );
  assert.equal(
    titleOf(["J", "D", 700], ["J", "A", 700]),
    "Form 4: Jane Doe parted with 700 QLBK shares for another reason",
  );
});

test("trading symbols are found in what filers write, and no market or word is taken for one", () => {
  const table: readonly (readonly [field: string, symbols: readonly string[]])[] = [
    ["ACME", ["ACME"]],
    ["(NYSE: brk.b; ACMEW)", ["BRK.B", "ACMEW"]],
    ["N/A", []],
    ["None", []],
    ["Not listed", []],
    ["OTC PINK: ZZQX", ["ZZQX"]],
    ["NASDAQ GS: ACME", ["ACME"]],
    ["Nasdaq GM ACME", ["ACME"]],
    ["NYSE Arca: ACME", ["ACME"]],
    ["ZZQX Class A", ["ZZQX"]],
    ["ACME common stock", ["ACME"]],
    ["TSX: ABC; NYSE: ABC", ["ABC"]],
    ["ACME:NASDAQ", ["ACME"]],
    ["OTC PINK: N/A", []],
    // Alone, and behind a market's name, they are companies.
    ["GS", ["GS"]],
    ["NYSE: CM, TSX: CM", ["CM"]],
  ];
  for (const [field, symbols] of table) assert.deepEqual(tradingSymbols(field), symbols, field);
  const { title, facts, symbols } = itemOf(form4([["S", "D", 900]], "OTC PINK: ZZQX"));
  assert.equal(title, "Form 4: Jane Doe sold 900 ZZQX shares");
  assert.deepEqual(
    [facts.details?.kind === "ownership" && facts.details.ticker, symbols],
    ["ZZQX", ["ZZQX"]],
  );
});

test("an amended Form 4 is sought among its insider's, by the day or the period of the first", () => {
  const sought = (form: string, more = "") => {
    const text = fixture("form4.txt")
      .replace("TYPE:\t4", `TYPE:\t${form}`)
      .replace("<issuer>", `${more}<issuer>`);
    const response = { url: "", headers: {}, body: Buffer.from(text), fetchedAt: blank.seenAt };
    const identity = ["sec:0009000001-26-000007"] as const;
    return withFiling({ ...blank, identity }, [response]).original;
  };
  const common = { forms: ["4"], senders: ["0009000001"] };
  assert.deepEqual(sought("4/A"), { ...common, filed: null, ofPeriod: true });
  const day = "<dateOfOriginalSubmission>2026-02-27</dateOfOriginalSubmission>";
  assert.deepEqual(sought("4/A", day), { ...common, filed: "2026-02-27", ofPeriod: false });
  assert.equal(sought("4"), null);
});
