import assert from "node:assert/strict";
import { test } from "node:test";
import { readStoredRawItem } from "../../../src/ingest/documents/stored-raw-item.ts";
import type { RawItem } from "../../../src/ingest/raw-item.ts";

const whole: Required<RawItem> = {
  source: "brandmoor",
  providerId: "brandmoor",
  type: "news",
  identity: ["guid:brandmoor:1", "url:https://brandmoor.example/1"],
  claims: ["url:https://brandmoor.example/claimed"],
  pages: { own: ["https://brandmoor.example/1"], others: ["https://wire.example/1"] },
  declared: true,
  title: "HDFCBANK slips in late trade",
  link: "https://brandmoor.example/1",
  body: "HDFCBANK slips.",
  seenAt: new Date("2026-03-02T14:30:00Z"),
  publishedAt: new Date("2026-03-02T14:29:00Z"),
  precision: "second",
  language: "en",
  symbols: ["NASDAQ:AAPL"],
  isins: ["US0378331005"],
  ciks: ["0000320193"],
  categories: ["markets"],
  countries: ["IN"],
  homeCountry: "IN",
  filing: null,
  original: { forms: ["8-K"], senders: [], filed: null, ofPeriod: true },
  retracted: false,
};

test("an item that waits for its documents keeps all that its source told", () => {
  const stored: unknown = JSON.parse(JSON.stringify(whole));
  assert.deepEqual(readStoredRawItem(stored), whole);
  const { pages: _, declared, countries, homeCountry, original, ...bare } = whole;
  assert.deepEqual(readStoredRawItem(JSON.parse(JSON.stringify(bare))), bare);
});
