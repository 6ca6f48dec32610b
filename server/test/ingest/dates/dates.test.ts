import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { z } from "zod";
import { anyCharacter } from "../../../../scoring/test/any-character.ts";
import { parseDate } from "../../../src/ingest/dates/dates.ts";
import { recordedLines, withRecorded } from "../../support/recorded.ts";

const iso = (text: string, zone = "UTC") => parseDate(text, zone)?.at.toISOString() ?? null;

const seconds: readonly (readonly [string, string])[] = [
  ["Mon, 02 Mar 2026 09:30:15 -0500", "2026-03-02T14:30:15.000Z"],
  ["Mon, 02 Mar 2026 09:30:15 EST", "2026-03-02T14:30:15.000Z"],
  ["Mon, 06 Jul 2026 09:30:15 EDT", "2026-07-06T13:30:15.000Z"],
  ["Mon, 06 Jul 2026 09:30:15 PDT", "2026-07-06T16:30:15.000Z"],
  ["Mon, 02 Mar 2026 14:30 GMT", "2026-03-02T14:30:00.000Z"],
  ["Mon, 2 Mar 26 14:30:00 Z", "2026-03-02T14:30:00.000Z"],
  ["02 Mar 2026 14:30:00 +05:30", "2026-03-02T09:00:00.000Z"],
  ["02-Mar-2026 14:30:00 IST", "2026-03-02T09:00:00.000Z"],
  ["Monday, 02-Mar-26 14:30:00 GMT", "2026-03-02T14:30:00.000Z"],
  ["Mon Mar  2 14:30:00 2026", "2026-03-02T14:30:00.000Z"],
  ["Mon Mar 02 14:30:00 CET 2026", "2026-03-02T13:30:00.000Z"],
  ["March 2, 2026 2:30 PM EST", "2026-03-02T19:30:00.000Z"],
  ["Mar. 2, 2026 at 12:05 am", "2026-03-02T00:05:00.000Z"],
  ["Mon, 03/02/2026 - 15:21", "2026-03-02T15:21:00.000Z"],
  ["03/02/2026 12:00 PM EST", "2026-03-02T17:00:00.000Z"],
  ["2026/03/02 14:30:00 JST", "2026-03-02T05:30:00.000Z"],
  ["2026-03-02T14:30:00.987654321Z", "2026-03-02T14:30:00.000Z"],
  ["2026-03-02T14:30:00,5+0100", "2026-03-02T13:30:00.000Z"],
  ["2026-03-02 14:30:00 -00:20", "2026-03-02T14:50:00.000Z"],
  ["2026-03-02t14:30z", "2026-03-02T14:30:00.000Z"],
  ["2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z"],
  ["\ufeff\n Mon, 02 Mar 2026\t14:30:00   GMT \n", "2026-03-02T14:30:00.000Z"],
  ["Seg, 24 Set 2018 19:42:40 -0300", "2018-09-24T22:42:40.000Z"],
  ["Mi, 4 März 2026 08:00:00 MEZ", "2026-03-04T07:00:00.000Z"],
  ["lun., 2 févr. 2026 08:00:00 +0100", "2026-02-02T07:00:00.000Z"],
  ["Κυρ, 11 Ιούλ 2004 12:00:00 EST", "2004-07-11T17:00:00.000Z"],
  ["2026-július-13T9:15-05:00", "2026-07-13T14:15:00.000Z"],
  ["2026. március 2. 9:15", "2026-03-02T09:15:00.000Z"],
  ["2026-03-02 오후 11:23:17", "2026-03-02T14:23:17.000Z"],
  ["2026년 03월 02일  01:31:15", "2026-03-01T16:31:15.000Z"],
];

const days: readonly (readonly [string, string])[] = [
  ["2026-03-02", "2026-03-02"],
  ["20260302", "2026-03-02"],
  ["2026-03", "2026-03-01"],
  ["02/13/2026", "2026-02-13"],
  ["13/02/2026", "2026-02-13"],
  ["03/03/2026", "2026-03-03"],
  ["Mon, 03/02/2026", "2026-03-02"],
  ["Monday 02/03/2026", "2026-03-02"],
  ["2 March 2026", "2026-03-02"],
  ["March 2, 2026", "2026-03-02"],
  ["2024-02-29", "2024-02-29"],
  ["-0312", "2003-12-01"],
  ["03-12-31", "2003-12-31"],
];

