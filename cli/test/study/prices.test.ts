import assert from "node:assert/strict";
import { mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { timeReader } from "../../src/study/price-times.ts";
import { placeAt, readPrices } from "../../src/study/prices.ts";

const newYork = { zone: "America/New_York", close: "16:00", barMs: 0 };

async function read(text: string, settings = newYork) {
  using folder = mkdtempDisposableSync(join(tmpdir(), "tapewire-prices-"));
  const path = join(folder.path, "prices.csv");
  writeFileSync(path, text);
  return await readPrices(path, timeReader(settings));
}

test("columns are found by name, rows may stand in any order, and others are ignored", async () => {
  const prices = await read(
    '\uFEFFTicker,Volume,Date,Close\r\nACME,7,2026-03-03,11\r\n"ACME",7,2026-03-02,10\r\nNYSE:BETA,7,2026-03-02,5\r\n',
  );
  assert.equal(prices.rows, 3);
  assert.deepEqual([...(prices.find("NASDAQ:ACME")?.prices ?? [])], [10, 11]);
  assert.equal(prices.find("BETA"), null);
  assert.equal(prices.find("NYSE:BETA")?.prices[0], 5);
});

test("a file that cannot be read exactly is refused, with the line and the column", async () => {
  const head = "time,symbol,price\n";
  const cases: [string, RegExp][] = [
    ["", /has no prices/],
    [head, /has no prices/],
    ["time,price\n", /must name the column symbol or ticker/],
    [`${head}2026-03-02T14:30:00Z,ACME,0\n`, /line 2: price must be a number above 0/],
    [`${head}2026-03-02T14:30:00Z,ACME,ten\n`, /line 2: price must be a number above 0/],
    [`${head}2026-03-02T14:30:00Z,,10\n`, /line 2: symbol must be/],
    [`${head}2026-03-02T14:30:00Z,ACME,10\nyesterday,ACME,10\n`, /line 3: time must be/],
    [`${head}2026-02-30,ACME,10\n`, /line 2: time must be/],
    [`${head}2026-03-02T14:30:00Z,ACME,10\n2026-03-02T14:30:00Z,ACME,11\n`, /ACME has two prices at/],
    [`${head}2026-03-02T14:30:00Z,ACME\n`, /Record/],
  ];
  for (const [text, refusal] of cases) await assert.rejects(read(text), refusal, JSON.stringify(text));
  await assert.rejects(readPrices("/nonexistent/prices.csv", timeReader(newYork)), /ENOENT/);
});

test("a day's price is known at the close in the zone of the exchange, in summer and in winter", () => {
  const timeOf = timeReader(newYork);
  assert.equal(timeOf("2026-01-05"), Date.parse("2026-01-05T21:00:00Z"));
  assert.equal(timeOf("2026-07-06"), Date.parse("2026-07-06T20:00:00Z"));
  assert.equal(
    timeReader({ ...newYork, zone: "Asia/Kolkata", close: "15:30" })("2026-07-06"),
    Date.parse("2026-07-06T10:00:00Z"),
  );
});

test("a time with a zone is that instant; one without is local; a bar's price is known at its end", () => {
  const timeOf = timeReader(newYork);
  assert.equal(timeOf("2026-03-02T14:30:00Z"), Date.parse("2026-03-02T14:30:00Z"));
  assert.equal(timeOf("2026-03-02 09:30:00-05:00"), Date.parse("2026-03-02T14:30:00Z"));
  assert.equal(timeOf("2026-03-02 09:30"), Date.parse("2026-03-02T14:30:00Z"));
  // The clocks change at 2026-03-08T07:00:00Z.
  assert.equal(timeOf("2026-03-08 01:30"), Date.parse("2026-03-08T06:30:00Z"));
  assert.equal(timeOf("2026-03-08 03:30"), Date.parse("2026-03-08T07:30:00Z"));
  const bars = timeReader({ ...newYork, barMs: 60_000 });
  assert.equal(bars("2026-03-02T14:30:00Z"), Date.parse("2026-03-02T14:31:00Z"));
  assert.equal(bars("2026-01-05"), Date.parse("2026-01-05T21:00:00Z"));
  const wrong = ["", "now", "1772461800", "03/02/2026", "2026-13-01", "2026-03-02T25:00:00Z"];
  const wrongHours = ["2026-03-02 25:30", "2026-03-02 24:01", "2026-03-02 10:60", "2026-03-02 10:30:60"];
  for (const text of [...wrong, ...wrongHours]) assert.equal(timeOf(text), null, text);
  // The end of a day, as Date.parse has it too.
  assert.equal(timeOf("2026-03-02 24:00"), Date.parse("2026-03-03T05:00:00Z"));
  assert.throws(() => timeReader({ ...newYork, zone: "Mars/Olympus" }), /--zone/);
});

test("the place of a time is the last one at or before it", () => {
  const times = Float64Array.of(10, 20, 20.5, 30);
  for (let at = 0; at < 40; at += 0.5)
    assert.equal(
      placeAt(times, at),
      times.findLastIndex((time) => time <= at),
    );
});
