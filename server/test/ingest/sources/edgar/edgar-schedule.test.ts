import assert from "node:assert/strict";
import { test } from "node:test";
import { sourceConfig } from "../../../../src/config/sources.ts";
import {
  businessDayBefore,
  easternDay,
  isBusinessDay,
} from "../../../../src/ingest/sources/edgar/calendar.ts";
import { edgarAdapter } from "../../../../src/ingest/sources/edgar/edgar.ts";
import { isFederalHoliday } from "../../../../src/ingest/sources/edgar/holidays.ts";
import {
  firstUnreconciled,
  indexedTimes,
  rescanFloor,
} from "../../../../src/ingest/sources/edgar/schedule.ts";

const source = sourceConfig.parse({
  name: "edgar",
  id: "edgar",
  provider: "sec",
  format: "edgar",
  url: "https://www.sec.gov/cgi-bin/browse-edgar?action=getcurrent&type=&count=100&output=atom",
});

const at = (time: string) => new Date(time);
/** Times with offset, as a clock in New York shows them: -05:00 in winter, -04:00 in summer. */
const floor = (now: string, sweptAt: string | null) =>
  rescanFloor(at(now), sweptAt === null ? null : at(sweptAt))?.toISOString() ?? null;

test("federal holidays are known by rule, observed on Friday or Monday where they fall on a weekend", () => {
  const year = (of: number) =>
    Array.from({ length: 366 }, (_, n) => new Date(Date.UTC(of, 0, 1 + n)).toISOString().slice(0, 10)).filter(
      (day) => day.startsWith(String(of)) && isFederalHoliday(day),
    );
  assert.deepEqual(year(2026), [
    "2026-01-01",
    "2026-01-19",
    "2026-02-16",
    "2026-05-25",
    "2026-06-19",
    "2026-07-03",
    "2026-09-07",
    "2026-10-12",
    "2026-11-11",
    "2026-11-26",
    "2026-12-25",
  ]);
  // New Year's Day of 2022 was kept on the last day of 2021; Juneteenth of 2021 on the 18th; Christmas on the 24th.
  assert.deepEqual(year(2021).slice(-6), [
    "2021-09-06",
    "2021-10-11",
    "2021-11-11",
    "2021-11-25",
    "2021-12-24",
    "2021-12-31",
  ]);
  assert.ok(isFederalHoliday("2021-06-18") && !isFederalHoliday("2020-06-19"));
  assert.ok(isFederalHoliday("2023-01-02") && !isFederalHoliday("2023-01-01"));
});

test("business days are Monday to Friday without holidays, and the day is New York's", () => {
  assert.equal(isBusinessDay("2026-07-03"), false);
  assert.equal(isBusinessDay("2026-07-06"), true);
  assert.equal(businessDayBefore("2026-07-06"), "2026-07-02");
  assert.equal(businessDayBefore("2026-03-02"), "2026-02-27");
  assert.equal(easternDay(at("2026-03-03T04:59:59Z")), "2026-03-02");
  assert.equal(easternDay(at("2026-07-03T03:59:59Z")), "2026-07-02");
});

test("each morning time asks once for a re-scan back to 17:30 of the business day before", () => {
  const evening = "2026-03-02T22:30:00.000Z";
  assert.equal(floor("2026-03-03T06:00:00-05:00", "2026-03-02T07:31:00-05:00"), evening);
  assert.equal(floor("2026-03-03T06:04:00-05:00", "2026-03-03T06:00:10-05:00"), null);
  assert.equal(floor("2026-03-03T06:05:00-05:00", "2026-03-03T06:00:10-05:00"), evening);
  assert.equal(floor("2026-03-03T06:30:01-05:00", "2026-03-03T06:05:10-05:00"), evening);
  assert.equal(floor("2026-03-03T07:29:59-05:00", "2026-03-03T06:30:10-05:00"), null);
  assert.equal(floor("2026-03-03T07:30:00-05:00", "2026-03-03T06:30:10-05:00"), evening);
  assert.equal(floor("2026-03-03T16:00:00-05:00", "2026-03-03T07:30:10-05:00"), null);
  assert.equal(floor("2026-03-03T06:00:00-05:00", "2026-03-03T06:00:00-05:00"), null);
});

test("the floor of Monday is Friday's evening, that of a day after a holiday the day before it", () => {
  assert.equal(floor("2026-03-02T06:10:00-05:00", "2026-02-27T07:31:00-05:00"), "2026-02-27T22:30:00.000Z");
  assert.equal(floor("2026-02-17T06:10:00-05:00", "2026-02-13T07:31:00-05:00"), "2026-02-13T22:30:00.000Z");
});

test("there is no re-scan on weekends and holidays", () => {
  assert.equal(floor("2026-02-28T08:00:00-05:00", "2026-02-27T07:31:00-05:00"), null);
  assert.equal(floor("2026-02-16T08:00:00-05:00", "2026-02-13T07:31:00-05:00"), null);
  assert.equal(floor("2026-02-16T08:00:00-05:00", null), null);
});

