import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { feedItemDetail, feedList } from "@tapewire/contract/feeds.ts";
import { verdict } from "@tapewire/contract/score.ts";
import { proVersion } from "@tapewire/scoring/pro/pro.ts";
import { anyEngine } from "../../support/db.ts";
import { parseExposition } from "../../support/exposition.ts";
import { type Service, startService } from "../../support/service.ts";

/** A busy machine must not decide who answers. */
const feedWaitMs = 10_000;
const texts = [
  {
    type: "news",
    title: "Orbitex Robotics raises full-year revenue guidance to $350 million",
    body: "Orbitex Robotics now expects revenue of $350 million this year, up from $310 million.",
    symbols: ["DEMO:OBTX"],
    tags: ["robots"],
  },
  {
    type: "news",
    title: "UPDATE 1-Orbitex Robotics lifts its revenue guidance to $350 million",
    body: "Orbitex Robotics now expects revenue of $350 million this year, up from $310 million.",
    symbols: [],
    tags: [],
  },
  {
    type: "filing",
    title: "8-K - Item 5.02 Departure of Directors",
    body: "Item 5.02. On March 2 the chief financial officer of Tarn Avionics resigned, effective at once, after the auditor withdrew its report.",
    symbols: ["DEMO:TARN"],
    tags: [],
  },
  {
    type: "research",
    title: "Brightwick Foods: cut to sell",
    body: "We cut Brightwick Foods to sell. Margins shrink for the third quarter in a row, and its largest customer has left.",
    symbols: [],
    tags: [],
  },
] as const;

let service: Service;
let key = "";
before(async () => {
  service = await startService(anyEngine, { feedModel: "pro", feedWaitMs });
  ({ key } = await service.key("enterprise"));
});
after(() => service[Symbol.asyncDispose]());

const itemOf = async (id: string | null | undefined) =>
  feedItemDetail.parse(await (await service.get(`/v1/feeds/${id}`, key)).json());
const sample = async (name: string, labels: string) =>
  parseExposition(await (await service.admin("GET", "/metrics")).text())
    .get(name)
    ?.samples.get(`${name}{${labels}}`);

async function scored(path: string, body: object) {
  const answer = await fetch(`${service.url}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return verdict.parse(await answer.json());
}

test("what reads sources starts a thread of pro by itself, and items say who scored them", async () => {
  while ((await sample("tapewire_pro_threads", "")) === 0) await pause(50);
  const [pushed] = await service.push({ title: "Halvorn opens a plant", source: "wire" });
  const { scoring } = await itemOf(pushed?.id);
  assert.deepEqual([scoring.model, scoring.model_version], ["pro", proVersion]);
  assert.equal(await sample("tapewire_feed_pro_total", 'outcome="answered"'), 1);
  assert.equal(await sample("tapewire_feed_pro_total", 'outcome="late"'), 0);
});

test("an item and its text are judged alike by the feed and by POST /v1/score with pro, comments included", async () => {
  const items = texts.map((text, n) => ({ ...text, published_at: `2026-03-02T14:3${n}:00.000Z` }));
  for (const [n, { symbols, tags, ...text }] of items.entries()) {
    const [pushed] = await service.push({
      ...text,
      ...{ symbols: [...symbols], tags: [...tags], source: `wire-${n}`, external_id: "1" },
    });
    const item = await itemOf(pushed?.id);
    assert.equal(item.scoring.model, "pro", text.title);
    const artifact = { ...text, tags, related_symbols: symbols };
    const ofText = await scored("/v1/score", { artifact, options: { model: "pro" } });
    assert.deepEqual(ofText.symbols, item.analysis);
    const ofItem = await scored(`/v1/feeds/${item.id}/score`, { model: "pro" });
    const { scoring, sub_scores: subScores } = item;
    for (const answer of [ofText, ofItem])
      assert.deepEqual(
        {
          ...{ model: answer.model, version: answer.model_version },
          actionability: answer.actionability,
          sentiment: answer.sentiment,
          event: answer.event,
        },
        {
          ...{ model: scoring.model, version: scoring.model_version },
          actionability: {
            actionable: scoring.actionability,
            score: scoring.actionability_score,
            comment: scoring.actionability_comment,
            sub_scores: subScores?.actionability,
          },
          sentiment: {
            short_direction: scoring.sentiment_short,
            long_direction: scoring.sentiment_long,
            conviction: scoring.sentiment_conviction,
            score: scoring.sentiment_score,
            comment: scoring.sentiment_comment,
            sub_scores: subScores?.sentiment,
          },
          event: item.event,
        },
        text.title,
      );
  }
});

test("a batch keeps its order in the log, and a language that no model knows is scored by none", async () => {
  const titles = Array.from({ length: 12 }, (_, n) => `Velmark Energy wins tender number ${n}`);
  const german = "Die Regierung hat am Mittwoch beschlossen, dass die Steuern nicht weiter erhöht werden.";
  await service.push(...titles.map((title) => ({ title, source: "order" })), {
    title: german,
    body: german,
    source: "order",
  });
  const { data } = feedList.parse(await (await service.get("/v1/feeds?aggregator=order", key)).json());
  const inLog = data.toSorted((a, b) => a.seq - b.seq);
  assert.deepEqual(
    inLog.map(({ title }) => title),
    [...titles, german],
  );
  assert.equal(inLog.at(-1)?.scoring.model, null);
  const byPro = inLog.filter(({ scoring }) => scoring.model === "pro");
  assert.equal(byPro.length, titles.length);
});
