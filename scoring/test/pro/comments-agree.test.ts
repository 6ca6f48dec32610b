import assert from "node:assert/strict";
import { test } from "node:test";
import { eventRows } from "../../eval/event-examples.ts";
import { flash } from "../../src/flash/flash.ts";
import { proByRules } from "../../src/pro/pro.ts";
import type { LinkedSymbol } from "../../src/types.ts";
import { artifact as news } from "../fixtures.ts";
import { linkedSymbol } from "../linked-symbol.ts";

/** Companies of the table's examples. */
const companies = [
  "Veldric",
  "Ostmark",
  "Kestrin",
  "Harrow",
  "Calder",
  "Halden",
  "Norvik",
  "Brantley",
  "Marl",
];

const symbolsIn = (text: string): readonly LinkedSymbol[] =>
  companies
    .map((name, at) => ({ name, at, place: text.indexOf(name) }))
    .filter(({ place }) => place >= 0)
    .toSorted((a, b) => a.place - b.place)
    .map(({ name, at }, index) => linkedSymbol(name, `C${at}`, index === 0));

const ways = { bullish: 1, bearish: -1, "no clear direction": 0 } as const;
const quoted = /'[^']*(?:'\w[^']*)*'/g;
const said = /\b(bullish|bearish|no clear direction) for (?:the )?([\p{L}\p{N} ]+)/gu;

/** What a comment says of a direction, or of a company, beside the verdict it stands with. */
function faultsOf(direction: number, comment: string | null, whom: string | null): readonly string[] {
  const plain = (comment ?? "").replaceAll(quoted, "''");
  return [...plain.matchAll(said)].flatMap(([, way = "", of = ""]) => {
    const sign = Object.entries(ways).find(([name]) => name === way)?.[1];
    const isOther = whom !== null && companies.includes(of.trim()) && of.trim() !== whom;
    return sign === Math.sign(direction) && !isOther
      ? []
      : [`${direction} for ${whom ?? "the item"}: ${comment}`];
  });
}

const examples = eventRows(() => true).flatMap((row) => row.examples.slice(0, 2));
const texts = examples.flatMap((title, at) => [
  ...(at % 4 === 0 ? [{ title, body: "" }] : []),
  // A body that tells something else: both may speak for opposite sides.
  {
    title,
    body: `${examples[(at * 997) % examples.length]}. ${examples[(at * 613 + 7) % examples.length]}.`,
  },
]);

test("no comment gainsays its number, and none of a company speaks of another one", () => {
  const faults = texts.flatMap(({ title, body }) => {
    const artifact = news(title, body);
    const symbols = symbolsIn(`${title} ${body}`);
    return [flash(artifact, symbols), proByRules(artifact, symbols)].flatMap((verdict) => [
      ...faultsOf(verdict.sentiment.shortDirection, verdict.sentiment.comment, null),
      ...verdict.symbols.flatMap((company, at) =>
        faultsOf(company.sentiment_short ?? 0, company.sentiment_comment, symbols[at]?.name ?? null),
      ),
    ]);
  });
  assert.deepEqual(faults.slice(0, 5), [], `${faults.length} faults in ${texts.length} texts`);
});
