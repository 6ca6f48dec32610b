import assert from "node:assert/strict";
import { test } from "node:test";
import { parseLate } from "../../../../../src/ingest/sources/edgar/details/late.ts";
import { offeringWords, parseOffering } from "../../../../../src/ingest/sources/edgar/details/offering.ts";
import { fixture, itemOf, submission } from "../../../../support/edgar-filings.ts";

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
