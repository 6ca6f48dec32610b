import assert from "node:assert/strict";
import { test } from "node:test";
import { sourceConfig } from "../../../src/config/sources.ts";
import { ParseError } from "../../../src/ingest/adapter.ts";
import { federalRegisterAdapter } from "../../../src/ingest/sources/federal-register.ts";

const source = sourceConfig.parse({
  name: "register",
  id: "register",
  provider: "federal-register",
  format: "federal_register",
  url: "https://register.example/api/v1/documents.json?order=newest&per_page=100",
  zone: "America/New_York",
  language: "en",
});

const rule = {
  title: "Limits on Lantern&amp;#39;s Light",
  type: "Rule",
  abstract: "The Bureau limits <i>light</i>.",
  document_number: "2026-99010",
  html_url: "https://register.example/documents/2026/03/02/2026-99010/limits",
  publication_date: "2026-03-02",
  agencies: [{ name: "Lantern Bureau" }, { raw_name: "Department of Tides" }],
};
function parse(answer: unknown, config = source) {
  const body = Buffer.from(typeof answer === "string" ? answer : JSON.stringify(answer));
  const response = { url: config.url, headers: {}, body, fetchedAt: new Date(0) };
  return federalRegisterAdapter.parse(response, config);
}
const only = (changes: object) => parse({ results: [{ ...rule, ...changes }] }).items[0];

test("a document: known by its number, dated to the day, led by its kind and agencies", () => {
  const { items, salvaged, nextPage } = parse({ results: [rule] });
  assert.deepEqual([salvaged, nextPage], [false, null]);
  const [item] = items;
  assert.equal(item?.identity[0], "guid:register:2026-99010");
  assert.equal(item?.title, "Limits on Lantern's Light");
  assert.equal(item?.body, "Rule by Lantern Bureau, Department of Tides. The Bureau limits light.");
  assert.deepEqual([item?.publishedAt, item?.precision], [new Date("2026-03-02"), "day"]);
  assert.deepEqual(item?.categories, ["Rule", "Lantern Bureau", "Department of Tides"]);
  assert.deepEqual([item?.link, item?.language, item?.providerId], [rule.html_url, "en", "federal-register"]);
});

test("members may be missing or null: what is left is still an item", () => {
  const bare = only({
    title: null,
    type: null,
    abstract: null,
    agencies: null,
    html_url: null,
    publication_date: null,
  });
  assert.deepEqual(
    [bare?.title, bare?.body, bare?.link, bare?.publishedAt, bare?.precision, bare?.categories],
    [null, "", null, null, "none", []],
  );
  assert.equal(only({ abstract: null, excerpts: "… light …", agencies: [] })?.body, "Rule. … light …");
  assert.equal(only({ html_url: "javascript:alert(1)" })?.link, null);
});

test("the next page is followed on the configured host alone", () => {
  const next = (next_page_url: unknown) => parse({ results: [rule], next_page_url }).nextPage?.url ?? null;
  const page2 = "https://register.example/api/v1/documents.json?page=2&search_after_cursor=abc";
  assert.equal(next(page2), page2);
  assert.equal(
    next("/api/v1/documents.json?page=3"),
    "https://register.example/api/v1/documents.json?page=3",
  );
  for (const elsewhere of [
    "https://evil.example/api/v1/documents.json?page=2",
    "http://register.example/api/v1/documents.json?page=2",
    "https://register.example:8443/",
    "https://register.example@evil.example/",
    "//evil.example/",
    "file:///etc/hosts",
    "https://[",
    null,
    undefined,
  ])
    assert.equal(next(elsewhere), null, String(elsewhere));
});

test("an answer without a match is empty; one that is no list is refused", () => {
  assert.deepEqual(parse({ description: "none", count: 0 }).items, []);
  assert.deepEqual(parse({ results: [], next_page_url: null }).items, []);
  for (const answer of [
    "",
    "<html></html>",
    "[]",
    '{"errors":["bad"]}',
    '{"results":{}}',
    '{"results":[',
    '{"results":[{}]}',
  ])
    assert.throws(() => parse(answer), ParseError, answer);
});

test("a document that cannot be read is left out and told; a list has a bound", () => {
  const page = parse({ results: [rule, { ...rule, document_number: 7 }, null, { ...rule, title: ["x"] }] });
  assert.deepEqual([page.items.length, page.salvaged], [1, true]);
  const many = Array.from({ length: 5_000 }, (_, index) => ({ ...rule, document_number: `2026-${index}` }));
  assert.deepEqual([parse({ results: many }).items.length, parse({ results: many }).salvaged], [1_000, true]);
});
