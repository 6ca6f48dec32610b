import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { sourceConfig } from "../../../../src/config/sources.ts";
import { ParseError } from "../../../../src/ingest/adapter.ts";
import type { FetchedResponse } from "../../../../src/ingest/fetch/types.ts";
import type { RawItem } from "../../../../src/ingest/raw-item.ts";
import { parseOwnership } from "../../../../src/ingest/sources/edgar/details/ownership.ts";
import { edgarAdapter } from "../../../../src/ingest/sources/edgar/edgar.ts";
import { itemNumber } from "../../../../src/ingest/sources/edgar/event-items.ts";
import { parseSubmission } from "../../../../src/ingest/sources/edgar/filing.ts";
import { filingTitle } from "../../../../src/ingest/sources/edgar/forms.ts";
import { easternTime } from "../../../../src/ingest/sources/edgar/time.ts";
import { htmlToText } from "../../../../src/ingest/text/html-text.ts";

// The fixtures tell of invented issuers; their CIKs lie above any that the SEC has given out.
const fixtures = join(import.meta.dirname, "../../../fixtures/edgar");
const source = sourceConfig.parse({
  name: "edgar",
  id: "edgar",
  provider: "sec",
  format: "edgar",
  url: "https://www.sec.gov/cgi-bin/browse-edgar?action=getcurrent&type=&owner=include&count=100&output=atom",
});

function fixture(name: string): Buffer {
  return readFileSync(join(fixtures, name));
}

function response(body: Uint8Array, url = source.url): FetchedResponse {
  return { url, headers: {}, body, fetchedAt: new Date("2026-03-02T21:31:11Z") };
}

/** The item of the fixture page for this form. */
function listed(form: string): RawItem {
  const { items } = edgarAdapter.parse(response(fixture("getcurrent.atom")), source);
  const item = items.find(({ filing }) => filing?.form === form);
  assert.ok(item, `no ${form} on the page`);
  return item;
}

test("the rows of a filing's parties become one item about its issuer", () => {
  const { items, salvaged } = edgarAdapter.parse(response(fixture("getcurrent.atom")), source);
  assert.equal(salvaged, false);
  assert.deepEqual(
    items.map(({ title }) => title),
    [
      "Form 4: QUILLBROOK & SONS CORP. — DOE JANE Q.",
      "8-K: Compañía Veltrona S.A. — Results of operations and financial condition (2.02), Financial statements and exhibits (9.01)",
      "SCHEDULE 13D/A: Harrowgate Partners LP on LARKMERE BANCORP",
      "424B2: Tarnfield Bank AG — Prospectus",
    ],
  );
  const insider: RawItem = {
    source: "edgar",
    providerId: "sec",
    type: "filing",
    identity: ["sec:0009000001-26-000007"],
    claims: [],
    seenAt: new Date(0),
    title: "Form 4: QUILLBROOK & SONS CORP. — DOE JANE Q.",
    link: "https://www.sec.gov/Archives/edgar/data/9000001/000900000126000007/0009000001-26-000007-index.htm",
    body: "",
    publishedAt: new Date("2026-03-02T21:31:02Z"),
    precision: "second",
    language: "en",
    symbols: [],
    isins: [],
    ciks: ["0009000100"],
    categories: [],
    filing: {
      form: "4",
      items: [],
      accession: "0009000001-26-000007",
      cik: "0009000100",
      filed: "2026-03-02",
      period: null,
      amends: null,
      parties: [
        { name: "QUILLBROOK & SONS CORP.", cik: "0009000100", role: "Issuer" },
        { name: "DOE JANE Q.", cik: "0009000001", role: "Reporting" },
      ],
      details: null,
    },
    original: null,
    retracted: false,
  };
  assert.deepEqual({ ...items[0], seenAt: insider.seenAt }, insider);
});

test("items, CIKs and escaped links of the list are kept", () => {
  assert.deepEqual(listed("8-K").filing?.items, ["2.02", "9.01"]);
  const stake = listed("SCHEDULE 13D/A");
  assert.deepEqual(stake.ciks, ["0009000400"]);
  const forms = ["SCHEDULE 13D", "SC 13D"];
  assert.deepEqual(stake.original, { forms, senders: ["0009000300"], filed: null, ofPeriod: false });
  assert.ok(stake.link?.endsWith("-index.htm?a=1&b=2"));
});

test("a type in the address drops the forms that only begin like it", () => {
  const of = (type: string) =>
    edgarAdapter
      .parse(response(fixture("getcurrent.atom"), source.url.replace("type=", `type=${type}`)), source)
      .items.map(({ filing }) => filing?.form);
  assert.deepEqual(of("4"), ["4"]);
  assert.deepEqual(of("SCHEDULE+13D"), ["SCHEDULE 13D/A"]);
  assert.deepEqual(of("42"), []);
});

