import assert from "node:assert/strict";
import { test } from "node:test";
import { sourceConfig } from "../../../src/config/sources.ts";
import { ParseError } from "../../../src/ingest/adapter.ts";
import { openFdaAdapter } from "../../../src/ingest/sources/openfda.ts";

const source = sourceConfig.parse({
  name: "openfda",
  id: "openfda-drug",
  provider: "fda",
  format: "openfda",
  url: "https://api.example/drug/enforcement.json?sort=report_date:desc&limit=100",
  language: "en",
});

const recall = {
  recall_number: "D-9001-2026",
  report_date: "20260304",
  recalling_firm: "Harlow & Pike, Inc.",
  product_type: "Drugs",
  product_description:
    "Quayside Cough Drops, menthol 5 mg, 30-count bottle, Rx only, Manufactured for: Harlow & Pike, Inc., Brackwater, NDC 99999-123-30, UPC 3 99999 12330 1",
  reason_for_recall: "Failed impurity specifications.",
  classification: "Class II",
  status: "Ongoing",
  distribution_pattern: "Nationwide",
};
function parse(answer: unknown, config = source) {
  const body = Buffer.from(typeof answer === "string" ? answer : JSON.stringify(answer));
  const response = { url: config.url, headers: {}, body, fetchedAt: new Date(0) };
  return openFdaAdapter.parse(response, config);
}
const only = (changes: object) => parse({ results: [{ ...recall, ...changes }] }).items[0];

test("a recall: known by its number, named by firm, product and class, dated to the day", () => {
  const item = only({});
  assert.deepEqual(item?.identity, ["guid:openfda:D-9001-2026"]);
  assert.equal(
    item?.title,
    "Harlow & Pike, Inc.: recall of Quayside Cough Drops, menthol 5 mg, 30-count bottle, Rx only, Manufactured for: Harlow & Pike, Inc., Brackwater, NDC… (Class II)",
  );
  assert.match(
    item?.body ?? "",
    /^Reason: Failed impurity specifications\. Product: Quayside .* Status: Ongoing\./,
  );
  assert.deepEqual([item?.publishedAt, item?.precision], [new Date("2026-03-04"), "day"]);
  assert.deepEqual(item?.categories, ["Drugs", "Class II", "Ongoing"]);
  assert.equal(
    decodeURIComponent(item?.link ?? ""),
    'https://api.example/drug/enforcement.json?search=recall_number:"D-9001-2026"',
  );
});

test("a recall that ends keeps its identity and changes its text", () => {
  const [before, after] = [only({}), only({ status: "Terminated" })];
  assert.deepEqual(after?.identity, before?.identity);
  assert.notEqual(after?.body, before?.body);
});

test("members may be missing; plain text is not cut into markup", () => {
  const bare = parse({ results: [{ recall_number: "Z-1" }] }).items[0];
  assert.deepEqual(
    [bare?.title, bare?.body, bare?.publishedAt, bare?.precision],
    ["FDA: product recall", "Recall number: Z-1.", null, "none"],
  );
});

test("pages follow one another by skip, as far as the list goes and the API allows", () => {
  const next = (meta: object) =>
    parse({ meta: { results: meta }, results: [recall, recall] }).nextPage?.url ?? null;
  assert.equal(
    next({ skip: 0, limit: 2, total: 5 }),
    "https://api.example/drug/enforcement.json?sort=report_date%3Adesc&limit=100&skip=2",
  );
  assert.equal(next({ skip: 3, limit: 2, total: 5 }), null);
  assert.equal(next({ skip: 24_999, limit: 2, total: 90_000 }), null);
  assert.equal(parse({ results: [recall] }).nextPage, null);
});

test("what is no list of reports is refused, and a report that cannot be read is told", () => {
  const answers = [
    "",
    "<html></html>",
    "[]",
    '{"error":{"code":"NOT_FOUND"}}',
    '{"results":[',
    '{"results":[{}]}',
  ];
  for (const answer of answers) assert.throws(() => parse(answer), ParseError, answer);
  const page = parse({ results: [recall, { ...recall, recall_number: " " }, 7] });
  assert.deepEqual([page.items.length, page.salvaged], [1, true]);
});
