import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { z } from "zod";
import { Encoder, type Marked } from "../../src/pro/encoder/encoder.ts";
import { pro, proByRules } from "../../src/pro/pro.ts";
import { artifact, filing } from "../fixtures.ts";
import { linkedSymbol } from "../linked-symbol.ts";
import { assertProven, both, brackwell, halvorn, textOf } from "./pro-fixtures.ts";

const sampled = z.object({
  company: z.string().nullable(),
  title: z.string(),
  body: z.string(),
  said: z.array(z.number()),
});
const sample = readFileSync(new URL("encoder-sample.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => sampled.parse(JSON.parse(line)));
const encoder = await Encoder.load();
const read = async (about: Marked, text: Marked) => {
  const [said] = await encoder.read([{ about, text }]);
  assert.ok(said !== undefined);
  return said;
};

/** The text with each `name` in it marked. */
const marked = (text: string, name: string): Marked =>
  text.split(name).flatMap((part, at) => (at === 0 ? [part] : [null, part]));

test("it says what the native runtime says of the same texts, so that tokens and weights are the trained ones", async () => {
  for (const { company, title, body, said } of sample) {
    const text = body === "" ? title : `${title}\n${body}`;
    const { sign, short, long, action } = await (company === null
      ? read([], [text])
      : read([null], marked(text, company)));
    for (const [at, value] of [...sign, short, long, action].entries()) {
      const wanted = said[at < 3 ? at : at + 6] ?? Number.NaN;
      assert.ok(Math.abs(value - wanted) < 0.2, `${title}: ${value}, not ${wanted}`);
    }
  }
});

test("the same text gives the same verdict, byte for byte, whatever was read in between", async () => {
  const item = artifact("Halvorn to be acquired by Brackwell for $31 a share in cash", "");
  const first = JSON.stringify(await pro(encoder, item, both));
  await pro(encoder, artifact("Tessaro files for bankruptcy protection", ""), []);
  assert.equal(JSON.stringify(await pro(encoder, item, both)), first);
});

const turned = "Vellmar sues Ondrey Marine over tanker contract";
const ondrey = linkedSymbol("Ondrey Marine plc", "ONDR", true);
const titles = [
  "Halvorn shoppers stay away as discounters gain",
  "Halvorn's plant runs again after eight weeks",
  "Halvorn tells dealers to stop selling the pump",
  "Halvorn loses its largest customer to Brackwell",
  turned,
];

test("a sign that is not that of the rules is proven by words of the title, and told in a sentence", async () => {
  let proven = 0;
  for (const title of titles) {
    const item = artifact(title, "");
    const symbols = title === turned ? [ondrey] : [halvorn];
    const [joint, ruled] = [await pro(encoder, item, symbols), proByRules(item, symbols)];
    assertProven(joint, textOf(item));
    assert.equal(joint.symbols[0]?.sentiment_short, joint.sentiment.shortDirection);
    const short = joint.sentiment.shortDirection;
    if (Math.sign(short) === Math.sign(ruled.sentiment.shortDirection) || short === 0) continue;
    proven += 1;
    assert.match(
      joint.sentiment.comment,
      /reads as (?:good|bad) news for (?:Halvorn|Ondrey)|\('.+'\): (?:bull|bear)ish for (?:Halvorn|Ondrey)/,
    );
    assert.ok((joint.symbols[0]?.evidence.length ?? 0) > 0, title);
  }
  assert.ok(proven > 0, "none of the titles is read otherwise than by the rules");
});

test("no company's name is the proof of a sign", async () => {
  const fortunate = linkedSymbol("Strong Fortune Losses Inc.", "SFL", true);
  for (const title of [
    "Strong Fortune Losses 8-K Item 5.02 Departure of Directors",
    "8-K: Strong Fortune Losses - Item 2.02 Results of Operations",
    "Shoppers stay away from Strong Fortune Losses",
    "Strong Fortune Losses tells dealers to stop selling the pump",
    "Strong Fortune Losses",
  ]) {
    const { symbols, sentiment } = await pro(encoder, artifact(title), [fortunate]);
    const proofs = symbols.flatMap(({ evidence }) => evidence.map(({ text }) => text));
    const told = /reads as (?:good|bad) news for .+ \('(.+)'\)/.exec(sentiment.comment)?.[1];
    for (const words of told === undefined ? proofs : [...proofs, told])
      assert.doesNotMatch(words, /^(?:Strong|Fortune|Losses| )+$/, title);
  }
});

test("every longer analysis has the reading in context as a factor, with words of the text", async () => {
  const item = artifact("Halvorn opens a second plant", "");
  const { detailedAnalysis } = await pro(encoder, item, [halvorn]);
  const last = detailedAnalysis.sentiment.factors.at(-1);
  assert.equal(last?.name, "The text read in context");
  assert.equal(last?.evidence[0]?.text, item.title);
});

test("what a form of filing says of actionability stands", async () => {
  const item = filing("10-D", [], "10-D - Solvane Optics Inc", "");
  const [joint, ruled] = [await pro(encoder, item, []), proByRules(item, [])];
  assert.deepEqual(joint.actionability, ruled.actionability);
});

test("odd texts are read: empty, long without a space, lone surrogates, many companies", async () => {
  const many = Array.from({ length: 12 }, (_, at) => linkedSymbol(`Company${at} Inc.`, `CO${at}`, at === 0));
  for (const [title, body] of [
    ["", ""],
    [" \n ", "Body alone."],
    ["a".repeat(50_000), ""],
    ["\ud800 profit \udc00", "\ud800"],
    [many.map(({ name }) => name).join(" and "), "x ".repeat(90_000)],
  ] as const) {
    const verdict = await pro(encoder, artifact(title, body), many);
    assert.equal(verdict.symbols.length, many.length);
    for (const { sentiment_short: short } of verdict.symbols) assert.ok(Number.isInteger(short));
  }
});

test("two lines of one company have one direction", async () => {
  const other = { ...halvorn, symbol: "NASDAQ:HALVB", short_symbol: "HALVB", primary: false };
  const verdict = await pro(encoder, artifact("Halvorn sues Brackwell over pumps", ""), [
    halvorn,
    other,
    brackwell,
  ]);
  assert.equal(verdict.symbols[0]?.sentiment_short, verdict.symbols[1]?.sentiment_short);
});