test("pages follow each other to where the list ends", () => {
  assert.deepEqual(edgarAdapter.plan(source, { now: new Date(), sweptAt: null }).request.conditional, false);
  const next = (url: string, body = fixture("getcurrent.atom")) =>
    edgarAdapter.parse(response(body, url), source).nextPage?.url ?? null;
  assert.equal(next(source.url), `${source.url}&start=100`);
  assert.equal(next(`${source.url}&start=4900`), `${source.url}&start=5000`);
  assert.equal(next(`${source.url}&start=5000`), null);
  assert.equal(next("https://www.sec.gov/x?count=40&start=40"), "https://www.sec.gov/x?count=40&start=80");
  const quiet = Buffer.from(
    '<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>x</title></feed>',
  );
  assert.equal(next(source.url, quiet), null);
});

test("what is no list is refused", () => {
  const refused = [
    "",
    "{}",
    "<feed",
    '<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>4 -',
    "<rss></rss>",
  ];
  for (const body of [fixture("error-page.html"), ...refused.map((text) => Buffer.from(text))])
    assert.throws(() => edgarAdapter.parse(response(body), source), ParseError);
  const deep = Buffer.from(`<feed>${"<a>".repeat(100_000)}`);
  assert.throws(() => edgarAdapter.parse(response(deep), source), ParseError);
});

test("a page cut anywhere gives the entries that are whole", () => {
  const whole = fixture("getcurrent.atom");
  const all = edgarAdapter.parse(response(whole), source).items;
  for (let end = whole.indexOf("</entry>") + "</entry>".length; end < whole.indexOf("</feed>"); end += 37) {
    const { items, salvaged } = edgarAdapter.parse(response(whole.subarray(0, end)), source);
    assert.equal(salvaged, true);
    assert.ok(items.length >= 1 && items.length <= all.length);
    for (const [index, item] of items.entries()) assert.deepEqual(item.identity, all[index]?.identity);
  }
});

test("documents are read of the forms that they decide, where the archives are", () => {
  const first = (form: string, of = source) => edgarAdapter.enrich(listed(form), of, [])?.url;
  const archives = "https://www.sec.gov/Archives/edgar/data";
  assert.equal(first("4"), `${archives}/9000100/000900000126000007/0009000001-26-000007.txt`);
  assert.equal(first("8-K"), `${archives}/9000200/000900020026000003/0009000200-26-000003-index.htm`);
  assert.ok(first("SCHEDULE 13D/A")?.endsWith(".txt"));
  assert.equal(first("424B2"), undefined);
  const elsewhere = { ...source, archives_url: "http://127.0.0.1:8080/a/" };
  assert.ok(first("4", elsewhere)?.startsWith("http://127.0.0.1:8080/a/edgar/data/9000100/"));
});

test("an 8-K gets its text, its press release and the items of list, header and text", () => {
  const item = edgarAdapter.withDocuments(listed("8-K"), [response(fixture("8-k.txt"))], source);
  assert.deepEqual(item.filing?.items, ["2.02", "5.02", "9.01"]);
  assert.equal(
    item.title,
    "8-K: VELTRONA CO — Results of operations and financial condition (2.02), Departure, election or pay of directors or officers (5.02), Financial statements and exhibits (9.01)",
  );
  assert.equal(
    item.body,
    [
      "Item 2.02 Results of Operations and Financial Condition.",
      "On February 27, 2026, Veltrona Co announced results. A copy is Exhibit 99.1.",
      "Item 5.02. Departure of Directors. The chief executive resigned.",
      "ITEM 9.01 Financial Statements and Exhibits",
      "99.1\tPress release",
      "104\tCover page",
      "",
      "Veltrona cuts its outlook",
      "Revenue fell 12% to $40 million.",
    ].join("\n"),
  );
  assert.deepEqual(item.identity, ["sec:0009000200-26-000003"]);
});

test("an item of an earlier report that the text mentions is not an item of this one", () => {
  const text = fixture("8-k.txt")
    .toString()
    .replace(
      "<p>ITEM 9.01",
      "<p>Item 4.02 of the earlier report stays as it was.</p><p>Item 7.01</p><p>ITEM 9.01",
    );
  const item = edgarAdapter.withDocuments(listed("8-K"), [response(Buffer.from(text))], source);
  assert.deepEqual(item.filing?.items, ["2.02", "5.02", "7.01", "9.01"]);
});

