import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { sentences } from "../src/text.ts";

const split = (text: string): readonly string[] =>
  sentences(text).map(({ start, end }) => text.slice(start, end));

test("a dot after an abbreviation or initials ends no sentence", () => {
  for (const whole of [
    "Adj. EBITDA was $41.2 million, up from $33.0 million.",
    "Avg. Selling Price rose to $14.10, incl. Freight.",
    "Orbitex Inc. Chairman Jane Q. Roe bought shares.",
    "Sales in the U.S. Rose at 9 a.m. Eastern Time.",
    "Officine Trentin S.p.A. Shares rose, see Sec. 4 and pp. 12 of Vol. II.",
    "Pursuant to Art. IV, Messrs. Roe and Doe resigned approx. Nov. 4.",
    "Qtr. Results vs. Est. Results are in Exhibit No. 99.",
  ])
    assert.deepEqual(split(whole), [whole]);
});

test("a dot, a question or a line break ends one", () => {
  assert.deepEqual(split("Sales were EUR 4 mn. Profit rose. Why? Orders!\nNew line"), [
    "Sales were EUR 4 mn.",
    "Profit rose.",
    "Why?",
    "Orders!",
    "New line",
  ]);
});

test("sentences come in order, apart, trimmed, and nothing but blanks lies between them", () => {
  const piece = fc.constantFrom(
    "Adj.",
    "U.S.",
    "Profit",
    " ",
    "\n",
    ".",
    "!",
    "3.5",
    "mn.",
    "e.g.",
    "“",
    "é",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const text = pieces.join("");
      let last = 0;
      for (const { start, end } of sentences(text)) {
        assert.ok(start >= last && end > start);
        assert.equal(text.slice(last, start).trim(), "");
        assert.equal(text.slice(start, end), text.slice(start, end).trim());
        last = end;
      }
      assert.equal(text.slice(last).trim(), "");
    }),
  );
});