test("the times are New York's on both sides of a change of the clocks", () => {
  // Sunday 8 March 2026 forward, Sunday 1 November back.
  assert.equal(floor("2026-03-09T09:59:59Z", "2026-03-06T20:00:00Z"), null);
  assert.equal(floor("2026-03-09T10:00:00Z", "2026-03-06T20:00:00Z"), "2026-03-06T22:30:00.000Z");
  assert.equal(floor("2026-11-02T10:59:59Z", "2026-10-30T20:00:00Z"), null);
  assert.equal(floor("2026-11-02T11:00:00Z", "2026-10-30T20:00:00Z"), "2026-10-30T21:30:00.000Z");
});

test("without a sweep on record, one is due in the morning only", () => {
  assert.equal(floor("2026-03-03T05:59:59-05:00", null), null);
  assert.equal(floor("2026-03-03T06:00:00-05:00", null), "2026-03-02T22:30:00.000Z");
  assert.equal(floor("2026-03-03T08:59:59-05:00", null), "2026-03-02T22:30:00.000Z");
  assert.equal(floor("2026-03-03T09:00:00-05:00", null), null);
});

test("after days without a sweep the floor goes back to the first one missed, at most a week", () => {
  assert.equal(floor("2026-03-05T10:00:00-05:00", "2026-03-02T07:31:00-05:00"), "2026-03-02T22:30:00.000Z");
  assert.equal(floor("2026-03-05T10:00:00-05:00", "2026-03-02T06:02:00-05:00"), "2026-02-27T22:30:00.000Z");
  // A sweep in the future was of a clock that was ahead.
  assert.equal(floor("2026-03-05T06:10:00-05:00", "2026-05-01T06:00:00-04:00"), "2026-03-04T22:30:00.000Z");
  // On a weekend too: Friday's was missed.
  assert.equal(floor("2026-03-07T10:00:00-05:00", "2026-03-05T07:31:00-05:00"), "2026-03-05T22:30:00.000Z");
  assert.equal(floor("2026-03-25T10:00:00-04:00", "2026-01-05T07:31:00-05:00"), "2026-03-18T14:00:00.000Z");
});

test("a walk takes its floor from the clock it is given", () => {
  const sweptAt = at("2026-03-02T07:31:00-05:00");
  const walk = edgarAdapter.plan(source, { now: at("2026-03-03T06:00:00-05:00"), sweptAt });
  assert.deepEqual([walk.request.url, walk.floor?.toISOString()], [source.url, "2026-03-02T22:30:00.000Z"]);
});

test("the index of a day is due from 22:50 in New York on, and days follow each other", () => {
  const due = (now: string, reconciledTo: string | null) => firstUnreconciled(at(now), reconciledTo);
  assert.equal(due("2026-03-03T22:49:59-05:00", "2026-03-02"), null);
  assert.equal(due("2026-03-03T22:50:00-05:00", "2026-03-02"), "2026-03-03");
  assert.equal(due("2026-03-04T09:00:00-05:00", "2026-03-03"), null);
  assert.equal(due("2026-03-04T09:00:00-05:00", "2026-03-01"), "2026-03-02");
  assert.equal(due("2026-03-02T09:00:00-05:00", "2026-02-26"), "2026-02-27");
  assert.equal(due("2026-03-01T09:00:00-05:00", "2026-02-27"), null);
  // Only the newest for a service that has just begun.
  assert.equal(due("2026-03-04T09:00:00-05:00", null), "2026-03-03");
  assert.equal(due("2026-03-04T23:00:00-05:00", null), "2026-03-04");
  // Not further back than a week, and never the future.
  assert.equal(due("2026-03-25T09:00:00-04:00", "2026-01-05"), "2026-03-18");
  assert.equal(due("2026-03-03T22:00:00-05:00", "2026-03-03"), null);
  // A clock that was ahead had it reconciled.
  assert.equal(due("2026-03-03T23:00:00-05:00", "2026-05-01"), "2026-02-24");
});

test("the index stands under its year and quarter", () => {
  const due = edgarAdapter.dueArchive?.(source, {
    now: at("2026-07-02T23:00:00-04:00"),
    reconciledTo: "2026-07-01",
  });
  assert.equal(due?.day, "2026-07-02");
  assert.equal(
    due?.request.url,
    "https://www.sec.gov/Archives/edgar/daily-index/2026/QTR3/master.20260702.idx",
  );
  // Over a weekend, in which New York changes to daylight time.
  const { from, to } = indexedTimes("2026-03-09");
  assert.deepEqual([from, to], [at("2026-03-06T17:30:00-05:00"), at("2026-03-09T17:30:00-04:00")]);
  const none = { now: at("2026-07-02T23:00:00-04:00"), reconciledTo: "2026-07-02" };
  assert.equal(edgarAdapter.dueArchive?.(source, none), null);
});
