/** What stands where there is little room: nothing is cut inside a word, and what scrolls says so. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { withoutChromium } from "./support/chromium.ts";
import { type House, openHouse } from "./support/visit.ts";

/** Tickers, exchanges and buttons of tables that are seen in part. */
const cut = `[...document.querySelectorAll(".tickers > *, .stacks button")].filter((one) => {
  const seen = one.closest(".tickers, .scroll-x").getBoundingClientRect();
  const { left, right, top, bottom, width } = one.getBoundingClientRect();
  const isOutside = width === 0 || right <= seen.left || left >= seen.right || top >= seen.bottom - 4;
  return !isOutside && (left < seen.left - 1 || right > seen.right + 1 || one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).textOverflow !== "ellipsis");
}).map((one) => one.textContent)`;

describe("little room", { skip: withoutChromium, concurrency: 2 }, () => {
  let house: House;
  let id = "";
  before(async () => {
    house = await openHouse();
    const [item] = await house.service.push(
      {
        title: "Kestrel Holdings to acquire Halvorn Energy for $4.1 billion, Orbitex Robotics outbid",
        body: "Kestrel pays a premium of 34%. Halvorn Energy cut its dividend. Orbitex Robotics had raised its offer.",
        symbols: ["DEMO:KSTL", "DEMO:HLVN", "DEMO:OBTX"],
      },
      { title: "Alphabet raises its outlook", symbols: ["NASDAQ:GOOGL"] },
    );
    id = item?.id ?? "";
    await house.webhook({ url: "http://127.0.0.1:9/a-receiver-with-a-long-address", description: null });
  });
  after(() => house[Symbol.asyncDispose]());

  test("in the panel beside the feed a reason has room for a sentence, and no button is cut", async () => {
    await using visit = await house.visit(`feed?item=${id}&show=Symbols&filter=open`);
    const { page } = visit;
    const why = page.locator(".item-panel td[data-head=Why]").first();
    await why.waitFor();
    const box = await why.boundingBox();
    assert.ok((box?.width ?? 0) >= 200, `${box?.width} px`);
    assert.deepEqual(await page.evaluate(cut), []);
    await page.getByRole("tab", { name: "Delivered to" }).click();
    await page.locator(".item-panel .stacks button").first().waitFor();
    assert.deepEqual(await page.evaluate(cut), []);
  });

  for (const width of [1440, 1280, 1000, 700, 390])
    test(`no ticker and no exchange is cut in the rows of the feed at ${width} px`, async () => {
      await using visit = await house.visit(width === 1280 ? `feed?item=${id}` : "feed", { width });
      await visit.page.locator(".line .tickers").nth(1).waitFor();
      assert.deepEqual(await visit.page.evaluate(cut), []);
    });

  test("on a phone the row of screens shows at its edge that more follow, until its end", async () => {
    await using visit = await house.visit("feed", { width: 390, height: 844 });
    const { page } = visit;
    await page.locator(".line").first().waitFor();
    const sign = () =>
      page.evaluate(
        `(() => { const { content, opacity } = getComputedStyle(document.querySelector(".rail"), "::after"); return content + opacity; })()`,
      );
    assert.equal(await sign(), '"›"1');
    await page.evaluate("document.querySelector('.rail').scrollLeft = 9999");
    await page.waitForFunction(
      `getComputedStyle(document.querySelector(".rail"), "::after").opacity === "0"`,
    );
  });

  test("on a phone an item is a page, from which Back leads to the feed", async () => {
    await using visit = await house.visit("feed?symbol=GOOGL", { width: 390, height: 844 });
    const { page } = visit;
    await page.locator(".line .headline").click();
    await page.getByRole("button", { name: "Back" }).click();
    await page.locator(".line").waitFor();
    assert.match(page.url(), /symbol=GOOGL$/, "as it was");
    // Nothing of this page comes before an item that is opened by its address.
    await page.goto(`${house.service.url}/app/item/${id}`);
    await page.getByRole("button", { name: "Back" }).click();
    await page.locator(".line").nth(1).waitFor();
  });
});
