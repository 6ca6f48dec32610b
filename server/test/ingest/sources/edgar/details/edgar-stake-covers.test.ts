import assert from "node:assert/strict";
import { test } from "node:test";
import { parseStakeText } from "../../../../../src/ingest/sources/edgar/details/stake.ts";

const holder = "Harrowgate Partners, L.P.";
const figures = [
  "9 AGGREGATE AMOUNT BENEFICIALLY OWNED BY EACH REPORTING PERSON",
  "1,905,000",
  "11 PERCENT OF CLASS REPRESENTED BY AMOUNT IN ROW (9)",
  "7.2%",
];
const group = "2 CHECK THE APPROPRIATE BOX IF A MEMBER OF A GROUP (a) [ ] (b) [x]";
const ids = "I.R.S. IDENTIFICATION NOS. OF ABOVE PERSONS (ENTITIES ONLY)";

const layouts: [what: string, cover: string[]][] = [
  ["the name on the next line", ["NAME OF REPORTING PERSON", holder]],
  ["its number behind it", ["NAMES OF REPORTING PERSONS", `${holder}  98-7654321`]],
  ["the number's label on a line of its own", ["NAMES OF REPORTING PERSONS", ids, holder]],
  ["both labels on one line", [`1 NAMES OF REPORTING PERSONS ${ids}`, "", holder]],
  ["labels parted by a stroke", [`(1) NAME OF REPORTING PERSON / ${ids}`, holder]],
  [
    "the label broken in the middle",
    ["1.", "NAME OF REPORTING PERSON", "S.S. OR I.R.S. IDENTIFICATION NO. OF", "ABOVE PERSON", "", holder],
  ],
  [
    "the label's end in brackets on a third line",
    ["NAMES OF REPORTING PERSONS", "I.R.S. IDENTIFICATION NOS. OF ABOVE PERSONS", "(ENTITIES ONLY)", holder],
  ],
  ["behind a colon", [`Name of Reporting Person: ${holder}`]],
  ["behind a colon, the number after it", [`1) Name of Reporting Person: ${holder}`, "IRS No. 98-7654321"]],
  ["after blank lines", ["(1)", "Names of Reporting Persons.", "", "", holder]],
  [
    "the number before the name",
    ["NAME OF REPORTING PERSON", "S.S. OR I.R.S. IDENTIFICATION NO. OF ABOVE PERSON", "98-7654321", holder],
  ],
  [
    "the name between the labels",
    ["1. NAMES OF REPORTING PERSONS", holder, "I.R.S. IDENTIFICATION NO. OF ABOVE PERSON: 98-7654321"],
  ],
  [
    "in the plural with brackets",
    ["(1) Name(s) of Reporting Person(s)", "I.R.S. Identification No(s).", holder],
  ],
  [
    "spelled out",
    [
      "Names of Reporting Persons (See Instructions)",
      "IRS Identification Number of Above Person (entities only)",
      holder,
    ],
  ],
  ["over two lines", ["NAME OF REPORTING PERSON", "Harrowgate Partners,", "L.P."]],
];

for (const [what, cover] of layouts)
  test(`the cover of a schedule in text tells its holder: ${what}`, () => {
    const stake = parseStakeText([...cover, group, ...figures].join("\n"), "13G");
    assert.deepEqual(stake?.persons, [{ name: holder, percent: 7.2, shares: 1_905_000 }]);
  });

const written: [what: string, lines: string[]][] = [
  [
    "on the label's line",
    [
      "(9) Aggregate Amount Beneficially Owned by Each Reporting Person: 1,905,000 shares",
      "(11) Percent of Class Represented by Amount in Row (9): 7.2%",
    ],
  ],
  [
    "after blank lines",
    [
      "AGGREGATE AMOUNT BENEFICIALLY OWNED BY EACH REPORTING PERSON",
      "",
      "1,905,000",
      "",
      "PERCENT OF CLASS REPRESENTED BY AMOUNT IN ROW 9",
      "",
      "7.2%",
    ],
  ],
  [
    "after a broken label",
    [
      "AGGREGATE AMOUNT BENEFICIALLY OWNED BY EACH",
      "REPORTING PERSON",
      "1,905,000",
      "PERCENT OF CLASS REPRESENTED BY AMOUNT IN",
      "ROW (9)",
      "7.2%",
    ],
  ],
];
for (const [what, lines] of written)
  test(`the cover of a schedule in text tells shares and part: ${what}`, () => {
    const stake = parseStakeText(["NAME OF REPORTING PERSON", holder, group, ...lines].join("\n"), "13G");
    assert.deepEqual(stake?.persons, [{ name: holder, percent: 7.2, shares: 1_905_000 }]);
  });

test("a cover that leaves its figures blank invents none of the rows behind", () => {
  const lines = [
    "NAME OF REPORTING PERSON",
    holder,
    group,
    "AGGREGATE AMOUNT BENEFICIALLY OWNED BY EACH REPORTING PERSON",
    "10 CHECK BOX IF THE AGGREGATE AMOUNT IN ROW (9) EXCLUDES CERTAIN SHARES",
    "PERCENT OF CLASS REPRESENTED BY AMOUNT IN ROW (9)",
    "5.1%",
  ];
  assert.deepEqual(parseStakeText(lines.join("\n"), "13G")?.persons, [
    { name: holder, percent: 5.1, shares: null },
  ]);
});
