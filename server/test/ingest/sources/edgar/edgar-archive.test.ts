import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { sourceConfig } from "../../../../src/config/sources.ts";
import { ParseError } from "../../../../src/ingest/adapter.ts";
import type { FetchedResponse } from "../../../../src/ingest/fetch/types.ts";
import { parseDailyIndex } from "../../../../src/ingest/sources/edgar/archive.ts";
import { edgarAdapter } from "../../../../src/ingest/sources/edgar/edgar.ts";
import { recordedFile, withRecorded } from "../../../support/recorded.ts";

const source = sourceConfig.parse({
  name: "edgar",
  id: "edgar",
  provider: "sec",
  format: "edgar",
  url: "https://www.sec.gov/cgi-bin/browse-edgar?action=getcurrent&type=&count=100&output=atom",
});
const seenAt = new Date("2026-03-03T04:00:00Z");

function fixture(name: string): Buffer {
  return readFileSync(join(import.meta.dirname, "../../../fixtures/edgar", name));
}

function itemsOf(body: string | Buffer, url = source.url) {
  const response: FetchedResponse = { url: "", headers: {}, body: Buffer.from(body), fetchedAt: seenAt };
  const page = edgarAdapter.parseArchive?.(response, { ...source, url });
  assert.ok(page);
  return page;
}

test("a daily index gives one item a filing, with its day, all parties and the index page", () => {
  const { items, nextPage, salvaged } = itemsOf(fixture("master.idx"));
  assert.deepEqual([nextPage, salvaged], [null, false]);
  assert.deepEqual(
    items.map(({ identity, title }) => [...identity, title]),
    [
      ["sec:0009000001-26-000007", "Form 4: DOE JANE Q., QUILLBROOK & SONS CORP."],
      ["sec:0009000200-26-000003", "8-K: VELTRONA CO — Current report"],
      ["sec:0009000300-26-000011", "424B2: Tarnfield Bank AG — Prospectus"],
    ],
  );
  const [insider] = items;
  assert.deepEqual(insider?.filing, {
    form: "4",
    items: [],
    accession: "0009000001-26-000007",
    cik: "0009000001",
    filed: "2026-03-02",
    period: null,
    amends: null,
    parties: [
      { name: "DOE JANE Q.", cik: "0009000001", role: null },
      { name: "QUILLBROOK & SONS CORP.", cik: "0009000100", role: null },
    ],
    details: null,
  });
  assert.deepEqual(insider.ciks, ["0009000001", "0009000100"]);
  assert.deepEqual([insider.publishedAt, insider.precision], [new Date("2026-03-02T00:00:00Z"), "day"]);
  assert.equal(
    insider.link,
    "https://www.sec.gov/Archives/edgar/data/9000001/000900000126000007/0009000001-26-000007-index.htm",
  );
});

test("the document of an indexed filing tells issuer and time of acceptance", () => {
  const [insider] = itemsOf(fixture("master.idx")).items;
  assert.ok(insider);
  const response = { url: "", headers: {}, body: fixture("form4.txt"), fetchedAt: seenAt };
  const item = edgarAdapter.withDocuments(insider, [response], source);
  assert.equal(item.filing?.cik, "0009000100");
  assert.equal(item.precision, "second");
  assert.deepEqual(item.publishedAt, new Date("2026-03-02T21:31:02Z"));
});

test("the index by form is read as well, where long names and forms push its columns aside", () => {
  const { lines, salvaged } = parseDailyIndex(fixture("form.idx"));
  assert.equal(salvaged, false);
  assert.deepEqual(
    lines.map(({ form, company, cik, filed }) => [form, company, cik, filed]),
    [
      ["1-A POS", "Marlowe Brickworks 2020 Ltd.", "0009000500", "2026-03-02"],
      ["4", "DOE JANE Q.", "0009000001", "2026-03-02"],
      ["4", "QUILLBROOK & SONS CORP.", "0009000100", "2026-03-02"],
      ["SCHEDULE 13D/A", "LARKMERE BANCORP", "0009000400", "2026-03-02"],
      [
        "X-17A-5",
        "THE VERY LONG-WINDED FINANCIAL SERVICES PARTNERS OF TARNFIELD A LIMITED PARTNER",
        "0009000600",
        "2026-03-02",
      ],
    ],
  );
});

const rowsByCompany: [company: string, form: string, cik: string][] = [
  ["DOE JANE Q.", "4", "9000001"],
  ["LARKMERE BANCORP", "SCHEDULE 13D/A", "9000400"],
  ["Marlowe Brickworks 2020 Ltd.", "1-A POS", "9000500"],
  ["THE VERY LONG-WINDED FINANCIAL SERVICES PARTNERS OF TARNFIELD A LIMITED PARTNER", "X-17A-5", "9000600"],
];