const never = [
  "",
  "today",
  "2026-02-30",
  "2025-02-29",
  "2026-13-01",
  "2026-03-02T24:30:00Z",
  "2026-03-02T14:60:00Z",
  "2026-03-02T14:30:61Z",
  "2026-03-02T14:30:00+99:99",
  "2026-03-02T14:30:00Zulu time",
  "0001-01-01T00:00:00Z",
  "13/13/2026",
  "30/02/2026",
  "Mon, 32 Mar 2026 14:30:00 GMT",
  "Mon, 02 Foo 2026 14:30:00 GMT",
  "Mon, 02 Mar 2026 14:30:00 XQZ",
  "1772461800",
  "20260302143000extra",
];

test("times with a zone, or UTC where they name none", () => {
  for (const [text, want] of seconds) {
    assert.equal(iso(text), want, text);
    assert.equal(parseDate(text, "UTC")?.precision, "second", text);
  }
});

test("dates without a time are of their day in every zone", () => {
  for (const [text, want] of days)
    for (const zone of ["UTC", "America/New_York", "Asia/Tokyo"]) {
      const date = parseDate(text, zone);
      assert.equal(date?.at.toISOString(), `${want}T00:00:00.000Z`, text);
      assert.equal(date?.precision, "day", text);
    }
});

test("what is no date, or no real one, is null", () => {
  for (const text of never) assert.equal(iso(text), null, text);
});

test("times that name no zone are of the source's, summer and winter", () => {
  assert.equal(iso("2026-01-15 09:30:00", "America/New_York"), "2026-01-15T14:30:00.000Z");
  assert.equal(iso("2026-07-15 09:30:00", "America/New_York"), "2026-07-15T13:30:00.000Z");
  assert.equal(iso("02-Mar-2026 14:30:00", "Asia/Kolkata"), "2026-03-02T09:00:00.000Z");
  assert.equal(iso("2026-3-2 9:30:00", "America/New_York"), "2026-03-02T14:30:00.000Z");
  assert.equal(parseDate("2026-3-2 09:30", "UTC")?.zoneAssumed, true);
  assert.equal(iso("2026-3-2 오전 9:30", "America/New_York"), "2026-03-02T00:30:00.000Z");
  assert.equal(parseDate("2026-01-15 09:30:00", "Asia/Kolkata")?.zoneAssumed, true);
  assert.equal(parseDate("2026-01-15 09:30:00 +0000", "Asia/Kolkata")?.zoneAssumed, false);
  // The hour before the clocks change on 8 March 2026, and the one after.
  assert.equal(iso("2026-03-08 01:59:59", "America/New_York"), "2026-03-08T06:59:59.000Z");
  assert.equal(iso("2026-03-08 03:00:00", "America/New_York"), "2026-03-08T07:00:00.000Z");
});

test("a slashed date is read month first or day first where something tells which, and not at all elsewhere", () => {
  const march = "2026-03-12";
  const december = "2026-12-03";
  const read: readonly (readonly [text: string, zone: string, want: string | null])[] = [
    ["03/12/2026 09:00", "America/New_York", march],
    ["03/12/2026 9:00 AM", "America/Los_Angeles", march],
    ["03/12/2026 09:00 ET", "UTC", march],
    ["03/12/2026 09:00 PDT", "Europe/London", march],
    ["03/12/2026 09:00 America/Chicago", "UTC", march],
    ["03/12/2026", "US/Eastern", march],
    ["03/12/2026 09:00", "Europe/London", december],
    ["3/12/2026", "Asia/Kolkata", december],
    ["03/12/2026 09:00 Europe/Paris", "UTC", december],
    ["03/12/2026 09:00", "America/Sao_Paulo", december],
    ["Thu, 03/12/2026 - 09:00", "Europe/London", december],
    ["Thursday, 03/12/2026", "America/New_York", march],
    // Both are Thursdays. 2 March is a Monday, 3 February is none.
    ["Mon, 03/02/2026 9:00 AM", "Europe/London", "2026-03-02"],
    ["Tue, 03/02/2026 09:00", "America/New_York", "2026-02-03"],
    ["3/12/2026 9:00:00 AM", "Asia/Kolkata", null],
    ["03/12/2026 09:00", "UTC", null],
    ["03/12/2026 09:00 GMT", "UTC", null],
    ["03/12/2026 09:00", "America/Toronto", null],
    ["03/12/2026", "Asia/Tokyo", null],
    ["Thu, 03/12/2026", "UTC", null],
  ];
  for (const [text, zone, want] of read)
    assert.equal(iso(text, zone)?.slice(0, 10) ?? null, want, `${text} in ${zone}`);
});

