import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { problem } from "@tapewire/contract/errors/errors.ts";
import { scoreBatch, verdict } from "@tapewire/contract/score.ts";
import { anyEngine } from "../../support/db.ts";
import { type Service, startService } from "../../support/service.ts";

const news = {
  type: "news",
  title: "Quillbrook Corp (NASDAQ: AAPL) raises full-year guidance after record quarter",
  body: "Revenue rose 24% to $84 million. The company now expects revenue of $340 million for the year.",
};

describe("POST /v1/score", () => {
  const services: Service[] = [];
  before(async () => {
    services.push(await startService(anyEngine));
  });
  after(async () => {
    for (const service of services) await service[Symbol.asyncDispose]();
  });
  const call = async (key: string, body: unknown, { path = "/v1/score", headers = {} } = {}) => {
    const [service] = services;
    assert.ok(service !== undefined);
    return fetch(service.url + path, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  };
  const keyOf = async (plan: "free" | "starter" | "pro" | "enterprise") => {
    const [service] = services;
    assert.ok(service !== undefined);
    return (await service.key(plan)).key;
  };

  test("a text gets its verdict, the same for the same text, and the usage of the day", async () => {
    const key = await keyOf("pro");
    const first = verdict.parse(await (await call(key, { artifact: news })).json());
    const again = verdict.parse(await (await call(key, { artifact: news })).json());
    assert.equal(first.model, "flash");
    assert.ok((first.sentiment?.short_direction ?? 0) > 0);
    assert.equal(first.sentiment?.score, 5 + (first.sentiment?.short_direction ?? 0));
    assert.deepEqual(
      first.symbols.map(({ symbol }) => symbol),
      ["NASDAQ:AAPL"],
    );
    assert.deepEqual([first.usage.used, again.usage.used, first.usage.remaining], [1, 2, 999]);
    const { created_at: _, timing_ms: __, usage: ___, ...said } = first;
    assert.deepEqual(
      { ...again, created_at: "", timing_ms: 0, usage: null },
      { ...said, created_at: "", timing_ms: 0, usage: null },
    );
  });

  test("null for an optional member is as if it were absent", async () => {
    const key = await keyOf("pro");
    const artifact = { ...news, tags: null, related_symbols: null, published_at: null };
    const options = { model: null, include_detailed_analysis: null, score_sentiment: null };
    for (const body of [
      { artifact, options },
      { artifact, options: null },
    ]) {
      const { model, sentiment, detailed_analysis } = verdict.parse(await (await call(key, body)).json());
      assert.deepEqual([model, sentiment === null, detailed_analysis], ["flash", false, undefined]);
    }
    const batch = await call(key, { artifacts: [artifact], options }, { path: "/v1/score/batch" });
    const [only] = scoreBatch.parse(await batch.json()).data;
    assert.ok(only !== undefined && "verdict" in only);
  });

  test("filings and research get pro, and a detailed analysis where it is asked for", async () => {
    const key = await keyOf("pro");
    const filing = { ...news, type: "filing" };
    assert.equal(verdict.parse(await (await call(key, { artifact: filing })).json()).model, "pro");
    const options = { model: "flash", include_detailed_analysis: true };
    const detailed = verdict.parse(await (await call(key, { artifact: filing, options })).json());
    assert.equal(detailed.model, "flash");
    assert.ok((detailed.detailed_analysis?.actionability.factors.length ?? 0) > 0);
  });

  test("the factors of the analysis add up to the verdict, of whichever model, of a repeat and of a text not read", async () => {
    const key = await keyOf("pro");
    const german = {
      type: "news",
      title: "Siemens hebt Prognose für das Gesamtjahr an",
      body: "Der Konzern erwartet nun ein Umsatzwachstum von acht Prozent.",
    };
    const title = "Acme Corp (NASDAQ: NFLX) raises full-year revenue guidance to $350 million";
    const body =
      "Acme Corp raised its guidance to $350 million from $310 million. Its board was dismissed over fraud.";
    await services[0]?.push({ title, body, source: "wire-told", external_id: "1" });
    const repeat = { type: "news", title: title.replace("raises full-year", "lifts its annual"), body };
    const sum = (factors: readonly { weight: number }[]) =>
      factors.reduce((total, { weight }) => total + weight, 0);
    for (const artifact of [news, german, repeat, { ...repeat, title: "Acme opens a second plant" }])
      for (const model of ["flash", "pro"]) {
        const options = { model, include_detailed_analysis: true };
        const found = verdict.parse(await (await call(key, { artifact, options })).json());
        const detail = found.detailed_analysis ?? assert.fail("no analysis");
        assert.equal(sum(detail.actionability.factors), found.actionability.score, artifact.title);
        assert.equal(sum(detail.sentiment.factors), 20 * (found.sentiment?.short_direction ?? 0));
        const isTold = detail.actionability.factors.some(
          ({ name }) => name === "The feed had told this story",
        );
        assert.equal(isTold, artifact === repeat, artifact.title);
      }
  });

  test("with if_actionable the sentiment of what is not actionable is left out, and it says why", async () => {
    const key = await keyOf("pro");
    const dull = { type: "news", title: "Five things to know about gardening", body: "Water your plants." };
    const options = { score_sentiment: "if_actionable" };
    const skipped = verdict.parse(await (await call(key, { artifact: dull, options })).json());
    assert.deepEqual([skipped.sentiment, skipped.sentiment_skipped_reason], [null, "not_actionable"]);
    const always = verdict.parse(await (await call(key, { artifact: dull })).json());
    assert.ok(always.sentiment !== null && always.sentiment_skipped_reason === undefined);
  });

  test("the longer analysis says where it differs from the verdict, and nothing of a sentiment that was skipped", async () => {
    const key = await keyOf("pro");
    const ask = async (title: string, body: string, score_sentiment: string) => {
      const artifact = { type: "news", title, body };
      const options = { include_detailed_analysis: true, score_sentiment };
      return verdict.parse(await (await call(key, { artifact, options })).json());
    };
    const judged = await ask("Nike slashes full-year revenue outlook", "Nike cut its forecast.", "always");
    const short = judged.sentiment?.short_direction ?? 0;
    assert.match(
      judged.detailed_analysis?.sentiment.summary ?? "",
      new RegExp(`(?:verdict is|direction) ${short}\\b`),
    );
    const skipped = await ask("Nike to hold annual shareholder meeting", "It is in May.", "if_actionable");
    assert.equal(skipped.sentiment, null);
    assert.deepEqual(skipped.detailed_analysis?.sentiment.factors, []);
    assert.doesNotMatch(skipped.detailed_analysis?.sentiment.summary ?? "", /direction/);
  });

  test("a text in a language that is not judged says so, and is sure of nothing", async () => {
    const key = await keyOf("pro");
    const artifact = {
      type: "news",
      title: "Siemens hebt Prognose für das Gesamtjahr an",
      body: "Der Konzern erwartet nun ein Umsatzwachstum von acht Prozent.",
    };
    const judged = verdict.parse(await (await call(key, { artifact })).json());
    assert.match(judged.sentiment?.comment ?? "", /German/);
    assert.deepEqual([judged.sentiment?.short_direction, judged.sentiment?.conviction], [0, 0]);
    assert.ok(judged.symbols.every((entry) => entry.sentiment_conviction === 0));
  });

  test("plans without scoring are 403, and bad artifacts 400 with their fields, at no cost", async () => {
    for (const plan of ["free", "starter"] as const)
      assert.equal((await call(await keyOf(plan), { artifact: news })).status, 403);
    const key = await keyOf("pro");
    const bad = await call(key, { artifact: { type: "news", title: "", body: "x", tags: "no" } });
    const problem = await bad.text();
    assert.equal(bad.status, 400);
    for (const name of ["artifact.title", "artifact.tags"]) assert.match(problem, new RegExp(name));
    assert.equal((await call(key, { artifact: { ...news, body: "x".repeat(1024 * 1024) } })).status, 413);
    const good = verdict.parse(await (await call(key, { artifact: news })).json());
    assert.equal(good.usage.used, 1);
  });

  test("a member that does not exist is refused by its name: a misspelt model would be another one", async () => {
    const key = await keyOf("pro");
    for (const [body, name] of [
      [{ artifact: news, options: { modell: "pro" } }, "modell"],
      [{ artifact: news, option: { model: "pro" } }, "option"],
    ] as const) {
      const refused = await call(key, body);
      assert.equal(refused.status, 400);
      assert.ok(problem.parse(await refused.json()).errors?.some((field) => field.name.includes(name)));
    }
  });

  test("at the day's limit exactly so many calls pass, however many come at once", async () => {
    const key = await keyOf("pro");
    const many = { artifacts: Array.from({ length: 100 }, () => news) };
    const batches = await Promise.all(
      Array.from({ length: 9 }, () => call(key, many, { path: "/v1/score/batch" })),
    );
    assert.ok(batches.every(({ status }) => status === 200));
    const answers = await Promise.all(Array.from({ length: 200 }, () => call(key, { artifact: news })));
    const count = (status: number) => answers.filter((answer) => answer.status === status).length;
    assert.deepEqual([count(200), count(429)], [100, 100]);
    const refused = answers.find(({ status }) => status === 429);
    assert.ok(Number(refused?.headers.get("retry-after")) > 0);
    assert.match((await refused?.text()) ?? "", /quota_exceeded/);
  });

  test("in a batch each artifact is answered in its place, and what is refused costs nothing", async () => {
    const key = await keyOf("pro");
    const artifacts = [news, { type: "news" }, { ...news, title: "Brandmoor misses estimates" }];
    const { data } = scoreBatch.parse(
      await (await call(key, { artifacts }, { path: "/v1/score/batch" })).json(),
    );
    assert.deepEqual(
      data.map((one) => ("error" in one ? one.error.code : one.verdict.usage.used)),
      [2, "invalid_body", 2],
    );
    assert.equal((await call(key, { artifacts: [] }, { path: "/v1/score/batch" })).status, 400);
  });

  test("an Idempotency-Key repeats the answer and costs nothing; for another request it is 409", async () => {
    const key = await keyOf("pro");
    const headers = { "idempotency-key": "order-1" };
    const first = await (await call(key, { artifact: news }, { headers })).text();
    assert.equal(await (await call(key, { artifact: news }, { headers })).text(), first);
    const other = { artifact: { ...news, title: "Something else" } };
    assert.equal((await call(key, other, { headers })).status, 409);
    assert.equal((await call(key, other, { headers: { "idempotency-key": "a b" } })).status, 400);
    const next = verdict.parse(await (await call(key, other)).json());
    assert.equal(next.usage.used, 2);
    const elsewhere = await (await call(await keyOf("pro"), { artifact: news }, { headers })).json();
    assert.equal(verdict.parse(elsewhere).usage.used, 1, "keys of another account are its own");
  });

  test("hostile texts get a sensible verdict", async () => {
    const key = await keyOf("pro");
    const bodies = [
      "\u0000\u0001 profit \ud800 fell",
      "🚀".repeat(1_000),
      "<html><script>alert(1)</script><p>Profit fell</p>",
      "Le bénéfice net recule de 12 % au troisième trimestre.",
      "a ".repeat(100_000),
    ];
    for (const [n, body] of bodies.entries())
      for (const type of ["news", "filing"]) {
        const headers = { "idempotency-key": `hostile-${n}-${type}` };
        const response = await call(key, { artifact: { type, title: "?\u0007 \udc00", body } }, { headers });
        assert.equal(response.status, 200, body.slice(0, 40));
        verdict.parse(await response.json());
      }
  });

  test("a story that the feed has carried is less new when another text tells it, unless a figure changed", async () => {
    const [service] = services;
    assert.ok(service !== undefined);
    const key = await keyOf("pro");
    const title = "Quillbrook Corp (NASDAQ: MSFT) raises full-year revenue guidance to $350 million";
    const body =
      "Quillbrook Corp raised its guidance and now expects full-year revenue of $350 million, up from $310 million.";
    const ask = async (text: string) =>
      verdict.parse(await (await call(key, { artifact: { type: "news", title: text, body } })).json());
    const before = await ask(title);
    await service.push({ title, body, source: "wire-novelty", external_id: "1" });
    assert.deepEqual(
      (await ask(title)).actionability,
      before.actionability,
      "the item itself is what the feed has carried",
    );
    const repeat = await ask(title.replace("raises full-year", "lifts its annual"));
    const changed = await ask(title.replace("$350", "$390"));
    assert.equal(before.actionability.sub_scores.novelty, 100);
    assert.ok(repeat.actionability.sub_scores.novelty < 20);
    assert.ok(repeat.actionability.score < before.actionability.score);
    assert.match(repeat.actionability.comment, /^Repeats a story/);
    assert.ok(changed.actionability.sub_scores.novelty > 90);
  });
});
