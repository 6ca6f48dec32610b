import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { withoutChromium } from "./support/chromium.ts";
import { payloads } from "./support/payloads.ts";
import { spoil } from "./support/spoil.ts";
import { type House, openHouse } from "./support/visit.ts";

// Two at a time: each has a page of its own.
describe("hostile texts", { skip: withoutChromium, concurrency: 2 }, () => {
  let house: House;
  let itemId = "";
  before(async () => {
    house = await openHouse();
    const items = payloads.map((_, at) => ({
      title: `Orbitex Robotics raises guidance, item ${at}`,
      body: "Orders rose 12%.",
      external_id: `hostile ${at}`,
      symbols: ["AAPL"],
    }));
    itemId = (await house.service.push(...items))[0]?.id ?? "";
  });
  after(() => house[Symbol.asyncDispose]());

  test("60 of them as titles and in every other place of an item: nothing runs, nothing is loaded", async () => {
    assert.equal(payloads.length, 60);
    await using visit = await house.visit("feed", { height: 2_400, before: spoil });
    const { page, troubles } = visit;
    await page.locator(".line").nth(59).waitFor();
    const shown = await page
      .locator(".line .headline, .line .from, .line .tickers bdi, .line .event")
      .allTextContents();
    for (const payload of payloads)
      assert.ok(
        shown.some((text) => text.includes(payload)),
        payload,
      );
    assert.deepEqual(troubles, []);
  });

  const began = new Date(Date.now() - 60_000).toISOString();
  const places = [
    "item",
    `replay?from=${began}&speed=100&filter=open`,
    `feed?filter=open&since=${began}`,
    "symbol/AAPL",
    "symbol",
    "keys",
    "usage",
    "webhooks",
    "views",
    "account",
    "sources",
    "accounts",
    "overview",
  ];
  for (const place of places)
    test(`${place}: every text of every answer may be hostile`, async () => {
      const path = place === "item" ? `item/${itemId}` : place;
      await using visit = await house.visit(path, { before: spoil, reads: true });
      const { page, troubles } = visit;
      await page.locator(".screen, .item, .line").first().waitFor();
      await page.waitForLoadState("networkidle");
      for (const tab of await page.getByRole("tab").all()) await tab.click();
      await page.waitForLoadState("networkidle");
      assert.deepEqual(troubles, []);
    });

  test("only links by http and https are followed, without a word of where one came from", async () => {
    const [item] = await house.service.push({ title: "Linked", link: "https://news.example/a?b=c" });
    await using visit = await house.visit(`item/${item?.id}`);
    const link = visit.page.getByRole("link", { name: "news.example" });
    assert.equal(await link.getAttribute("href"), "https://news.example/a?b=c");
    assert.equal(await link.getAttribute("rel"), "noopener noreferrer nofollow");
  });

  test("a script that got into the page could not make markup: the policy stops it and tells", async () => {
    await using visit = await house.visit("feed");
    const { page, troubles } = visit;
    const stopped = await page.evaluate(`
      new Promise((stopped) => {
        const script = document.createElement("div");
        try { script.innerHTML = "<img src=x onerror=alert(1)>"; stopped("made"); } catch (error) { stopped(error.name); }
      })`);
    assert.equal(stopped, "TypeError");
    await page.locator(".tape").waitFor();
    assert.ok(
      troubles.some((one) => one.startsWith("violation: require-trusted-types-for")),
      `${troubles}`,
    );
  });
});
