import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { rescoreResult } from "@tapewire/contract/admin.ts";
import { feedItemDetail } from "@tapewire/contract/feeds.ts";
import { scoreBatch, verdict } from "@tapewire/contract/score.ts";
import { proByRules } from "@tapewire/scoring/pro/pro.ts";
import type { Artifact } from "@tapewire/scoring/types.ts";
import { z } from "zod";
import { linkedSymbol } from "../../../../scoring/test/linked-symbol.ts";
import { OwnModel, readModelFolder } from "../../../src/score/model/own-model.ts";
import { loadEncode } from "../../../src/score/model/tokens.ts";
import { anyEngine } from "../../support/db.ts";
import { tinyCopy, tinyModel } from "../../support/own-model.ts";
import { type Service, startService } from "../../support/service.ts";

const symbols = [linkedSymbol("Halvorn Corp.", "HALV", true), linkedSymbol("Brackwell Inc.", "BRKW")];
const article = (title: string, body = ""): Artifact => ({
  type: "news",
  title,
  body,
  publishedAt: new Date("2026-03-02T14:30:00Z"),
  filing: null,
  categories: [],
});

test("the tokenizer gives the ids of the original, cut at the length that the model reads", async () => {
  const folder = await readModelFolder(tinyModel);
  assert.equal(folder.maxTokens, 64);
  const encode = await loadEncode(folder);
  const recorded = z
    .array(z.object({ text: z.string(), ids: z.array(z.int()) }))
    .parse(JSON.parse(readFileSync(join(tinyModel, "encoded.json"), "utf8")));
  for (const { text, ids } of recorded) assert.deepEqual(encode({ title: text, body: "" }), ids, text);
});

describe("a classifier of the operator's", () => {
  const models: OwnModel[] = [];
  before(async () => {
    models.push(await OwnModel.open(await readModelFolder(tinyModel)));
  });
  after(async () => {
    for (const model of models) await model[Symbol.asyncDispose]();
  });
  const judge = async (artifact: Artifact) => {
    const [model] = models;
    assert.ok(model !== undefined);
    const local = proByRules(artifact, symbols);
    return { local, ...(await model.judge(artifact, local)) };
  };

  test("gives the direction and conviction of the whole and of the primary symbol, and the rest is pro's", async () => {
    const { local, verdict: given, reason } = await judge(article("Halvorn recalls its quarter on fraud"));
    assert.equal(reason, null);
    assert.equal(given?.model, "onnx:own-model");
    assert.ok((given?.sentiment.shortDirection ?? 0) < 0);
    assert.ok((given?.sentiment.conviction ?? 0) > 90);
    assert.match(given?.sentiment.comment ?? "", /^own-model reads negative \(\d+ %\)/);
    const [primary, other] = given?.symbols ?? [];
    assert.equal(primary?.sentiment_short, given?.sentiment.shortDirection);
    assert.equal(primary?.sentiment_score, 5 + (given?.sentiment.shortDirection ?? 0));
    assert.deepEqual(other, local.symbols[1]);
    assert.deepEqual(given?.actionability, local.actionability);
    assert.match(given?.detailedAnalysis.sentiment.factors.at(-1)?.name ?? "", /negative \d+ %, neutral/);
  });

  test("a text without a tone is neutral", async () => {
    const { verdict: given } = await judge(article("The annual meeting of names"));
    assert.equal(given?.sentiment.shortDirection, 0);
  });

  test("what the text plainly says stands against the model, and the comment says what the model read", async () => {
    const plain = article(
      "Halvorn files for Chapter 11 bankruptcy",
      `Halvorn filed for Chapter 11 bankruptcy protection. It defaulted on its notes. ${"Profit beats record. ".repeat(6)}`,
    );
    const local = proByRules(plain, symbols);
    assert.ok(local.sentiment.shortDirection <= -4 && local.sentiment.conviction >= 70, "it is plain");
    const { verdict: given } = await judge(plain);
    assert.equal(given?.sentiment.shortDirection, local.sentiment.shortDirection);
    assert.match(
      given?.sentiment.comment ?? "",
      /own-model reads positive .* against what the text plainly says/,
    );
  });

  test("a text on which the model fails costs its own answer only", async () => {
    const { verdict: given, reason } = await judge(article("Halvorn boom"));
    assert.deepEqual([given, reason], [null, "the model failed on the text"]);
    assert.equal((await judge(article("Halvorn wins approval"))).reason, null);
  });

  test("a model that is slow, or asked too much at a time, gives no answer", async () => {
    using copy = tinyCopy({ "tapewire.json": { file: "slow.onnx" } });
    const folder = await readModelFolder(copy.path);
    await using slow = await OwnModel.open(folder, { deadlineMs: 1, waiting: 1 });
    const local = proByRules(article("Halvorn wins"), symbols);
    const answers = await Promise.all([1, 2, 3].map(() => slow.judge(article("Halvorn wins"), local)));
    const reasons = answers.map(({ reason }) => reason);
    assert.ok(reasons.includes("the model gave no answer in time"), reasons.join());
    assert.ok(reasons.includes("too many texts wait for the model"), reasons.join());
  });

  test("what cannot be run is refused at the start, by the name of the file", async () => {
    const bad: readonly (readonly [files: Parameters<typeof tinyCopy>[0], wanted: RegExp])[] = [
      [
        { "tapewire.json": { file: "pictures.onnx" } },
        /pictures\.onnx: reads .*pixel_values; a text classifier/,
      ],
      [{ "model.onnx": "no model" }, /model\.onnx: .*protobuf/],
      [{ "tokenizer.json": "{}" }, /tokenizer\.json: is not a tokenizer/],
    ];
    for (const [files, wanted] of bad) {
      using copy = tinyCopy(files);
      await assert.rejects(OwnModel.open(await readModelFolder(copy.path)), wanted);
    }
  });
});

