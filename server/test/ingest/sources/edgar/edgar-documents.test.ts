import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { sourceConfig } from "../../../../src/config/sources.ts";
import { ParseError } from "../../../../src/ingest/adapter.ts";
import type { FetchedResponse } from "../../../../src/ingest/fetch/types.ts";
import type { RawItem } from "../../../../src/ingest/raw-item.ts";
import { wantedDocuments } from "../../../../src/ingest/sources/edgar/documents.ts";
import { edgarAdapter } from "../../../../src/ingest/sources/edgar/edgar.ts";
import { parseFilingIndex } from "../../../../src/ingest/sources/edgar/index-page.ts";
import { growsLinearly } from "../../../support/growth.ts";
import { recordedFile, withRecorded } from "../../../support/recorded.ts";

const source = sourceConfig.parse({
  name: "edgar",
  id: "edgar",
  provider: "sec",
  format: "edgar",
  url: "https://www.sec.gov/cgi-bin/browse-edgar?action=getcurrent&type=&count=100&output=atom",
});
const folder = "https://www.sec.gov/Archives/edgar/data/9000200/000900020026000003";

function fixture(name: string): Buffer {
  return readFileSync(join(import.meta.dirname, "../../../fixtures/edgar", name));
}

function response(body: string | Uint8Array): FetchedResponse {
  return { url: "", headers: {}, body: Buffer.from(body), fetchedAt: new Date("2026-03-02T21:31:11Z") };
}

/** The 8-K of the fixture page, under another form when one is given. */
function listed(form = "8-K"): RawItem {
  const page = fixture("getcurrent.atom").toString().replaceAll("8-K", form);
  const { items } = edgarAdapter.parse({ ...response(page), url: source.url }, source);
  const item = items.find(({ filing }) => filing?.accession === "0009000200-26-000003");
  assert.ok(item);
  return item;
}

function pageOf(form: string): string {
  return fixture("8-k-index.htm").toString().replaceAll("8-K", form);
}

/** Addresses that are asked for when each answer is what `answers` says, without the folder. */
function askedFor(item: RawItem, answers: (name: string) => string | Uint8Array): string[] {
  const asked: string[] = [];
  const read: FetchedResponse[] = [];
  for (let next = edgarAdapter.enrich(item, source, read); next !== null && asked.length < 20; ) {
    assert.ok(next.trusted && next.url.startsWith(`${folder}/`), next.url);
    const name = next.url.slice(folder.length + 1);
    asked.push(name);
    read.push(response(answers(name)));
    next = edgarAdapter.enrich(item, source, read);
  }
  return asked;
}

const index = "0009000200-26-000003-index.htm";
const whole = "0009000200-26-000003.txt";
const primary = "<html><body><p>Item 2.02 Results of Operations.</p><p>Revenue fell 12%.</p></body></html>";

test("an index page tells the header's facts and its documents", () => {
  const page = parseFilingIndex(fixture("8-k-index.htm"));
  assert.deepEqual(
    { ...page, documents: page.documents.length },
    {
      accession: "0009000200-26-000003",
      form: "8-K",
      filed: "2026-03-03",
      acceptedAt: new Date("2026-03-02T21:30:41Z"),
      period: "2026-02-27",
      items: ["2.02", "9.01"],
      parties: [{ name: "VELTRONA & CO", cik: "0009000200", role: "Filer" }],
      documents: 8,
    },
  );
  assert.deepEqual(page.documents[0], {
    seq: "1",
    description: "8-K",
    filename: "vel-20260227.htm",
    type: "8-K",
    sizeBytes: 31_004,
  });
});

test("an 8-K is read by its index page, its first document and press releases before other exhibits 99", () => {
  const asked = askedFor(listed(), (name) => (name === index ? fixture("8-k-index.htm") : primary));
  assert.deepEqual(asked, [index, "vel-20260227.htm", "vel-ex992.htm", "vel-ex991.htm", "vel-ex9910.htm"]);
});

