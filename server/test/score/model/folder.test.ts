import assert from "node:assert/strict";
import { test } from "node:test";
import { ConfigError, readConfig } from "../../../src/config/config.ts";
import { readModelFolder } from "../../../src/score/model/own-model.ts";
import { tinyCopy } from "../../support/own-model.ts";

const labels = (...names: string[]) => ({ id2label: Object.fromEntries(names.entries()) });
const calibration = {
  model: "another",
  temperature: 1.5,
  steps: [0.5, null, null, null],
  lines: 100,
  ece: { before: 0.1, after: 0.02 },
  accuracy: 0.8,
};

test("both kinds of model are refused, since pro asks one", () => {
  const both = { TAPEWIRE_PRO_MODEL: "/models/finbert", TAPEWIRE_LLM_URL: "http://127.0.0.1:8000/v1" };
  assert.throws(() => readConfig(both), /TAPEWIRE_PRO_MODEL: cannot be set together with TAPEWIRE_LLM_URL/);
  assert.equal(readConfig({ ...both, TAPEWIRE_LLM_URL: "" }).proModel, "/models/finbert");
});

test("a folder that lacks something, or has something wrong, is refused by the name of the file", async () => {
  await assert.rejects(readModelFolder("/nowhere/model"), /\/nowhere\/model: is not a folder/);
  const bad: readonly (readonly [files: Parameters<typeof tinyCopy>[0], wanted: RegExp])[] = [
    [{ "model.onnx": null }, /has no file model\.onnx, onnx\/model\.onnx or model_quantized\.onnx/],
    [{ "tapewire.json": { file: "gone.onnx" } }, /has no file gone\.onnx/],
    [{ "tapewire.json": { max_token: 9 } }, /tapewire\.json:.*max_token/s],
    [{ "tokenizer.json": null }, /tokenizer\.json: is missing/],
    [{ "config.json": null }, /config\.json: is missing/],
    [{ "config.json": "{" }, /config\.json: .*JSON/],
    [{ "config.json": {} }, /config\.json:.*id2label/s],
    [{ "config.json": labels("negative", "positive") }, /config\.json: id2label must name three classes.*2:/],
    [
      { "config.json": labels("joy", "anger", "neutral") },
      /id2label: joy is not negative, neutral or positive/,
    ],
    [{ "config.json": labels("LABEL_0", "LABEL_1", "LABEL_2") }, /LABEL_0 .*labels of tapewire\.json/],
    [{ "config.json": labels("positive", "bullish", "neutral") }, /no class is negative/],
    [{ "calibration.json": calibration }, /calibration\.json: belongs to another model/],
    [{ "calibration.json": { ...calibration, temperature: 0 } }, /calibration\.json:.*temperature/s],
  ];
  for (const [files, wanted] of bad) {
    using copy = tinyCopy(files);
    await assert.rejects(
      readModelFolder(copy.path),
      (error) => error instanceof ConfigError && wanted.test(error.message),
      String(wanted),
    );
  }
});

test("classes are known by their names in any order, by those of traders, or by what tapewire.json says", async () => {
  const wanted = [2, 0, 1];
  const known: readonly Parameters<typeof tinyCopy>[0][] = [
    { "config.json": labels("neutral", "POSITIVE", "Negative") },
    { "config.json": labels("Neutral", "Bullish", "Bearish") },
    {
      "config.json": labels("LABEL_0", "LABEL_1", "LABEL_2"),
      "tapewire.json": { labels: { LABEL_0: "neutral", LABEL_1: "positive", LABEL_2: "negative" } },
    },
  ];
  for (const files of known) {
    using copy = tinyCopy(files);
    assert.deepEqual((await readModelFolder(copy.path)).positions, wanted);
  }
});

test("a model reads as many tokens as it has positions, or fewer where tapewire.json says so", async () => {
  const config = { ...labels("negative", "neutral", "positive"), max_position_embeddings: 514 };
  using roberta = tinyCopy({ "config.json": { ...config, model_type: "roberta", pad_token_id: 1 } });
  assert.equal((await readModelFolder(roberta.path)).maxTokens, 512);
  using less = tinyCopy({ "tapewire.json": { name: "mine", max_tokens: 32 } });
  const { maxTokens, name } = await readModelFolder(less.path);
  assert.deepEqual([maxTokens, name], [32, "mine"]);
});
