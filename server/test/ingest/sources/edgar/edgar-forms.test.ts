import assert from "node:assert/strict";
import { test } from "node:test";
import {
  aboutParties,
  filingClass,
  namesSubject,
  originalForm,
} from "../../../../src/ingest/sources/edgar/forms.ts";
import { dayOf } from "../../../../src/ingest/sources/edgar/time.ts";
import { withRecorded } from "../../../support/recorded.ts";
import { readTape } from "../../../support/tape.ts";

/** Forms by when they are read. */
const forms = {
  first: [
    "8-K",
    "8-K/A",
    "8-K12B",
    "6-K",
    "SC 13D",
    "SCHEDULE 13D/A",
    "SC TO-T",
    "SC TO-I/A",
    "SC 14D9",
    "SC14D9C",
    "425",
    "424B4",
    "424B5",
    "NT 10-K",
    "NT 10-Q/A",
  ],
  usual: [
    "10-K",
    "10-Q",
    "4",
    "4/A",
    "144",
    "SCHEDULE 13G",
    "S-1",
    "S-1/A",
    "S-3",
    "DEF 14A",
    "25-NSE",
    "1-A",
    "XYZ",
  ],
  last: [
    "424B2",
    "424B3",
    "FWP",
    "497",
    "497K",
    "485BPOS",
    "N-CSR",
    "N-PORT/A",
    "NPORT-P",
    "NT N-CEN",
    "D",
    "D/A",
    "EFFECT",
    "CERT",
    "CERTNYS",
    "CORRESP",
    "UPLOAD",
    "13F-HR",
    "ABS-EE",
    "10-D",
    "S-8",
  ],
};

test("what changes owner, money or trust is read first, routine paper last", () => {
  const classes = (some: readonly string[]) => [...new Set(some.map((form) => filingClass(form, [])))];
  assert.deepEqual(classes(forms.first), [2]);
  assert.deepEqual(classes(forms.usual), [1]);
  assert.deepEqual(classes(forms.last), [0]);
});

test("an 8-K of nothing but charter, votes, ethics and exhibits takes its turn; any other is read first", () => {
  assert.equal(filingClass("8-K", ["5.07"]), 1);
  assert.equal(filingClass("8-K", ["5.03", "9.01"]), 1);
  assert.equal(filingClass("8-K/A", ["5.07", "8.01"]), 2);
  assert.equal(filingClass("8-K", ["2.02", "9.01"]), 2);
  assert.equal(filingClass("8-K", []), 2, "its items are not told yet");
});

test("an amendment names the form of its original", () => {
  assert.equal(originalForm("8-K/A"), "8-K");
  assert.equal(originalForm("SCHEDULE 13D/A"), "SCHEDULE 13D");
  assert.equal(originalForm("ATS-N/UA"), "ATS-N");
  assert.equal(originalForm("1-A/A"), "1-A");
  for (const form of ["8-K", "1-A", "MA-A", "POS AM"]) assert.equal(originalForm(form), null, form);
});

test("senders alone do not tell whom a filing is about", () => {
  assert.equal(namesSubject(["Filed by", "Reporting"]), false);
  for (const roles of [["Filed by", "Subject"], ["Filer"], [null], []])
    assert.equal(namesSubject(roles), true);
  const party = (role: string) => ({ name: role, cik: "0000000001", role });
  assert.deepEqual(
    aboutParties([party("Reporting"), party("Filer"), party("Subject"), party("Issuer")]).map(
      ({ role }) => role,
    ),
    ["Issuer", "Subject", "Filer"],
  );
});

test("dates are read in the ways of the forms, and no others", () => {
  assert.deepEqual(
    ["20260302", "2026-03-02", "03/02/2026", "3/2/2026", "03-02-2026", " 2026-03-02-05:00"].map(dayOf),
    Array.from({ length: 6 }, () => "2026-03-02"),
  );
  for (const text of ["", "2026-02-30", "13/01/2026", "March 2, 2026", "202603021", null, undefined])
    assert.equal(dayOf(text), null);
});

test("on a recorded day, a seventh is read first and two fifths last", withRecorded, (context) => {
  const counts = [0, 0, 0];
  const tape = readTape();
  for (const { form, items } of tape)
    counts[filingClass(form, items)] = (counts[filingClass(form, items)] ?? 0) + 1;
  const shares = counts.map((count) => Math.round((100 * count) / tape.length));
  assert.deepEqual(shares, [39, 47, 14]);
  context.diagnostic(`classes 0, 1, 2: ${counts}`);
});
