import assert from "node:assert/strict";
import { test } from "node:test";
import {
  defaultScoreModel,
  scoreBatch,
  scoreBatchRequest,
  scoreLimits,
  scoreRequest,
  verdict,
} from "@tapewire/contract/score.ts";

const artifact = { type: "news", title: "Halvorn raises outlook", body: "It expects more." };
const takes = (over: object, options?: object): boolean =>
  scoreRequest.safeParse({
    artifact: { ...artifact, ...over },
    ...(options === undefined ? {} : { options }),
  }).success;

test("a request needs type, title and body, and nothing else", () => {
  assert.ok(takes({}));
  for (const name of ["type", "title", "body"]) assert.ok(!takes({ [name]: undefined }), name);
  assert.ok(!scoreRequest.safeParse({}).success);
});

const bounds: readonly (readonly [name: string, most: object, over: object])[] = [
  ["title", { title: "x".repeat(1_000) }, { title: "x".repeat(1_001) }],
  ["body", { body: "x".repeat(200_000) }, { body: "x".repeat(200_001) }],
  [
    "tags",
    { tags: Array.from({ length: 50 }, () => "t".repeat(64)) },
    { tags: Array.from({ length: 51 }, () => "t") },
  ],
  ["a tag", { tags: ["t".repeat(64)] }, { tags: ["t".repeat(65)] }],
  [
    "related_symbols",
    { related_symbols: Array.from({ length: 50 }, () => "NASDAQ:HALV") },
    { related_symbols: Array.from({ length: 51 }, () => "HALV") },
  ],
];
for (const [name, most, over] of bounds)
  test(`${name} may be as long as decided and no longer`, () => {
    assert.ok(takes(most));
    assert.ok(!takes(over));
  });

test("blank text, unknown types and times that are none are refused; unknown members are not", () => {
  for (const over of [
    { title: "" },
    { title: " \t" },
    { body: "" },
    { body: "\n" },
    { type: "tweet" },
    { published_at: "yesterday" },
  ])
    assert.ok(!takes(over), JSON.stringify(over));
  assert.ok(takes({ published_at: "2026-03-02T14:30:00+01:00", url: "https://demo.invalid/" }));
});

test("options have the values of the interface, and their defaults", () => {
  assert.deepEqual(scoreRequest.parse({ artifact, options: {} }).options, {
    include_detailed_analysis: false,
    score_sentiment: "always",
  });
  assert.ok(takes({}, { model: "pro", include_detailed_analysis: true, score_sentiment: "if_actionable" }));
  assert.ok(!takes({}, { model: "best" }));
  assert.ok(!takes({}, { score_sentiment: "never" }));
});

test("news and what users write go to flash, filings and research to pro", () => {
  assert.deepEqual((["news", "ugc", "filing", "research"] as const).map(defaultScoreModel), [
    "flash",
    "flash",
    "pro",
    "pro",
  ]);
});

const answer = {
  id: "0b0e7a5e-3f57-4c6e-9d28-0d5c1b8d7f10",
  created_at: "2026-03-02T14:30:00.125Z",
  model: "pro",
  model_version: "0.1.0",
  actionability: {
    actionable: false,
    score: 20,
    comment: "Repeats what was known: 'raises outlook'",
    sub_scores: { novelty: 10, materiality: 20, clarity: 50, urgency: 10, credibility: 70, breadth: 20 },
  },
  sentiment: null,
  sentiment_skipped_reason: "not_actionable",
  event: null,
  events: [],
  symbols: [],
  tags: { market: ["stock"] },
  usage: { limit: null, used: 3, remaining: null, reset_at: "2026-03-03T00:00:00.000Z" },
  timing_ms: 1.5,
};

test("a verdict may leave sentiment out, with its reason, and stays in range", () => {
  assert.ok(verdict.safeParse(answer).success);
  assert.ok(!verdict.safeParse({ ...answer, sentiment_skipped_reason: "lazy" }).success);
  assert.ok(
    !verdict.safeParse({ ...answer, actionability: { ...answer.actionability, score: 101 } }).success,
  );
  assert.ok(
    !verdict.safeParse({ ...answer, actionability: { ...answer.actionability, sub_scores: {} } }).success,
  );
});

test("a batch takes 1 to 100 artifacts, bad ones included, and answers each with a verdict or an error", () => {
  assert.ok(!scoreBatchRequest.safeParse({ artifacts: [] }).success);
  assert.ok(
    scoreBatchRequest.safeParse({ artifacts: Array.from({ length: scoreLimits.batch }, () => ({})) }).success,
  );
  assert.ok(
    !scoreBatchRequest.safeParse({ artifacts: Array.from({ length: scoreLimits.batch + 1 }, () => ({})) })
      .success,
  );
  const error = { code: "invalid_body", message: "title: must not be blank" };
  assert.ok(
    scoreBatch.safeParse({
      data: [
        { index: 0, verdict: answer },
        { index: 1, error },
      ],
    }).success,
  );
  assert.ok(!scoreBatch.safeParse({ data: [{ index: 0 }] }).success);
});
