import assert from "node:assert/strict";
import { scoreBatch, type Verdict, verdict } from "@tapewire/contract/score.ts";
import { dull, news } from "./artifacts.ts";
import type { Live } from "./live.ts";
import type { Section } from "./section.ts";

type Json = Readonly<Record<string, unknown>>;

const mebibyte = 1024 * 1024;

async function scored(live: Live, artifact: Json, options?: Json): Promise<Verdict> {
  const body = options === undefined ? { artifact } : { artifact, options };
  return (await live.call("POST", "/v1/score", { body })).read(verdict);
}

async function refused(live: Live, body: unknown, fields: readonly string[]): Promise<void> {
  await live.refuses("invalid_body", "POST", "/v1/score", { body, fields });
}

/** A verdict without the members that differ from call to call. */
function said({ usage: _, timing_ms: __, created_at: ___, ...rest }: Verdict) {
  return rest;
}

export const score: Section = {
  name: "POST /v1/score",
  rules: {
    "200 is a verdict: an actionability and a sentiment result": async (live) => {
      const { actionability, sentiment } = await scored(live, news);
      assert.equal(actionability.actionable, true);
      assert.ok(sentiment !== null && sentiment.short_direction > 0);
    },
    "sentiment is split into directions of -5 to +5 and a conviction of 0 to 100; score is 5 + short": async (
      live,
    ) => {
      const bad = { ...news, title: "Brandmoor files for bankruptcy", body: "Its shares plunge 60%." };
      for (const artifact of [news, dull, bad]) {
        const { sentiment } = await scored(live, artifact);
        assert.ok(sentiment !== null);
        for (const direction of [sentiment.short_direction, sentiment.long_direction])
          assert.ok(Number.isInteger(direction) && Math.abs(direction) <= 5);
        assert.ok(sentiment.conviction >= 0 && sentiment.conviction <= 100);
        assert.equal(sentiment.score, 5 + sentiment.short_direction);
      }
    },
    "sub-scores are on every verdict": async (live) => {
      for (const artifact of [news, dull]) {
        const { actionability, sentiment } = await scored(live, artifact);
        const names = "breadth clarity credibility materiality novelty urgency".split(" ");
        assert.deepEqual(Object.keys(actionability.sub_scores).sort(), names);
        assert.deepEqual(Object.keys(sentiment?.sub_scores ?? {}).sort(), [
          "agreement",
          "certainty",
          "intensity",
        ]);
      }
    },
    "every artifact type is accepted; news and ugc default to flash, filing and research to pro": async (
      live,
    ) => {
      const models = { news: "flash", ugc: "flash", filing: "pro", research: "pro" };
      for (const [type, model] of Object.entries(models)) {
        const answer = await scored(live, { ...news, type });
        assert.ok(answer.model === model || (model === "pro" && answer.model.startsWith("llm:")), type);
      }
    },
    "options.model selects flash or pro": async (live) => {
      assert.equal((await scored(live, { ...news, type: "filing" }, { model: "flash" })).model, "flash");
      assert.notEqual((await scored(live, news, { model: "pro" })).model, "flash");
    },
    "include_detailed_analysis=true adds an analysis of both scores; false or absent does not": async (
      live,
    ) => {
      const detailed = (await scored(live, news, { include_detailed_analysis: true })).detailed_analysis;
      assert.ok(detailed !== undefined && detailed.actionability.summary.length > 0);
      assert.ok(detailed.actionability.factors.length > 0 && detailed.sentiment.factors.length > 0);
      assert.ok(!("detailed_analysis" in (await scored(live, news))));
      assert.ok(!("detailed_analysis" in (await scored(live, news, { include_detailed_analysis: false }))));
    },
    "score_sentiment=if_actionable skips the sentiment of a text that is not actionable, and says so": async (
      live,
    ) => {
      const skipped = await scored(live, dull, { score_sentiment: "if_actionable" });
      assert.equal(skipped.actionability.actionable, false);
      assert.deepEqual([skipped.sentiment, skipped.sentiment_skipped_reason], [null, "not_actionable"]);
      const run = await scored(live, news, { score_sentiment: "if_actionable" });
      assert.ok(run.sentiment !== null && !("sentiment_skipped_reason" in run));
    },
    "score_sentiment=always, the default, always scores sentiment": async (live) => {
      for (const options of [undefined, {}, { score_sentiment: "always" }]) {
        const answer = await scored(live, dull, options);
        assert.ok(answer.sentiment !== null && !("sentiment_skipped_reason" in answer));
      }
    },
    "the same artifact gives the same verdict": async (live) => {
      const first = await scored(live, { ...news, published_at: "2026-03-02T14:30:00Z" });
      const second = await scored(live, { ...news, published_at: "2026-03-02T14:30:00Z" });
      assert.deepEqual(said(second), said(first));
    },
    "related_symbols are linked; tags and published_at are accepted": async (live) => {
      const symbol = `X${live.run}:S${live.run}`;
      const artifact = {
        ...news,
        related_symbols: [symbol],
        tags: ["earnings"],
        published_at: "2026-03-02T14:30:00+01:00",
      };
      const { symbols } = await scored(live, artifact);
      assert.ok(symbols.some((one) => one.symbol === symbol));
    },
    "403 on plans without scoring: Free and Starter": async (live) => {
      for (const plan of ["free", "starter"] as const)
        for (const path of ["/v1/score", "/v1/score/batch"])
          await live.refuses("plan_required", "POST", path, {
            key: await live.key(plan),
            body: { artifact: news, artifacts: [news] },
          });
    },
    "200 on Pro, Quant and Enterprise": async (live) => {
      for (const plan of ["pro", "quant", "enterprise"] as const) {
        const { key } = await live.newKey({ plan });
        await live.call("POST", "/v1/score", { key, body: { artifact: news } });
      }
    },
    "400 artifact, type, title and body are required": async (live) => {
      await refused(live, {}, ["artifact"]);
      for (const name of ["type", "title", "body"] as const) {
        const { [name]: _, ...rest } = news;
        await refused(live, { artifact: rest }, [`artifact.${name}`]);
        for (const value of [null, 7, [], {}])
          await refused(live, { artifact: { ...news, [name]: value } }, [`artifact.${name}`]);
      }
    },
    "400 for an invalid type, model, score_sentiment or include_detailed_analysis": async (live) => {
      for (const type of ["", "News", "tweet"])
        await refused(live, { artifact: { ...news, type } }, ["artifact.type"]);
      const options = {
        model: ["", "Flash", "gpt", 1],
        score_sentiment: ["", "never", true],
        include_detailed_analysis: ["true", 1],
      };
      for (const [name, values] of Object.entries(options))
        for (const value of values)
          await refused(live, { artifact: news, options: { [name]: value } }, [`options.${name}`]);
    },
    "null for an optional member means that it is absent": async (live) => {
      const nulls = { model: null, score_sentiment: null, include_detailed_analysis: null };
      const artifact = { ...news, tags: null, related_symbols: null, published_at: null };
      await scored(live, artifact, nulls);
    },
    "title 1 to 1,000 characters, body 1 to 200,000": async (live) => {
      for (const [name, most] of [
        ["title", 1_000],
        ["body", 200_000],
      ] as const) {
        await scored(live, { ...news, [name]: "x".repeat(most) }, { model: "flash" });
        await scored(live, { ...news, [name]: "x" }, { model: "flash" });
        for (const text of ["", " ", "x".repeat(most + 1)])
          await refused(live, { artifact: { ...news, [name]: text } }, [`artifact.${name}`]);
      }
    },
    "at most 50 tags of 64 characters, and 50 related_symbols": async (live) => {
      const many = (count: number) => Array.from({ length: count }, (_, n) => `V${n}`);
      await scored(live, { ...news, tags: ["t".repeat(64), ...many(49)], related_symbols: many(50) });
      await refused(live, { artifact: { ...news, tags: many(51) } }, ["artifact.tags"]);
      await refused(live, { artifact: { ...news, tags: ["t".repeat(65)] } }, ["artifact.tags[0]"]);
      await refused(live, { artifact: { ...news, related_symbols: many(51) } }, ["artifact.related_symbols"]);
      await refused(live, { artifact: { ...news, tags: "earnings" } }, ["artifact.tags"]);
    },
    "400 for a published_at that is not a date-time": async (live) => {
      for (const time of ["", "yesterday", "2026-03-02", 1772461800, "2026-02-30T00:00:00Z"])
        await refused(live, { artifact: { ...news, published_at: time } }, ["artifact.published_at"]);
    },
    "413 for a request body over 1 MiB; exactly 1 MiB is accepted": async (live) => {
      // Spaces between the tokens count as well.
      const request = JSON.stringify({ artifact: news });
      const padded = (bytes: number) => request + " ".repeat(bytes - Buffer.byteLength(request));
      await live.call("POST", "/v1/score", { rawBody: padded(mebibyte) });
      await live.refuses("body_too_large", "POST", "/v1/score", { rawBody: padded(mebibyte + 1) });
    },
    "415 for another media type": async (live) => {
      for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/xml"])
        await live.refuses("unsupported_media_type", "POST", "/v1/score", {
          body: { artifact: news },
          headers: { "content-type": type },
        });
    },
    "batch: 1 to 100 artifacts, one unit each, a verdict or an error for each": async (live) => {
      const { key } = await live.newKey({ plan: "pro" });
      const artifacts = [news, { type: "news" }, dull];
      const { data } = (await live.call("POST", "/v1/score/batch", { key, body: { artifacts } })).read(
        scoreBatch,
      );
      assert.deepEqual(
        data.map((one) => [one.index, "error" in one ? one.error.code : one.verdict.usage.used]),
        [
          [0, 2],
          [1, "invalid_body"],
          [2, 2],
        ],
      );
      for (const count of [0, 101]) {
        const many = Array.from({ length: count }, () => news);
        await live.refuses("invalid_body", "POST", "/v1/score/batch", {
          body: { artifacts: many },
          fields: ["artifacts"],
        });
      }
    },
  },
};
