import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { quote, quoteClause, quoteFirst } from "../src/quote.ts";
import { anyCharacter } from "./any-character.ts";

const spanOf = (text: string, words: string) => {
  const start = text.indexOf(words);
  return { start, end: start + words.length };
};

const phrases: readonly (readonly [title: string, words: string, quoted: string])[] = [
  ["Norvik calls back 1.4 million F-150s over a fault", "calls back 1.4", "calls back 1.4 million F-150s"],
  [
    "Norvik sees year EPS $12.77-$12.97, had seen $14.58",
    "sees year EPS $12.77",
    "sees year EPS $12.77-$12.97",
  ],
  [
    "Fund builds stake worth more than $1 billion in Norvik",
    "Fund builds stake",
    "Fund builds stake worth more than $1 billion",
  ],
  ["Norvik EPS $2.09 Vs. $1.41 View; Cuts Target", "1.41 View; Cuts", "$1.41 View"],
  ["Agency drops probe of Norvik's pay controls", "drops probe of", "drops probe of Norvik's pay controls"],
  [
    "Claims dip to 220k (228k est.), continuing claims rise",
    "Claims dip to 220k (228k est",
    "Claims dip to 220k (228k est.)",
  ],
  [
    "Bank of Norvik Lowers Policy Rate to 2%",
    "Norvik Lowers Policy Rate",
    "Bank of Norvik Lowers Policy Rate",
  ],
  ["Norvik's rail tie-up", "up", "tie-up"],
  ["Shoppers stay away as discounters gain", "stay away", "stay away"],
  ["The drug did not meet its goal", "not meet", "did not meet its goal"],
];

for (const [title, words, quoted] of phrases)
  test(`a quotation is a whole phrase: ${quoted}`, () => {
    assert.equal(quote(title, spanOf(title, words)), `'${quoted}'`);
  });

const clauses: readonly (readonly [title: string, words: string, quoted: string])[] = [
  [
    "Norvik hikes profit target a third time but swallows $5.7 billion goodwill charge on clinics",
    "but swallows $5.7",
    "swallows $5.7 billion goodwill charge on clinics",
  ],
  [
    "Norvik board signs off on $5 billion for repurchases",
    "board signs",
    "Norvik board signs off on $5 billion for repurchases",
  ],
  [
    "Norvik sells 497,099 trucks in Q3; Street was closer to 443,000",
    "Q3; Street",
    "Street was closer to 443,000",
  ],
];

for (const [title, words, quoted] of clauses)
  test(`a wording is quoted as a clause: ${quoted}`, () => {
    assert.equal(quoteClause(title, spanOf(title, words)), `'${quoted}'`);
  });

test("quotations of any text are one line, bounded, and of the text", () => {
  const text = fc.string({ unit: anyCharacter, maxLength: 300 });
  fc.assert(
    fc.property(text, fc.nat(300), fc.nat(60), (found, at, length) => {
      const start = Math.min(at, found.length);
      const span = { start, end: Math.min(found.length, start + length) };
      for (const said of [quote(found, span), quoteClause(found, span), quoteFirst(found)]) {
        assert.ok(said.length <= 90, said);
        assert.doesNotMatch(said, /\n/);
      }
    }),
  );
});