test("of a report that was news before, only the first document is read", () => {
  const asked = (form: string) => askedFor(listed(form), (name) => (name === index ? pageOf(form) : primary));
  assert.deepEqual(asked("10-Q"), [index, "vel-20260227.htm"]);
  assert.deepEqual(asked("20-F"), [index, "vel-20260227.htm"]);
  assert.equal(asked("6-K").length, 5);
  assert.equal(asked("SC TO-T/A").length, 5);
  assert.equal(asked("424B5").length, 5);
});

test("small forms and those that need every part are one request", () => {
  for (const form of ["4", "144", "SCHEDULE 13G/A", "SC 13D", "NT 10-Q", "D", "13F-HR"])
    assert.deepEqual(
      askedFor(listed(form), () => fixture("8-k.txt")),
      [whole],
      form,
    );
  for (const form of ["424B2", "424B3", "497K", "S-3", "N-PORT", "EFFECT", "CORRESP"])
    assert.deepEqual(
      askedFor(listed(form), () => ""),
      [],
      form,
    );
});

test("of a form that is not read, the index page is, where the list told only who sent it", () => {
  const cut = fixture("getcurrent.atom")
    .toString()
    .replaceAll("8-K", "SC 14N")
    .replace("(0009000200) (Filer)", "(0009000200) (Filed by)");
  const { items } = edgarAdapter.parse({ ...response(cut), url: source.url }, source);
  const item = items.find(({ filing }) => filing?.accession === "0009000200-26-000003");
  assert.ok(item);
  assert.deepEqual(
    item.filing?.parties.map(({ role }) => role),
    ["Filed by"],
  );
  const page = pageOf("SC 14N").replace(
    '<div class="companyInfo">',
    '<span class="companyName">LARKMERE (UK) BANCORP (Subject)\n<b>CIK</b>: <a href="#">0009000400 (see all)</a></span>$&',
  );
  assert.deepEqual(
    askedFor(item, () => page),
    [index],
  );
  const completed = edgarAdapter.withDocuments(item, [response(page)], source);
  assert.deepEqual(completed.ciks, ["0009000400", "0009000200"]);
  assert.equal(completed.filing?.cik, "0009000400");
});

