import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";
import { z } from "zod";
import {
  areaUnderCurve,
  calibrationError,
  classMeasures,
  precisionAtTenth,
  wilson,
} from "../../eval/metrics.ts";
import { Opinions } from "../../src/flash/heads/heads.ts";
import { modelVersion, shippedHeads } from "../../src/flash/heads/model.ts";
import { decodeModel, encodeModel, modelFile } from "../../src/flash/heads/model-file.ts";
import { exampleOf, type Line } from "../../training/corpus.ts";
import { trainHeads } from "../../training/heads.ts";
import { fit } from "../../training/regression.ts";

const path = new URL("../../model/flash.json", import.meta.url);
const text = readFileSync(path, "utf8");
const labelled = z.object({ text: z.string() });
const file = modelFile.parse(JSON.parse(text));

test("the shipped weights are under two megabytes, and their checksum file fits them", () => {
  assert.ok(text.length < 2_000_000, `${text.length}`);
  const stated = readFileSync(new URL("../../model/flash.json.sha256", import.meta.url), "utf8").split(
    " ",
  )[0];
  assert.equal(createHash("sha256").update(text).digest("hex"), stated);
  assert.equal(modelVersion, file.version);
});

test("weights with one byte changed are refused", () => {
  const bytes = Buffer.from(file.payload, "base64");
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
  assert.throws(() => decodeModel({ ...file, payload: bytes.toString("base64") }), /checksum/);
  assert.throws(() => decodeModel({ version: "1" }));
});

const words = ["profit rises on demand", "board meets on Monday", "sales fall sharply"];

/** Texts of three classes, in the form of an author's lines. */
const linesOf = (author: string, n: number): readonly Line[] =>
  Array.from(
    { length: n },
    (_, at): Line => ({
      ...exampleOf(
        `${author} ${words[at % 3]} ${at}`,
        at % 2 === 0 ? "The company said so." : "",
        2 - (at % 3),
      ),
      author,
      isPost: false,
      actionable: at % 3 !== 1,
      group: at % 3 === 1 ? "none" : "results",
      pair: null,
    }),
  );

test("training twice on the same lines gives the same bytes, and they survive being written and read", () => {
  const sets = {
    headlines: { name: "headlines", examples: linesOf("alpha", 12) },
    tweets: { name: "tweets", examples: linesOf("bravo", 12) },
    own: { name: "own", examples: linesOf("charlie", 12) },
    lines: ["delta", "echo", "foxtrot"].flatMap((author) => linesOf(author, 12)),
  };
  const heads = trainHeads(sets);
  const once = encodeModel(heads, "test");
  assert.deepEqual(encodeModel(trainHeads(sets), "test"), once);
  const read = decodeModel(once).heads;
  for (const example of sets.own.examples.slice(0, 10)) {
    const [again, first] = [new Opinions(read, example), new Opinions(heads, example)];
    assert.deepEqual(again.direction(false), first.direction(false));
    assert.equal(again.action, first.action);
  }
});

test("lines held out of training are no lines of it", () => {
  const textsOf = (path: string): readonly string[] =>
    readFileSync(new URL(path, import.meta.url), "utf8")
      .trim()
      .split("\n")
      .map((line) => labelled.parse(JSON.parse(line)).text);
  for (const name of ["company-prose", "wire-headlines"]) {
    const trained = new Set(textsOf(`../../training/${name}.jsonl`));
    const held = textsOf(`../../eval/${name}-heldout.jsonl`);
    assert.ok(held.length >= 120 && held.every((text) => !trained.has(text)), name);
  }
  const folders = ["../../training/lines/", "../../training/encoder/lines/"];
  const lines = new Set(
    folders.flatMap((folder) =>
      readdirSync(new URL(folder, import.meta.url)).flatMap((file) => textsOf(`${folder}${file}`)),
    ),
  );
  assert.ok(lines.size > 20_000);
  for (const name of ["n", "w", "x", "y", "ab", "bf"])
    for (const text of textsOf(`../../eval/new-author-${name}-heldout.jsonl`))
      assert.ok(!lines.has(text), text);
});

test("a regression learns what tells its examples apart", () => {
  const texts = ["alpha good", "bravo flat", "charlie bad"];
  const examples = Array.from({ length: 90 }, (_, at) => exampleOf(`${texts[at % 3]} ${at}`, "", at % 3));
  const options = {
    classes: 3,
    buckets: 1 << 10,
    letters: true,
    epochs: 6,
    rate: 0.3,
    l2: 0,
    seeds: [1],
    sharing: 0,
  };
  const head = fit(examples, options);
  assert.ok(head.grams.some((weight) => weight !== 0));
  assert.deepEqual(fit(examples, options).grams, head.grams);
});

test("probabilities sum to one and the shipped heads know up from down", () => {
  const judge = (title: string, isCompanyNews: boolean) =>
    new Opinions(shippedHeads, exampleOf(title, "", 1)).direction(isCompanyNews);
  for (const title of ["", "Profit rises 20% on strong demand", "🚀", "Net sales totalled EUR 4 mn ."])
    for (const isCompanyNews of [true, false]) {
      const [down, flat, up] = judge(title, isCompanyNews);
      assert.ok(Math.abs(down + flat + up - 1) < 1e-9);
    }
  const [down, , up] = judge("Profit rises 20% on strong demand, beats estimates", true);
  assert.ok(up > 0.7 && down < 0.1);
});

test("measures: a perfect and a reversed ranking, ties, an even calibration, an interval around its share", () => {
  const ranked = [1, 2, 3, 4].map((score) => ({ score, positive: score > 2 }));
  assert.equal(areaUnderCurve(ranked), 1);
  assert.equal(areaUnderCurve(ranked.map(({ score, positive }) => ({ score: -score, positive }))), 0);
  assert.equal(areaUnderCurve(ranked.map(({ positive }) => ({ score: 1, positive }))), 0.5);
  assert.equal(precisionAtTenth(ranked), 1);
  assert.equal(precisionAtTenth(ranked.map(({ positive }) => ({ score: 1, positive }))), 0.5);
  const sure = [1, 1, 1, 0].map((hit) => ({ p: 0.75, hit: hit === 1 }));
  assert.equal(calibrationError(sure), 0);
  const [low, high] = wilson(0.5, 100);
  assert.ok(low > 0.4 && low < 0.5 && high > 0.5 && high < 0.6);
  const { accuracy, confusion } = classMeasures([
    { label: "positive", guess: "positive", confidence: 1 },
    { label: "negative", guess: "neutral", confidence: 0.5 },
  ]);
  assert.equal(accuracy, 0.5);
  assert.deepEqual(confusion, [
    [0, 1, 0],
    [0, 0, 0],
    [0, 0, 1],
  ]);
});
