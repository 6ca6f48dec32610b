import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { proByRules } from "@tapewire/scoring/pro/pro.ts";
import { calibrationFile } from "../../src/score/model/calibration.ts";
import { OwnModel, readModelFolder } from "../../src/score/model/own-model.ts";
import { callCommand, runCommand } from "../support/command.ts";
import { tinyCopy } from "../support/own-model.ts";
import { temporaryFolder } from "../support/process.ts";

const folder = temporaryFolder();
after(() => folder[Symbol.dispose]());
const path = join(folder.path, "lines.jsonl");

function write(lines: readonly unknown[]): void {
  const text = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
  writeFileSync(path, `${text.join("\n")}\n`);
}

const run = (lines: readonly unknown[], model: string, ...more: readonly string[]) => {
  write(lines);
  return callCommand(["calibrate", path, "--model", model, ...more], {});
};

/** Texts of which the model is sure. Every fourth label says otherwise, so that it is surer than it should be. */
const plain = {
  positive: "Halvorn wins approval",
  negative: "Halvorn misses on fraud",
  neutral: "The meeting of names",
};
const classes = ["positive", "negative", "neutral"] as const;
const labels = Array.from({ length: 72 }, (_, n) => {
  const read = classes[n % 3] ?? "neutral";
  const label = n % 4 === 3 ? (classes[(n + 1) % 3] ?? "neutral") : read;
  return { title: `${plain[read]} ${n}`, label };
});
const lines = labels.map(({ title, label }) => ({ title, sentiment: label }));
const halvorn = (title: string) => ({
  ...{ type: "news" as const, title, body: "", filing: null, categories: [] },
  publishedAt: new Date("2026-03-02T14:30:00Z"),
});

describe("tapewire calibrate", () => {
  test("fits a model on labelled lines, and the model is read by what it wrote", async () => {
    using copy = tinyCopy({ "tapewire.json": { name: "mine" } });
    const convictionOf = async (): Promise<number> => {
      await using model = await OwnModel.open(await readModelFolder(copy.path));
      const artifact = halvorn(plain.positive);
      const { verdict } = await model.judge(artifact, proByRules(artifact, []));
      return verdict?.sentiment.conviction ?? Number.NaN;
    };
    const before = await convictionOf();
    write(["", ...lines, ""]);
    const { code, out, err } = await runCommand(["calibrate", path, "--model", copy.path], {});
    assert.equal(code, 0, err);
    const file = join(copy.path, "calibration.json");
    const written = calibrationFile.parse(JSON.parse(readFileSync(file, "utf8")));
    assert.equal(written.lines, 72);
    assert.equal(written.accuracy, 0.75);
    assert.ok(written.temperature > 1 && written.ece.after < written.ece.before, JSON.stringify(written));
    assert.match(
      out,
      /^lines {8}72\naccuracy {5}75\.0 % of the classes\nECE {10}\d+\.\d % as the model says, \d/,
    );
    assert.ok(out.includes(`written      ${file};`), out);
    const calibrated = await convictionOf();
    assert.ok(before > 90 && calibrated < before && calibrated > 60, `${before} to ${calibrated}`);
  });

  test("lines with strengths fit the sizes of the direction; --json prints what is written, which replaces the last", async () => {
    using copy = tinyCopy({ "calibration.json": { model: "another" } });
    const strengths = { positive: 3, negative: -3, neutral: 0 };
    const trained = labels.map(({ title, label }, n) => {
      const read = classes[n % 3] ?? "neutral";
      // A few are wrong, and the strengths are those of what the text says.
      return { text: title, label: n % 4 === 3 ? label : read, short: strengths[read] };
    });
    const more = trained.map((line) => ({ ...line, body: "The company." }));
    const { code, out, err } = await run([...trained, ...more], copy.path, "--json");
    assert.equal(code, 0, err);
    const printed = calibrationFile.parse(JSON.parse(out));
    assert.deepEqual(printed, (await readModelFolder(copy.path)).calibration);
    const [two, three, four, five] = printed.steps;
    assert.ok(two !== null && two !== undefined && three !== null && three !== undefined && two <= three);
    assert.deepEqual([four, five], [null, null], "no strength is above 3");
  });

  test("a text on which the model fails is told by its line, and nothing is written", async () => {
    using copy = tinyCopy({});
    const failing = lines.with(69, { title: "Halvorn boom", sentiment: "neutral" });
    const { code, out, err } = await run(failing, copy.path);
    assert.deepEqual([code, out, err], [1, "", `${path}, line 70: the model failed on the text\n`]);
    assert.equal(existsSync(join(copy.path, "calibration.json")), false);
  });
});

test("a line that is wrong is named by file, line and member", async () => {
  using copy = tinyCopy({});
  const bad: readonly (readonly [line: unknown, told: RegExp])[] = [
    ['{"title": "Cut', /is not JSON/],
    ["[1]", /must be an object/],
    [{ sentiment: "positive" }, /at title/],
    [{ title: "", sentiment: "positive" }, /at title/],
    [{ title: "A", body: 7, sentiment: "positive" }, /at body/],
    [{ title: "A" }, /at sentiment/],
    [{ title: "A", sentiment: "good" }, /at sentiment/],
    [{ title: "A", sentiment: 7 }, /at sentiment/],
    [{ text: "A", short: 2 }, /at label/],
    [{ text: "A", label: "positive", short: "much" }, /at short/],
  ];
  for (const [line, told] of bad) {
    const { code, err } = await run(["", ...lines.slice(0, 3), line], copy.path);
    assert.equal(code, 1, err);
    assert.ok(err.startsWith(`${path}, line 5: `), err);
    assert.match(err, told);
    assert.doesNotMatch(err, /\n {4}at /, "no stack");
  }
});

test("too few lines, no file, no model and a folder that is none are told", async () => {
  using copy = tinyCopy({});
  const few = await run(lines.slice(0, 59), copy.path);
  assert.deepEqual([few.code, few.err], [1, `${path}: 59 lines, and at least 60 are needed\n`]);
  const positive = lines.map(({ title }) => ({ title, sentiment: "positive" }));
  const one = await run(positive, copy.path);
  assert.deepEqual([one.code, one.err], [1, `${path}: fewer than 10 lines are negative\n`]);
  const gone = await callCommand(["calibrate", "nowhere.jsonl", "--model", copy.path], {});
  assert.deepEqual([gone.code, /^cannot read nowhere\.jsonl: ENOENT/.test(gone.err)], [1, true], gone.err);
  const none = await run(lines, join(folder.path, "none"));
  assert.deepEqual(
    [none.code, none.err],
    [2, `${join(folder.path, "none")}: is not a folder with a model\n`],
  );
  for (const args of [["calibrate"], ["calibrate", path]]) {
    const { code, err } = await callCommand(args, {});
    assert.deepEqual([code, err], [2, "calibrate needs a file and --model DIR\n"]);
  }
});
