import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { Page } from "playwright-core";
import { until } from "../../server/test/support/receiver.ts";
import { withoutChromium } from "./support/chromium.ts";
import { type House, openHouse } from "./support/visit.ts";

/** Whether rows fill what is seen of the tape, or the part of it that is above its end. */
const rowsAreDrawn = `(() => {
  const tape = document.querySelector(".tape");
  const seen = tape.getBoundingClientRect();
  const end = tape.querySelector(".tape-end")?.getBoundingClientRect().top ?? seen.bottom;
  const rows = [...tape.querySelectorAll(".line")].map((row) => row.getBoundingClientRect());
  const isAbove = rows.some(({ top, height }) => top <= seen.top + height);
  return isAbove && rows.some(({ bottom }) => bottom >= Math.min(seen.bottom, end) - 1);
})()`;

describe("the live feed", { skip: withoutChromium }, () => {
  let house: House;
  before(async () => {
    house = await openHouse();
  });
  after(() => house[Symbol.asyncDispose]());

  // Each a second after the one before: items of one time have no order that a test could name.
  let publishedMs = Date.now() - 3_600_000;
  const push = (...titles: readonly string[]) =>
    house.service.push(
      ...titles.map((title) => {
        publishedMs += 1_000;
        const published_at = new Date(publishedMs).toISOString();
        return { title, external_id: title, symbols: ["AAPL"], published_at };
      }),
    );

  test("the first rows are those of the stream's snapshot, and the list is not read beside it", async () => {
    await push(...Array.from({ length: 60 }, (_, at) => `First item ${at}`));
    const lists: string[] = [];
    await using visit = await house.visit("feed", {
      before: async (page) => {
        page.on("request", (request) => {
          if (request.url().includes("/v1/feeds?")) lists.push(request.url());
        });
      },
    });
    const { page } = visit;
    await page.locator(".line").first().getByText("First item 59", { exact: true }).waitFor();
    assert.deepEqual(
      lists.filter((url) => !url.includes("until=")),
      [],
    );
  });

  test("before the first rows nothing says that there are none, and nothing moves when they come", async () => {
    await push(...Array.from({ length: 40 }, (_, at) => `Early item ${at}`));
    await using visit = await house.visit("feed", {
      before: async (page) => {
        // Slow enough that the page says that it connects.
        await page.routeWebSocket(/\/v1\/stream/, async (socket) => {
          await delay(2_000);
          socket.connectToServer();
        });
        await page.addInitScript(`
          window.shift = 0;
          window.said = "";
          new PerformanceObserver((list) => { for (const one of list.getEntries()) shift += one.value; })
            .observe({ type: "layout-shift", buffered: true });
          new MutationObserver(() => { said += document.querySelector(".feed-note")?.textContent ?? ""; })
            .observe(document, { childList: true, subtree: true });`);
      },
    });
    const { page } = visit;
    await page.getByRole("button", { name: "Connecting" }).waitFor();
    await page.locator(".line").first().getByText("Early item 39", { exact: true }).waitFor();
    // The session's facts come beside the rows.
    await page.locator(".rail .badge").waitFor();
    assert.equal(await page.evaluate("said"), "");
    assert.equal(await page.evaluate("shift"), 0);
  });

  test("a filter that matches nothing says so, and offers every item", async () => {
    await using visit = await house.visit("feed?symbol=NYSE:KO");
    await visit.page.getByText("No recent item matches this filter.").waitFor();
    await visit.page.getByRole("button", { name: "Show every item" }).click();
    await visit.page.locator(".line").first().waitFor();
  });

  test("a new item draws its own row only; places are told to screen readers when the tape rests", async () => {
    await using visit = await house.visit("feed");
    const { page } = visit;
    const placeOf = (title: string) =>
      page.locator(".line").filter({ hasText: title }).first().getAttribute("aria-posinset");
    await push("Seen before");
    await page.locator(".line").first().getByText("Seen before").waitFor();
    await until(async () => (await placeOf("Seen before")) === "1", "its place");
    await page.evaluate(`window.changed = new Set();
      new MutationObserver((list) => {
        for (const { target } of list) { const row = target.closest?.(".line"); if (row) changed.add(row); }
      }).observe(document.querySelector(".tape ol"), { attributes: true, characterData: true, subtree: true });`);
    await push("Seen after");
    await page.locator(".line").first().getByText("Seen after").waitFor();
    const others = "[...changed].filter((row) => !row.textContent.includes('Seen after')).length";
    assert.equal(await page.evaluate(others), 0);
    await until(
      async () => (await placeOf("Seen before")) === "2" && (await placeOf("Seen after")) === "1",
      "both places",
    );
  });

  test("pushed items appear at the top without a reload, with their scores", async () => {
    await using visit = await house.visit("feed");
    const { page, troubles } = visit;
    await push("Orbitex raises full-year guidance by 12%");
    const first = page.locator(".line").first();
    await first.getByText("Orbitex raises full-year guidance by 12%").waitFor();
    await push("Halvorn cuts its forecast");
    await first.getByText("Halvorn cuts its forecast").waitFor();
    assert.equal(
      await page.locator(".line").nth(1).locator(".headline").textContent(),
      "Orbitex raises full-year guidance by 12%",
    );
    assert.match((await page.locator(".line").nth(1).textContent()) ?? "", /AAPL/);
    assert.deepEqual(troubles, []);
  });

  test("scrolled away, what is shown holds its place to the pixel while items come; the pill leads back", async () => {
    await push(...Array.from({ length: 80 }, (_, at) => `Held item ${at}`));
    await using visit = await house.visit("feed");
    const { page } = visit;
    const tape = page.locator(".tape");
    await page.getByText("Held item 79", { exact: true }).waitFor();
    await tape.hover();
    await page.mouse.wheel(0, 300);
    await page.getByRole("button", { name: "Paused" }).waitFor();
    const shown = page.locator(".line").filter({ hasText: "Held item 60" });
    const place = await shown.boundingBox();
    await push(...Array.from({ length: 30 }, (_, at) => `Late item ${at}`));
    const pill = page.getByRole("button", { name: /30 new items/ });
    await pill.waitFor();
    assert.deepEqual(await shown.boundingBox(), place);
    await pill.click();
    await page.locator(".line").first().getByText("Late item 29").waitFor();
    await page.getByRole("button", { name: "Live" }).waitFor();
  });

  test("space pauses at the top as well, and a full stop goes back to the newest", async () => {
    await using visit = await house.visit("feed");
    const { page } = visit;
    await push("Before the pause");
    await page.locator(".line").first().getByText("Before the pause").waitFor();
    await page.keyboard.press("Space");
    await push("After the pause");
    await page.getByRole("button", { name: /1 new item/ }).waitFor();
    assert.equal(await page.locator(".line .headline").first().textContent(), "Before the pause");
    await page.keyboard.press(".");
    await page.locator(".line").first().getByText("After the pause").waitFor();
  });

  test("times are shown in UTC when that is chosen, in the rows as well", async () => {
    const [item] = await push("At a known time");
    await using visit = await house.visit("feed");
    const { page } = visit;
    const time = page.locator(".line").filter({ hasText: "At a known time" }).locator("time");
    await time.waitFor();
    assert.notEqual(item?.id, null);
    const clock = new Date(publishedMs).toISOString().slice(11, 19);
    await page.keyboard.press("?");
    await page.getByRole("button", { name: "UTC" }).click();
    await page.keyboard.press("Escape");
    await until(async () => (await time.textContent()) === clock, "the time is in UTC");
  });

  test("a later version of an item takes its row", async () => {
    const item = { title: "A first version", external_id: "revised", body: "Orders rose." };
    await house.service.push(item);
    await using visit = await house.visit("feed");
    const { page } = visit;
    await page.getByText("A first version", { exact: true }).waitFor();
    await house.service.push({ ...item, title: "A second version" });
    await page.getByText("A second version", { exact: true }).waitFor();
    assert.equal(await page.getByText("A first version", { exact: true }).count(), 0);
  });

  test("the address holds the filter: what it leaves out does not come, and a reload shows the same", async () => {
    await using visit = await house.visit("feed?symbol=MSFT");
    const { page } = visit;
    await page.getByRole("button", { name: "Remove Symbol: MSFT" }).waitFor();
    await page.getByText("No recent item matches this filter.").waitFor();
    await house.service.push(
      { title: "Of another company", symbols: ["AAPL"] },
      { title: "Of this company", symbols: ["MSFT"] },
    );
    await page.getByText("Of this company", { exact: true }).waitFor();
    assert.equal(await page.getByText("Of another company", { exact: true }).count(), 0);
    await page.reload();
    await page.getByText("Of this company", { exact: true }).waitFor();
    assert.equal(await page.locator(".line").count(), 1);
  });

  test("older items are read page by page below what the stream has sent", async () => {
    for (let batch = 0; batch < 3; batch++)
      await push(...Array.from({ length: 100 }, (_, at) => `Deep item ${batch * 100 + at}`));
    await using visit = await house.visit("feed");
    const { page } = visit;
    await page.getByText("Deep item 299", { exact: true }).waitFor();
    const oldest = page.getByText("Deep item 0", { exact: true });
    const seen = async () => {
      if ((await oldest.count()) === 1) return true;
      // Not by keys, which scroll when the browser comes to it: several presses at once would pass over rows.
      await page.evaluate("document.querySelector('.tape').scrollBy({ top: 200, behavior: 'instant' })");
      await until(() => page.evaluate<boolean>(rowsAreDrawn), "the rows are drawn");
      return (await oldest.count()) === 1;
    };
    await until(seen, "the oldest item is shown", 60_000);
    assert.equal(await oldest.count(), 1);
  });

  test("where older items cannot be read, the tape says so, and one click reads them", async () => {
    await push("An item to scroll by", "Orbitex appoints a new chief financial officer");
    const service = { isDown: true };
    const before = async (page: Page) => {
      await page.route("**/v1/events", (route) => route.abort());
      await page.route(/\/v1\/feeds\?.*(until|cursor)=/, (route) =>
        service.isDown ? route.abort() : route.continue(),
      );
    };
    await using visit = await house.visit("feed", { before });
    const { page } = visit;
    const shown = async (text: string | RegExp) => {
      await page.evaluate("document.querySelector('.tape').scrollTo({ top: 1e6, behavior: 'instant' })");
      return (await page.getByText(text).count()) === 1;
    };
    const again = page.getByRole("button", { name: "Try again" });
    await page.getByText("An item to scroll by", { exact: true }).waitFor();
    await page.getByText("CFO appointed", { exact: true }).first().waitFor();
    const failed = /Stored items could not be read/;
    await until(() => shown(failed), "the failure is told");
    await again.click();
    await until(() => shown(failed), "the second failure is told");
    service.isDown = false;
    await again.click();
    await until(() => shown("There are no older items."), "the oldest page is read", 30_000);
    assert.equal(await again.count(), 0);
  });
});
