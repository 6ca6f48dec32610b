import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { feedItemDetail } from "@tapewire/contract/feeds.ts";
import { verdict } from "@tapewire/contract/score.ts";
import { anyEngine } from "../../support/db.ts";
import { startService } from "../../support/service.ts";

describe("an item and its text", () => {
  const texts = [
    {
      title: "Orbitex Robotics raises full-year revenue guidance to $350 million",
      body: "Orbitex Robotics now expects revenue of $350 million this year, up from $310 million, as orders for picking robots come in faster than planned.",
    },
    {
      title: "UPDATE 1-Orbitex Robotics lifts its outlook for the year",
      body: "Orbitex Robotics now expects revenue of $350 million this year, up from $310 million, as orders for picking robots come in faster than planned.",
    },
    { title: "Orbitex Robotics names a finance chief", body: "Jo Ardent joins from Tarn Avionics on May 4." },
    { title: "Dock workers end strike at port of Sundhaven", body: "Unions and operators agreed on wages." },
    {
      title: "Orbitex Robotics recalls 1,200 robots after fire",
      body: "Nobody was hurt in the fire at a warehouse.",
    },
  ];

  test("are judged alike by the feed and by POST /v1/score, whatever the feed has carried since", async () => {
    await using service = await startService(anyEngine);
    const { key } = await service.key("enterprise");
    const items = texts.map((text, n) => ({ ...text, published_at: `2026-03-02T14:3${n}:00.000Z` }));
    const ids: string[] = [];
    for (const [n, item] of items.entries()) {
      const [pushed] = await service.push({ ...item, source: `wire-${n}`, external_id: "1" });
      ids.push(pushed?.id ?? "");
    }
    const verdicts = [];
    for (const [n, item] of items.entries()) {
      const stored = feedItemDetail.parse(await (await service.get(`/v1/feeds/${ids[n]}`, key)).json());
      const answer = await fetch(`${service.url}/v1/score`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ artifact: { type: "news", ...item } }),
      });
      const scored = verdict.parse(await answer.json());
      assert.deepEqual(
        [
          stored.sub_scores?.actionability,
          stored.scoring.actionability_score,
          stored.scoring.actionability_comment,
          stored.scoring.sentiment_short,
          stored.scoring.sentiment_conviction,
        ],
        [
          scored.actionability.sub_scores,
          scored.actionability.score,
          scored.actionability.comment,
          scored.sentiment?.short_direction,
          scored.sentiment?.conviction,
        ],
        item.title,
      );
      verdicts.push([stored.copy_of, stored.sub_scores?.actionability.novelty]);
    }
    // The second repeats the first; each later one finds one more item about its company.
    assert.deepEqual(verdicts, [
      [null, 100],
      [ids[0], 10],
      [null, 96],
      [null, 100],
      [null, 94],
    ]);
  });

  test("a correction of the text alone is judged by what it says now", async () => {
    await using service = await startService(anyEngine);
    const { key } = await service.key("enterprise");
    const item = {
      title: "Brightwick Foods on the year",
      source: "wire-a",
      external_id: "1",
      published_at: "2026-03-02T14:30:00.000Z",
    };
    const body = "Brightwick Foods raises its profit forecast for the year to $350 million on strong demand.";
    const wrong = body.replace("raises", "cuts").replace("strong", "weak");
    const shortOf = async (text: string) => {
      const [pushed] = await service.push({ ...item, body: text });
      const stored = feedItemDetail.parse(await (await service.get(`/v1/feeds/${pushed?.id}`, key)).json());
      assert.equal(stored.analysis[0]?.sentiment_short, stored.scoring.sentiment_short);
      return stored.scoring.sentiment_short ?? 0;
    };
    assert.ok((await shortOf(body)) > 0);
    assert.ok((await shortOf(wrong)) < 0);
    assert.ok((await shortOf(body)) > 0);
  });

  test("what was published after a text is not known to it", async () => {
    await using service = await startService(anyEngine);
    const { key } = await service.key("enterprise");
    const [first] = texts;
    await service.push({ ...first, title: first?.title ?? "", published_at: "2026-03-02T14:30:00.000Z" });
    const noveltyAt = async (published_at: string) => {
      const answer = await fetch(`${service.url}/v1/score`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ artifact: { type: "news", ...texts[1], published_at } }),
      });
      return verdict.parse(await answer.json()).actionability.sub_scores.novelty;
    };
    assert.equal(await noveltyAt("2026-03-02T14:29:59.000Z"), 100);
    assert.equal(await noveltyAt("2026-03-02T14:30:00.000Z"), 10);
  });
});