describe("a service with a classifier of the operator's", () => {
  const services: Service[] = [];
  before(async () => {
    services.push(await startService(anyEngine, { proModel: tinyModel }));
  });
  after(async () => {
    for (const service of services) await service[Symbol.asyncDispose]();
  });
  const running = () => {
    const [service] = services;
    assert.ok(service !== undefined);
    return service;
  };
  const post = async (path: string, body: unknown) => {
    const { key } = await running().key("enterprise");
    return fetch(running().url + path, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  };
  const title = "Quillbrook Corp (NASDAQ: AAPL) wins approval for its plant";
  const body = "The plant beats the record of the quarter.";

  test("verdicts of pro name it; those of flash, of texts that it fails on and of other languages do not", async () => {
    const texts = [
      { title, body },
      { title: "Quillbrook boom", body: "Quillbrook Corp holds its annual meeting in the quarter." },
      {
        title: "Der Vorstand des Unternehmens erhöht die Prognose für das Geschäftsjahr",
        body: "Das Unternehmen erwartet nun einen höheren Gewinn als im vergangenen Jahr, teilte der Vorstand mit.",
      },
    ].map((text) => ({ type: "news", ...text }));
    const answer = await post("/v1/score/batch", { artifacts: texts, options: { model: "pro" } });
    const { data } = scoreBatch.parse(await answer.json());
    assert.deepEqual(
      data.map((one) => ("verdict" in one ? one.verdict.model : one.error)),
      ["onnx:own-model", "pro", "pro"],
    );
    const flash = await post("/v1/score", { artifact: texts[0], options: { model: "flash" } });
    assert.equal(verdict.parse(await flash.json()).model, "flash");
  });

  test("the feed and POST /v1/score agree on a text that it has scored, and it scores an item once", async () => {
    const artifact = { type: "news", title, body, published_at: "2026-03-02T14:30:00.000Z" };
    const [pushed] = await running().push({ ...artifact, type: "news" });
    const rescore = async () => {
      const call = { since: "2026-01-01T00:00:00Z", model: "pro" };
      const answer = await running().admin("POST", "/admin/v1/rescore", call);
      return rescoreResult.parse(await answer.json()).scored;
    };
    assert.deepEqual([await rescore(), await rescore()], [1, 0]);
    const { key } = await running().key("enterprise");
    const item = feedItemDetail.parse(await (await running().get(`/v1/feeds/${pushed?.id}`, key)).json());
    const answer = await post("/v1/score", { artifact, options: { model: "pro" } });
    const { model, model_version, sentiment } = verdict.parse(await answer.json());
    assert.deepEqual(
      [model, model_version, sentiment?.short_direction, sentiment?.long_direction, sentiment?.conviction],
      [
        item.scoring.model,
        item.scoring.model_version,
        item.scoring.sentiment_short,
        item.scoring.sentiment_long,
        item.scoring.sentiment_conviction,
      ],
    );
    assert.equal(model, "onnx:own-model");
  });
});
