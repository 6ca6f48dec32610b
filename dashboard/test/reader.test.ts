import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { Page } from "playwright-core";
import { until } from "../../server/test/support/receiver.ts";
import { withoutChromium } from "./support/chromium.ts";
import { type House, openHouse } from "./support/visit.ts";

const scrolled = "document.querySelector('.place-main').scrollTop";

describe("somebody who reads the dashboard for the first time", { skip: withoutChromium }, () => {
  let house: House;
  let id = "";
  before(async () => {
    house = await openHouse();
    const good = { title: "Orbitex Robotics raises full-year guidance", symbols: ["DEMO:OBTX"] };
    const bad = { title: "Orbitex Robotics files for bankruptcy", symbols: ["DEMO:OBTX"] };
    for (let at = 0; at < 10; at++) {
      const item = { ...(at < 5 ? good : bad), external_id: `news ${at}` };
      const [pushed] = await house.service.push(item);
      id = pushed?.id ?? id;
    }
    await house.service.push({ title: "Apple raises its guidance", symbols: ["AAPL"] });
  });
  after(() => house[Symbol.asyncDispose]());

  test("a new screen begins at its top, and back leads to where one was", async () => {
    await using visit = await house.visit("symbol", { height: 400 });
    const { page } = visit;
    await page.locator(".symbol-list li").nth(30).waitFor();
    await page.evaluate("document.querySelector('.place-main').scrollTop = 300");
    await page.waitForFunction(`${scrolled} === 300`);
    await page.evaluate("document.querySelectorAll('.symbol-list a')[30].click()");
    await page.getByRole("heading", { name: "Items", exact: true }).waitFor();
    assert.equal(await page.evaluate(scrolled), 0);
    await page.goBack();
    await page.waitForFunction(`${scrolled} === 300`);
  });

  test("a panel that is longer than the page scrolls by itself, and the page stays", async () => {
    await using visit = await house.visit("feed?filter=open", { height: 500 });
    const { page } = visit;
    await page.getByRole("heading", { name: "Filter" }).waitFor();
    await page.locator(".filter-panel").hover();
    await page.mouse.wheel(0, 5_000);
    await page.waitForFunction("document.querySelector('.filter-panel').scrollTop > 0");
    assert.equal(await page.evaluate("document.documentElement.scrollHeight - innerHeight"), 0);
  });

  test("a symbol says whether its news gets better or worse", async () => {
    await using visit = await house.visit("symbol/DEMO:OBTX");
    await visit.page.getByText(/^Last 5 items: −.*, the 5 before: \+.*: getting worse$/).waitFor();
    const legend = visit.page.locator(".plot").first().locator(".legend > span");
    await legend.first().waitFor();
    const drawn = (await legend.allTextContents()).map((text) => text.trim());
    assert.deepEqual(drawn, ["Mean of the last 5", "Item"], "no line lies over a dot");
  });

  test("a symbol that is no longer traded is marked, one that is traded is not", async () => {
    await using visit = await house.visit("symbol/NASDAQ:ATVI", { reads: true });
    await visit.page.getByText("Delisted since 2023-10-14", { exact: true }).waitFor();
    await using other = await house.visit("symbol/NASDAQ:AAPL", { reads: true });
    await other.page.getByRole("heading", { name: "NASDAQ:AAPL · Apple Inc." }).waitFor();
    assert.equal(await other.page.getByText("Delisted").count(), 0);
  });

  test("symbols in the news come first, with how much was told of them in words", async () => {
    await using visit = await house.visit("symbol");
    const news = visit.page.getByRole("region", { name: "In the news, last 24 hours" });
    await news.getByRole("link").first().waitFor();
    await visit.page.getByRole("region", { name: "Largest symbols" }).getByRole("link").first().waitFor();
    const [first, second] = await news.getByRole("link").allTextContents();
    assert.match(first ?? "", /^OBTX.*10 items, \d+ actionable$/);
    assert.match(second ?? "", /^AAPL.*1 item, 1 actionable$/);
    await news.getByRole("link").first().click();
    await visit.page.getByRole("heading", { name: "OBTX" }).waitFor();
  });

  test("the overview says in sentences how the service does", async () => {
    await using visit = await house.visit("overview");
    const health = visit.page.getByRole("region", { name: "Health", exact: true });
    await health.getByText("No source is configured: items come by push only.").waitFor();
    await health
      .getByText(/^In the last minute with items 99 of 100 were out .+ after they were first seen\.$/)
      .waitFor();
    await health
      .getByText(/^\d streams? (is|are) open\. 0 deliveries went to webhooks, none given up\.$/)
      .waitFor();
    await health.getByText(/^1 process runs version \d/).waitFor();
  });

  test("how many streams are open is told beside how many may be", async () => {
    await using feed = await house.visit("feed");
    await feed.page.locator(".line").first().waitFor();
    await using visit = await house.visit("usage");
    const streams = visit.page.locator(".share", { hasText: "Open streams" });
    await streams.getByText(/^[1-9]\d* of \d+ used$/).waitFor();
    const open = visit.page.locator(".share", { hasText: "no limit" });
    assert.ok((await open.count()) > 0);
    assert.equal(await open.locator(".bar").count(), 0, "a bar is of a limit");
  });

  test("sentiment has one scale on every screen, and kinds are told in words", async () => {
    await using visit = await house.visit(
      "feed?filter=open&sentiment_min=6&event=cfo_to_leave&corp_activity=esg",
    );
    const { page } = visit;
    await page.getByRole("button", { name: "Remove Event: Finance chief to leave" }).waitFor();
    await page.getByRole("button", { name: "Remove Corporate activity: ESG" }).waitFor();
    await page.getByRole("button", { name: "Remove Sentiment ≥ +1" }).waitFor();
    const field = page.getByRole("spinbutton", { name: "Sentiment ≥" });
    assert.equal(await field.inputValue(), "1");
    await field.fill("-2");
    await field.press("Enter");
    await page.waitForURL(/sentiment_min=3/);
  });

  test("what a filter matches is told without a rate, and no rate of the feed before a minute has passed", async () => {
    await using visit = await house.visit("feed?filter=open");
    await visit.page.getByText("measuring…").waitFor();
    await visit.page.getByText("Matches 11 of 11 items in the last 24 hours", { exact: true }).waitFor();
  });

  test("invented news is called so", async () => {
    await house.service.push({
      title: "Orbitex is invented",
      symbols: ["DEMO:OBTX"],
      provider: "demo-wire",
    });
    await using visit = await house.visit("feed");
    await visit.page.getByText("Invented demo news: TAPEWIRE_DEMO=off stops it").waitFor();
  });

  test("nothing is asked for that is not there", async () => {
    await house.webhook({
      url: "http://127.0.0.1:9/hook",
      description: "Later",
      filters: { symbols: ["OBTX"] },
    });
    const wrong: string[] = [];
    const before: NonNullable<Parameters<House["visit"]>[1]>["before"] = async (page) => {
      page.on("response", (answer) => {
        if (answer.status() >= 400) wrong.push(`${answer.status()} ${answer.url()}`);
      });
    };
    await using visit = await house.visit(`item/${id}?show=Delivered+to`, { before });
    await visit.page.getByText("The endpoint was made later").waitFor();
    await using views = await house.visit("feed", { before });
    await views.page.locator(".line").first().waitFor();
    await views.page.goto(`${house.service.url}/app/views`);
    await views.page.getByText("No view is saved.").waitFor();
    assert.deepEqual(wrong, []);
  });

  test("in a burst the screen is not wholly new ten times a second", async () => {
    const held: string[] = [];
    const page = { send: (_: string) => {} };
    const before = (one: Page) =>
      one.routeWebSocket(/\/v1\/stream/, (client) => {
        page.send = (text) => client.send(text);
        client.connectToServer().onMessage((message) => {
          const text = String(message);
          if (text.includes("Burst item")) held.push(text);
          else client.send(text);
        });
      });
    await using visit = await house.visit("feed", { before });
    await visit.page.locator(".line").first().waitFor();
    await house.service.push(...Array.from({ length: 160 }, (_, at) => ({ title: `Burst item ${at}` })));
    await until(async () => held.length >= 160, "all of the burst");
    await visit.page.evaluate(`window.painted = [];
      new MutationObserver((list) => {
        if (list.filter(({ addedNodes }) => addedNodes.length > 0).length > 15) painted.push(performance.now());
      }).observe(document.querySelector(".tape ol"), { childList: true });`);
    for (let at = 0; at < 160; at += 40) {
      for (const text of held.slice(at, at + 40)) page.send(text);
      await delay(150);
    }
    const [last = ""] = /Burst item \d+/.exec(held.at(-1) ?? "") ?? [];
    await visit.page.locator(".line").first().getByText(last, { exact: true }).waitFor();
    const times = await visit.page.evaluate<number[]>("painted");
    // A busy machine paints one late, and then the next one early: of all of them that is one.
    const tookMs = (times.at(-1) ?? 0) - (times[0] ?? 0);
    assert.ok(300 * (times.length - 2) <= tookMs, times.join(" "));
  });
});
