import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { itemScores, itemText } from "@tapewire/contract/feed-reads/texts.ts";
import { feedItemDetail } from "@tapewire/contract/feeds.ts";
import { planNames } from "@tapewire/contract/plans.ts";
import { verdict } from "@tapewire/contract/score.ts";
import type { Live } from "./live.ts";
import type { Section } from "./section.ts";

/** Pushes an item with evidence in its title and its body. */
async function pushed(live: Live, name: string) {
  const title = `Orbitex Robotics of ${live.run} 🦉 raises full-year guidance after record orders`;
  const body = "Revenue rose 40% to $84 million and beat estimates. The company expects more.";
  const source = live.name(name);
  const [made] = await live.push([{ title, body, symbols: [`X${live.run}:T${live.run}`], source }]);
  return made?.id ?? "";
}

const readText = async (live: Live, id: string, key?: string) =>
  (await live.get(`/v1/feeds/${id}/text`, key === undefined ? {} : { key })).read(itemText);
const readScores = async (live: Live, id: string) =>
  (await live.get(`/v1/feeds/${id}/scores`)).read(itemScores).data;

export const itemTexts: Section = {
  name: "GET /v1/feeds/{id}/text, scores; POST /v1/feeds/{id}/score",
  rules: {
    "text: evidence is the slice of title, newline and body at its offsets": async (live) => {
      const id = await pushed(live, "text");
      const item = (await live.get(`/v1/feeds/${id}`)).read(feedItemDetail);
      const { title, body, base, seq } = await readText(live, id);
      assert.deepEqual([base, seq], ["utf16", item.seq]);
      const evidence = [
        ...item.analysis.flatMap((one) => one.evidence),
        ...item.events.flatMap((one) => one.evidence ?? []),
      ];
      assert.ok(evidence.length > 0);
      for (const { text, start, end } of evidence) assert.equal(`${title}\n${body}`.slice(start, end), text);
    },
    "text: pushed items have it, on every plan": async (live, items) => {
      for (const plan of planNames)
        assert.equal(
          (await readText(live, items.all[0]?.id ?? "", await live.key(plan))).title,
          items.all[0]?.title,
        );
    },
    "scores: the score of the item, none where no model knows the language": async (live, items) => {
      for (const { id, scoring, sub_scores } of items.all.slice(0, 8)) {
        const found = await readScores(live, id);
        if (scoring.model === null) assert.deepEqual(found, []);
        else assert.deepEqual([found.at(-1)?.scoring, found.at(-1)?.sub_scores], [scoring, sub_scores]);
      }
    },
    "scores: 403 on the Free plan": async (live, items) => {
      const key = await live.key("free");
      await live.refuses("plan_required", "GET", `/v1/feeds/${items.all[0]?.id}/scores`, { key });
    },
    "score: a verdict with the model that was asked for, which costs one unit and stores nothing": async (
      live,
    ) => {
      const id = await pushed(live, "score");
      const { key } = await live.newKey({ plan: "pro" });
      const before = await readScores(live, id);
      const path = `/v1/feeds/${id}/score`;
      for (const [at, model] of (["flash", "pro"] as const).entries()) {
        const body = { model, include_detailed_analysis: true };
        const found = (await live.call("POST", path, { key, body })).read(verdict);
        assert.equal(found.model === "flash", model === "flash");
        assert.ok((found.detailed_analysis?.actionability.factors.length ?? 0) > 0);
        assert.equal(found.usage.used, at + 1);
      }
      assert.deepEqual(await readScores(live, id), before);
    },
    "score: 403 on plans without scoring, 400 for a bad body": async (live, items) => {
      const path = `/v1/feeds/${items.all[0]?.id}/score`;
      for (const plan of ["free", "starter"] as const)
        await live.refuses("plan_required", "POST", path, { key: await live.key(plan), body: {} });
      await live.refuses("invalid_body", "POST", path, { body: { model: "gpt" }, fields: ["model"] });
      await live.refuses("invalid_body", "POST", path, {
        body: { include_detailed_analysis: "yes" },
        fields: ["include_detailed_analysis"],
      });
    },
    "404 for an unknown id, 400 for one that is not a uuid": async (live) => {
      for (const part of ["text", "scores"]) {
        await live.refuses("not_found", "GET", `/v1/feeds/${randomUUID()}/${part}`);
        await live.refuses("invalid_parameter", "GET", `/v1/feeds/x/${part}`, { fields: ["id"] });
      }
      await live.refuses("not_found", "POST", `/v1/feeds/${randomUUID()}/score`, { body: {} });
      await live.refuses("invalid_parameter", "POST", "/v1/feeds/x/score", { body: {}, fields: ["id"] });
    },
  },
};