test("the process's own zone has no say", () => {
  const before = process.env.TZ;
  try {
    process.env.TZ = "Pacific/Auckland";
    assert.equal(iso("Mon Mar  2 14:30:00 2026"), "2026-03-02T14:30:00.000Z");
  } finally {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  }
});

test("every instant comes back from its ISO and its RFC 822 form", () => {
  const instant = fc.date({
    min: new Date("1970-01-01T00:00:00Z"),
    max: new Date("2099-12-31T23:59:59Z"),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(instant, (at) => {
      const whole = new Date(Math.floor(at.getTime() / 1000) * 1000).toISOString();
      assert.equal(iso(at.toISOString(), "Asia/Tokyo"), whole);
      assert.equal(iso(at.toUTCString(), "Asia/Tokyo"), whole);
    }),
  );
});

test("any text is a date or null, never an exception", () => {
  const piece = fc.constantFrom(
    "2026",
    "-",
    "03",
    "/",
    ":",
    " ",
    "Mar",
    "T",
    "Z",
    "+0100",
    "오후",
    "월",
    ",",
    "GMT",
  );
  const text = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.array(piece, { maxLength: 12 }).map((all) => all.join("")),
  );
  fc.assert(
    fc.property(text, (any) => {
      const date = parseDate(any, "UTC");
      assert.ok(date === null || Number.isFinite(date.at.getTime()));
    }),
    { numRuns: 2_000 },
  );
});

test("the usual forms, read the short way, are the moments that the general one reads", () => {
  const two = (most: number) => fc.integer({ min: 0, max: most }).map((n) => String(n).padStart(2, "0"));
  const year = fc.constantFrom("0000", "0099", "0100", "1970", "2024", "2026", "9999");
  const offset = fc.tuple(fc.constantFrom("+", "-"), two(25), two(61));
  const time = fc.tuple(two(25), two(61), two(62)).map((parts) => parts.join(":"));
  const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec", "Foo"];
  const zone = fc.oneof(
    fc.constantFrom("GMT", "UTC", "Z"),
    offset.map((parts) => parts.join("")),
  );
  const weekday = fc.constantFrom("", "Mon, ", "Sun, ");
  const day = fc.oneof(two(32), fc.constantFrom("1", "9"));
  const rfc822 = fc
    .tuple(weekday, day, fc.constantFrom(...months), year, time, zone)
    .map(([name, ...rest]) => name + rest.join(" "));
  const end = fc.oneof(
    fc.constant("Z"),
    offset.map(([sign, hours, minutes]) => `${sign}${hours}:${minutes}`),
  );
  const fraction = fc.constantFrom("", ".5", ".123456789");
  const rfc3339 = fc
    .tuple(year, two(13), two(32), time, fraction, end)
    .map(([y, month, date, clock, part, offsetText]) => `${y}-${month}-${date}T${clock}${part}${offsetText}`);
  fc.assert(
    fc.property(fc.oneof(rfc822, rfc3339), (text) => {
      // With a blank before it, it takes the long way.
      assert.deepEqual(parseDate(text, "America/New_York"), parseDate(` ${text}`, "America/New_York"));
    }),
    { numRuns: 2_000 },
  );
});

const line = z.object({ input: z.string(), expected: z.number().nullable() });

test("the recorded dates of another parser's tests", withRecorded, () => {
  const lines = recordedLines("dates.jsonl").map((each) => line.parse(each));
  assert.equal(lines.length, 72);
  const wrong = lines.filter(
    ({ input, expected }) => (parseDate(input, "UTC")?.at.getTime() ?? null) !== expected,
  );
  assert.deepEqual(wrong, []);
});