test("a Form 4 tells who traded what", () => {
  const item = edgarAdapter.withDocuments(listed("4"), [response(fixture("form4.txt"))], source);
  const who = "DOE JANE Q. (Director, Chief Executive Officer)";
  assert.equal(item.title, `Form 4: ${who} sold 10,000 QLBK shares at about $12.50`);
  assert.deepEqual(item.symbols, ["QLBK"]);
  assert.deepEqual(item.ciks, ["0009000100"]);
  assert.equal(item.filing?.cik, "0009000100");
  assert.equal(
    item.body,
    [
      `${who} reports on Form 4 about QUILLBROOK & SONS CORP. (QLBK) for 2026-02-26.`,
      "On 2026-02-26 DOE JANE Q. sold 6,000 shares (Common Stock) at $12.00 (code S).",
      "On 2026-02-26 DOE JANE Q. sold 4,000 shares (Common Stock) at $13.25 (code S).",
      "On 2026-02-26 DOE JANE Q. exercised or converted 10,000 derivatives (Stock Option) (code M).",
      "Sold under a plan adopted in 2025.",
    ].join("\n"),
  );
});

test("a Form 4 whose XML is cut before the issuer still gives an item", () => {
  const text = fixture("form4.txt").toString();
  const cut = Buffer.from(text.slice(0, text.indexOf("<issuer>")));
  const item = edgarAdapter.withDocuments(listed("4"), [response(cut)], source);
  assert.equal(item.title, "Form 4: QUILLBROOK & SONS CORP. — DOE JANE Q.");
});

test("an answer that is no submission, or another filing's, is refused", () => {
  const item = listed("4");
  for (const body of [
    fixture("error-page.html"),
    Buffer.alloc(0),
    fixture("getcurrent.atom"),
    fixture("8-k.txt"),
  ])
    assert.throws(() => edgarAdapter.withDocuments(item, [response(body)], source), ParseError);
  assert.throws(() => parseOwnership("<html></html>"), ParseError);
});

test("a submission gives its header and documents", () => {
  const { parties, documents, acceptedAt, period } = parseSubmission(fixture("8-k.txt"));
  assert.deepEqual(parties, [{ name: "VELTRONA CO", cik: "0009000200", role: "Filer" }]);
  assert.deepEqual(
    documents.map(({ type, seq, filename, description }) => [type, seq, filename, description]),
    [
      ["8-K", "1", "vel-20260227.htm", "8-K"],
      ["EX-99.1", "2", "vel-ex991.htm", "PRESS RELEASE"],
      ["GRAPHIC", "3", "logo.jpg", ""],
    ],
  );
  assert.deepEqual(acceptedAt, new Date("2026-03-02T21:30:41Z"));
  assert.equal(period, "20260227");
});

test("times of the header are New York's", () => {
  const utc = (stamp: string) => easternTime(stamp)?.toISOString() ?? null;
  assert.equal(utc("20260115120000"), "2026-01-15T17:00:00.000Z");
  assert.equal(utc("20260715120000"), "2026-07-15T16:00:00.000Z");
  // The days of change: 8 March and 1 November 2026, at 2:00.
  assert.equal(utc("20260308015959"), "2026-03-08T06:59:59.000Z");
  assert.equal(utc("20260308023000"), "2026-03-08T07:30:00.000Z");
  assert.equal(utc("20260308030000"), "2026-03-08T07:00:00.000Z");
  assert.equal(utc("20261101013000"), "2026-11-01T05:30:00.000Z");
  assert.equal(utc("20261101020000"), "2026-11-01T07:00:00.000Z");
  assert.equal(utc("soon"), null);
});

test("a title names no more than three of many parties", () => {
  const parties = ["A", "B", "C", "D", "E"].map((name) => ({ name, cik: "0000000001", role: "Filer" }));
  assert.equal(filingTitle("10-D", [], parties), "10-D: A, B, C and 2 more");
  assert.equal(filingTitle("8-K", ["99.99"], parties.slice(0, 1)), "8-K: A — Item 99.99");
  assert.equal(itemNumber("Changes in Registrant's Certifying Accountant"), "4.01");
  assert.equal(itemNumber("Changes in Control of Registrant"), "5.01");
  assert.equal(itemNumber("Acquisition of a parrot"), null);
});

test("hidden parts, deep and broken markup of a document do no harm", () => {
  assert.equal(htmlToText("<p>a<script>b</script><style>c</style></p><DIV HIDDEN>d</DIV>e"), "a\ne");
  assert.equal(htmlToText('<p style="DISPLAY : none">a<p>b<br style="display:none">c'), "b\nc");
  assert.equal(htmlToText('<ix:header/>a<span style="display:none"><span>b</span>c</span>d'), "ad");
  assert.equal(htmlToText("<pre>a\n  b</pre> &lt;c&gt; &#0; &amp;amp;"), "a\nb\n<c> \ufffd &amp;");
  const deep = 200_000;
  assert.equal(htmlToText(`${"<div>".repeat(deep)}a${"</div>".repeat(deep)}`), "a");
  assert.equal(htmlToText(`${"<b><i>".repeat(deep)}a${"</x>".repeat(deep)}<`), "a<");
  assert.equal(htmlToText("ab".repeat(1_000), 100).length, 100);
});