test("documents without names, as before 2001, are found in the submission", () => {
  const nameless = fixture("8-k-index.htm")
    .toString()
    .replaceAll(/vel-[\w-]+\.(htm|pdf|xsd)(?=")/g, "");
  assert.deepEqual(
    askedFor(listed(), (name) => (name === index ? nameless : fixture("8-k.txt"))),
    [index, whole],
  );
  const read = [response(nameless), response(fixture("8-k.txt"))];
  assert.match(edgarAdapter.withDocuments(listed(), read, source).body, /The chief executive resigned/);
});

test("a rendered view leads to its raw XML, and no name leads out of the folder", () => {
  const named = (href: string) => {
    const page = fixture("8-k-index.htm").toString();
    const html = page.replace(
      "/ix?doc=/Archives/edgar/data/9000200/000900020026000003/vel-20260227.htm",
      href,
    );
    return parseFilingIndex(Buffer.from(html)).documents[0]?.filename;
  };
  assert.equal(named("/Archives/edgar/data/9/1/xslF345X05/wk-form4.xml"), "wk-form4.xml");
  for (const href of ["https://evil.example/?q=", "/a/..", "/a/b.htm?x=1", "/a/%2e%2e%2fb.htm", "/a/b c.htm"])
    assert.equal(named(href), "", href);
});

test("the item of index page and documents is that of the whole submission", () => {
  const texts = [primary, "<p>Veltrona cuts its outlook</p>", "<p>Slides</p>"];
  const read = [fixture("8-k-index.htm"), ...texts].map(response);
  const item = edgarAdapter.withDocuments(listed(), read, source);
  assert.equal(
    item.title,
    "8-K: VELTRONA & CO — Results of operations and financial condition (2.02), Financial statements and exhibits (9.01)",
  );
  assert.equal(
    item.body,
    "Item 2.02 Results of Operations.\nRevenue fell 12%.\n\nVeltrona cuts its outlook\n\nSlides",
  );
  assert.deepEqual(
    [item.filing?.items, item.filing?.filed, item.filing?.period, item.filing?.details],
    [["2.02", "9.01"], "2026-03-03", "2026-02-27", null],
  );
  const first = edgarAdapter.withDocuments(listed(), read.slice(0, 1), source);
  assert.deepEqual(first.filing?.items, ["2.02", "9.01"]);
  assert.equal(first.body, listed().body);
});

test("another filing's page, no page, and a notice in place of a document are refused", () => {
  const other = fixture("8-k-index.htm")
    .toString()
    .replaceAll("0009000200-26-000003", "0009000200-26-000004");
  for (const body of [other, "", "<html></html>", primary])
    assert.throws(() => edgarAdapter.withDocuments(listed(), [response(body)], source), ParseError);
  const notice = "<html><h1>Your Request Originates from an Undeclared Automated Tool</h1></html>";
  const read = [fixture("8-k-index.htm"), notice].map(response);
  assert.throws(() => edgarAdapter.withDocuments(listed(), read, source), ParseError);
  assert.equal(edgarAdapter.enrich(listed(), source, [response(notice)]), null);
});

test("a hostile index page is read in time that grows no faster than it", () => {
  const head = "<strong>Form 8-K</strong> Accession 0009000200-26-000003 ";
  const read = (text: string) => parseFilingIndex(Buffer.from(`${head}<table class="tableFile">${text}`));
  for (const part of [
    "<tr",
    '<table class="tableFile">',
    "<td <td <td",
    '<span class="companyName">(',
    "Accession ",
  ])
    assert.ok(growsLinearly(read, part), part);
});

test("recorded index pages name the documents that are read", withRecorded, () => {
  const page = (name: string) => parseFilingIndex(recordedFile(`edgar/filing_index/${name}-index.html`));
  const wanted = (name: string) => wantedDocuments(page(name)).map(({ filename }) => filename);
  assert.deepEqual(wanted("0000019617-26-000241"), ["jpm-20260624.htm", "jpmcpressrelease06252026.htm"]);
  assert.deepEqual(wanted("0000072333-23-000015"), ["jwn-20230301.htm"]);
  assert.deepEqual(wanted("0001193125-23-048785"), ["d435686d8k.htm"]);
  assert.deepEqual(wanted("0001564590-18-004771"), ["crr-10k_20171231.htm"]);
  assert.deepEqual(wanted("0000950142-22-003095"), ["es220296680_4-davis.xml"]);
  assert.deepEqual(wanted("0000912057-00-023442"), []);
  const insider = page("0000950142-22-003095");
  assert.deepEqual(
    insider.parties.map(({ role }) => role),
    ["Reporting", "Issuer"],
  );
  assert.deepEqual(page("0000019617-26-000241").items, ["5.02"]);
});

test("recorded 8-Ks are the same by parts and whole", withRecorded, () => {
  const filings = [
    ["0000019617-26-000241", "jpm-20260624.htm"],
    ["0000072333-23-000015", "jwn-20230301.htm"],
  ];
  const blank = { ...listed(), filing: null };
  for (const [accession = "", name = ""] of filings) {
    const parts = [`filing_index/${accession}-index.html`, `primary_docs/${name}`];
    const byParts = edgarAdapter.withDocuments(
      blank,
      parts.map((file) => response(recordedFile(`edgar/${file}`))),
      source,
    );
    const submission = response(recordedFile(`edgar/filings/8-K/${accession}.txt`));
    const byWhole = edgarAdapter.withDocuments(blank, [submission], source);
    assert.deepEqual(byParts.filing, byWhole.filing);
    assert.equal(byParts.title, byWhole.title);
    assert.ok(byWhole.body.startsWith(byParts.body), accession);
    assert.deepEqual(byParts.publishedAt, byWhole.publishedAt);
  }
});