for (const [what, last, file] of [
  ["company", "File Name", "edgar/data/1/0009000001-26-000007.txt"],
  ["crawler", "URL", "https://www.sec.gov/Archives/edgar/data/1/0009000001-26-000007-index.htm"],
] as const)
  test(`the ${what} index, which is ordered by company, is read as well`, () => {
    const columns = (company: string, form: string, cik: string, filed: string, at: string) =>
      `${company.padEnd(62)}${company.length < 62 ? "" : "  "}${form.padEnd(12)}  ${cik.padEnd(12)}${filed.padEnd(12)}${at}`;
    const text = [
      "Description:           Daily Index of EDGAR Dissemination Feed by Company Name",
      "",
      columns("Company Name", "Form Type", "CIK", "Date Filed", last),
      "-".repeat(140),
      ...rowsByCompany.map(([company, form, cik]) => columns(company, form, cik, "20260302", file)),
      "",
    ].join("\n");
    const { lines, salvaged } = parseDailyIndex(Buffer.from(text));
    assert.equal(salvaged, false);
    assert.deepEqual(
      lines.map(({ form, company, cik, accession }) => [company, form, cik, accession]),
      rowsByCompany.map(([company, form, cik]) => [
        company,
        form,
        cik.padStart(10, "0"),
        "0009000001-26-000007",
      ]),
    );
  });

/** The address of the source with these parameters in place of its own. */
function urlWith(parameters: Readonly<Record<string, string>>): string {
  const url = new URL(source.url);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

test("an index wants the filings that its source's address wants", () => {
  const of = (parameters: Readonly<Record<string, string>>) =>
    itemsOf(fixture("master.idx"), urlWith(parameters)).items.map(({ filing }) => filing?.form);
  assert.deepEqual(of({ type: "4" }), ["4"]);
  assert.deepEqual(of({ type: "8-K" }), ["8-K"]);
  assert.deepEqual(of({ owner: "include", company: "", CIK: "" }), ["4", "8-K", "424B2"]);
  assert.deepEqual(of({ owner: "exclude" }), ["8-K", "424B2"]);
  assert.deepEqual(of({ owner: "only" }), ["4"]);
  assert.deepEqual(of({ CIK: "9000200" }), ["8-K"]);
  assert.deepEqual(of({ CIK: "0009000200", type: "4" }), []);
  const [insider, ...others] = itemsOf(fixture("master.idx"), urlWith({ CIK: "0009000100" })).items;
  assert.equal(insider?.filing?.parties.length, 2, "a filing of one of its parties has them all");
  assert.deepEqual(others, []);
});

test("no index is due for an address that selects by what no index has", () => {
  const context = { now: new Date("2026-03-04T04:00:00Z"), reconciledTo: "2026-03-02" };
  const due = (parameters: Readonly<Record<string, string>>) =>
    edgarAdapter.dueArchive?.({ ...source, url: urlWith(parameters) }, context)?.day ?? null;
  assert.equal(due({ owner: "exclude", CIK: "9000200", company: "", start: "0" }), "2026-03-03");
  const others = [
    ["company", "veltrona"],
    ["CIK", "VLTR"],
    ["State", "NY"],
    ["owner", "some"],
  ] as const;
  for (const [name, value] of others) assert.equal(due({ [name]: value }), null, name);
});

test("an index without filings is a page without items, and no index is refused", () => {
  const text = fixture("master.idx").toString();
  const empty = text.slice(0, text.indexOf("9000001|"));
  assert.deepEqual(itemsOf(empty).items, []);
  assert.deepEqual(itemsOf(empty.replaceAll("\n", "\r\n")).items, []);
  const refused = ["", "<?xml version='1.0'?><Error><Code>AccessDenied</Code></Error>", `${empty}nonsense\n`];
  for (const body of [fixture("error-page.html"), fixture("getcurrent.atom"), ...refused])
    assert.throws(() => itemsOf(body), ParseError);
});

test("of an index that is cut or damaged the whole lines count, and it is said", () => {
  const text = fixture("master.idx").toString();
  const cut = itemsOf(text.slice(0, -20));
  assert.deepEqual([cut.items.length, cut.salvaged], [2, true]);
  const damaged = itemsOf(text.replace("|20260302|", "|20260231|"));
  assert.deepEqual([damaged.items.length, damaged.salvaged], [3, true]);
  assert.deepEqual(damaged.items[0]?.ciks, ["0009000100"]);
  const long = itemsOf(`${text}${"9|x|8-K|".repeat(10_000)}\n`);
  assert.deepEqual([long.items.length, long.salvaged], [3, true]);
});

test("every line of the recorded indexes is read", withRecorded, (context) => {
  const read = (name: string) => parseDailyIndex(recordedFile(`edgar/index/${name}`));
  const byForm = read("form.20200318.idx");
  assert.deepEqual([byForm.lines.length, byForm.salvaged], [4084, false]);
  assert.ok(
    byForm.lines.every(({ form, company }) => form !== "" && company !== "" && !/\s{2}/.test(company)),
  );
  const byCik = read("master.20181231.idx");
  assert.deepEqual([byCik.lines.length, byCik.salvaged], [10, false]);
  assert.deepEqual(read("empty-form.idx").lines, []);
  assert.equal(read("badform.idx.txt").salvaged, false);
  const items = itemsOf(recordedFile("edgar/index/form.20200318.idx")).items;
  assert.equal(items.length, new Set(byForm.lines.map(({ accession }) => accession)).size);
  context.diagnostic(`${byForm.lines.length} lines, ${items.length} filings`);
});
