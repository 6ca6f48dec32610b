import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { feedList } from "@tapewire/contract/feeds.ts";
import type { Page } from "playwright-core";
import { withoutChromium } from "./support/chromium.ts";
import { type House, openHouse } from "./support/visit.ts";

const titles = [
  "Orbitex Robotics raises full-year guidance after record orders",
  "Brandmoor files for bankruptcy after fraud probe",
  "Five things to know about gardening",
  "Halvorn halts phase 3 trial after patient death",
];
const sentiment = "Sentiment, short term: −5 bearish to +5 bullish";
const actionability = "Actionability, 0 to 100";

describe("how scores are spread", { skip: withoutChromium }, () => {
  let house: House;
  /** What the list has, counted by bin. */
  const bins = { actionability: new Map<string, number>(), sentiment: new Map<string, number>() };
  before(async () => {
    house = await openHouse();
    for (let at = 0; at < 130; at++)
      await house.service.push({ title: `${titles[at % 4]}, part ${at}`, external_id: String(at) });
    const { data } = feedList.parse(await (await house.service.get("/v1/feeds?limit=200", house.key)).json());
    assert.equal(data.length, 130, "more than a page of 100");
    const add = (to: Map<string, number>, label: string) => to.set(label, (to.get(label) ?? 0) + 1);
    for (const { scoring } of data) {
      const least = Math.min(90, 10 * Math.floor((scoring.actionability_score ?? 0) / 10));
      add(bins.actionability, `${least} to ${least === 90 ? 100 : least + 9}`);
      const short = scoring.sentiment_short ?? 0;
      add(bins.sentiment, short > 0 ? `+${short}` : short < 0 ? `−${-short}` : "0");
    }
  });
  after(() => house[Symbol.asyncDispose]());

  const tableOf = async (page: Page, name: string) => {
    await page.getByRole("button", { name: `Table of ${name}` }).click();
    const rows = page.getByRole("group", { name, exact: true }).locator("tbody tr");
    await rows.first().waitFor();
    return Promise.all((await rows.all()).map((row) => row.locator("td").allTextContents()));
  };

  test("tables on the overview have every bin, with the counts of all items of the day", async () => {
    await using visit = await house.visit("overview");
    const { page, troubles } = visit;
    const scores = await tableOf(page, actionability);
    assert.equal(scores.length, 10);
    for (const [bin = "", items] of scores)
      assert.equal(items, String(bins.actionability.get(bin) ?? 0), bin);
    const directions = await tableOf(page, sentiment);
    assert.deepEqual(
      directions.map(([bin]) => bin),
      ["−5", "−4", "−3", "−2", "−1", "0", "+1", "+2", "+3", "+4", "+5"],
    );
    for (const [bin = "", items] of directions)
      assert.equal(items, String(bins.sentiment.get(bin) ?? 0), bin);
    assert.deepEqual(troubles, []);
  });

  test("a sentence says what each shows, and the arrow keys go from bin to bin", async () => {
    await using visit = await house.visit("overview");
    const { page } = visit;
    const [most = "", count = 0] = [...bins.actionability].sort(([, a], [, b]) => b - a)[0] ?? [];
    const said = `130 items, \\d+ rated actionable \\(.+ %\\); most at ${most}: ${count}\\.$`;
    const chart = page.getByRole("img", { name: new RegExp(`^${actionability}. Last 60 min: ${said}`) });
    await chart.focus();
    await page.keyboard.press("ArrowLeft");
    await chart.getByText("Actionability 90 to 100", { exact: true }).waitFor();
    await chart.getByText(`Items ${bins.actionability.get("90 to 100") ?? 0}`, { exact: true }).waitFor();
    await page.keyboard.press("ArrowLeft");
    await chart.getByText("Actionability 80 to 89", { exact: true }).waitFor();
    await page
      .getByRole("img", {
        name: new RegExp(`^${sentiment}. Last 60 min: 130 items; most at`.replace("+", "\\+")),
      })
      .focus();
    await page.keyboard.press("ArrowLeft");
    await page.getByText("Sentiment +5", { exact: true }).waitFor();
  });

  test("the filter panel marks what the filter takes", async () => {
    await using visit = await house.visit("feed?filter=open&sentiment_min=6");
    const rows = await tableOf(visit.page, sentiment);
    assert.equal(rows.length, 11);
    for (const [bin = "", inside, outside] of rows) {
      const all = String(bins.sentiment.get(bin) ?? 0);
      assert.deepEqual([inside, outside], bin.startsWith("+") ? [all, "0"] : ["0", all], bin);
    }
  });

  test("on a plan without scores the filter panel says so, and draws none", async () => {
    const { key: secret } = await house.service.key("free");
    await using visit = await house.visit("feed?filter=open", { secret });
    await visit.page.getByText(/does not show scores, so it cannot filter or group by them/).waitFor();
    assert.equal(await visit.page.getByRole("img", { name: /^Sentiment/ }).count(), 0);
  });
});
