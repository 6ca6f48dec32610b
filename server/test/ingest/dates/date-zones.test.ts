import assert from "node:assert/strict";
import { test } from "node:test";
import { parseDate } from "../../../src/ingest/dates/dates.ts";

const utc = (text: string, zone = "UTC") =>
  parseDate(text, zone)?.at.toISOString().replace(".000Z", "Z") ?? null;

test("forms met in feeds, in the zone they name or else the source's", () => {
  const forms: readonly (readonly [text: string, zone: string, want: string | null])[] = [
    ["Fri, 05/03/2019 - 15:21", "America/New_York", "2019-05-03T19:21:00Z"],
    ["Seg, 24 Set 2018 19:42:40 -0300", "UTC", "2018-09-24T22:42:40Z"],
    ["Friday, 03-May-19 15:21:00 GMT", "UTC", "2019-05-03T15:21:00Z"],
    ["15-Mar-2024 10:20:30", "Asia/Kolkata", "2024-03-15T04:50:30Z"],
    ["Mi, 13. März 2024 08:00 MEZ", "UTC", "2024-03-13T07:00:00Z"],
    ["15.03.2024 10:10", "Europe/Berlin", "2024-03-15T09:10:00Z"],
    ["Fri, 15 Mar 2024 10:00:00 -0400 (EDT)", "UTC", "2024-03-15T14:00:00Z"],
    ["Fri, 15 Mar 2024 10:00:00 America/New_York", "UTC", "2024-03-15T14:00:00Z"],
    ["2024-02-30", "UTC", null],
    ["Fri, 15 Mar 2024 25:00 pm EST", "UTC", null],
    ["Fri, 15 Mar 2024 10:00:00 Nowhere/Land", "UTC", null],
  ];
  for (const [text, zone, want] of forms) assert.equal(utc(text, zone), want, text);
});

test("ET is summer time in summer and winter time in winter", () => {
  assert.equal(utc("July 5, 2024 8:00 AM ET"), "2024-07-05T12:00:00Z");
  assert.equal(utc("January 5, 2024 8:00 AM ET"), "2024-01-05T13:00:00Z");
  assert.equal(utc("July 5, 2024 8:00 AM EST"), "2024-07-05T13:00:00Z");
});

test("precision and an assumed zone are told", () => {
  const { precision, zoneAssumed } = parseDate("2024-03-15", "America/New_York") ?? {};
  assert.deepEqual({ precision, zoneAssumed }, { precision: "day", zoneAssumed: true });
  assert.equal(parseDate("2024-03-15T10:00:00", "UTC")?.zoneAssumed, true);
  assert.equal(parseDate("2024-03-15T10:00:00Z", "UTC")?.zoneAssumed, false);
});
