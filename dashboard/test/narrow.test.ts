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

/** What a finger presses, where it is less than 44 px high. */
const small = `[...document.querySelectorAll(".button, .chip, .tabs > *, .segments, .rail .place, .field input, .field select, summary")].filter((one) => {
  const { height, width } = one.getBoundingClientRect();
  return width > 1 && height < 43.5;
}).map((one) => one.className + " " + one.textContent)`;

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

  for (const [path, ready] of [
    ["feed?filter=open&actionability=true", ".filter-panel .field"],
    ["replay", "form"],
    ["keys", ".stacks .button"],
    ["webhooks?create=1", "dialog .field"],
    ["account", "form.row"],
  ] as const)
    test(`on a phone what is pressed is 44 px high: ${path}`, async () => {
      await using visit = await house.visit(path, { width: 390, height: 844 });
      await visit.page.locator(ready).first().waitFor();
      assert.deepEqual(await visit.page.evaluate(small), []);
    });

  test("on a phone a headline has two lines, and the filter has the room of the tape", async () => {
    await using visit = await house.visit("feed", { width: 390, height: 844 });
    const { page } = visit;
    const headline = page.locator(".line .headline", { hasText: "Kestrel" });
    await headline.waitFor();
    const box = await headline.boundingBox();
    const row = await headline.locator("..").boundingBox();
    assert.equal(box?.height, 40);
    assert.ok((box?.y ?? 0) + 40 < (row?.y ?? 0) + (row?.height ?? 0));
    await page.getByRole("button", { name: "Filter", exact: true }).click();
    const panel = await page.locator(".filter-panel").boundingBox();
    assert.equal((panel?.y ?? 0) + (panel?.height ?? 0), 844);
    await page.evaluate("document.querySelector('.filter-panel').scrollTo(0, 400)");
    await page.locator(".filter-panel").getByRole("button", { name: "Close" }).click();
    await page.locator(".filter-panel").waitFor({ state: "detached" });
  });

  test("a mark on the row of screens makes no phone scroll sideways", async () => {
    await house.service.push({ title: "Nobody receives this", symbols: ["DEMO:KSTL"] });
    await using visit = await house.visit("webhooks", { width: 390, height: 844 });
    const { page } = visit;
    await page.getByText("Failing since").waitFor();
    await page.reload();
    await page.locator(".rail .unread").waitFor();
    assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 390);
  });

  test("on a phone nothing lies over the address of who is invited", async () => {
    await using visit = await house.visit("account", { width: 390, height: 844 });
    const { page } = visit;
    await page.getByLabel("E-mail").fill("johanna.lindqvist@example.org");
    await page.getByRole("button", { name: "Make an invitation" }).click();
    const address = page.locator("li bdi.grow");
    const [box, role] = [await address.boundingBox(), await page.locator("li .badge").boundingBox()];
    const isWhole = await page.evaluate(
      `(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)(document.querySelector("li bdi.grow"))`,
    );
    assert.equal(isWhole, true);
    const isBelow = (role?.y ?? 0) >= (box?.y ?? 0) + (box?.height ?? 0);
    await page.getByRole("tab", { name: "Sessions" }).click();
    await page.getByText("Chrome on Linux", { exact: true }).first().waitFor();
    assert.ok(isBelow || (role?.x ?? 0) >= (box?.x ?? 0) + (box?.width ?? 0));
  });

  test("beside each heading of a stacked table stands all that belongs to it", async () => {
    await using visit = await house.visit("webhooks", { width: 390, height: 844 });
    const words = visit.page.locator("td[data-head=Status]").first().locator("*").first();
    await words.waitFor();
    assert.ok(((await words.boundingBox())?.x ?? 0) >= 128);
    const counts = await visit.page.locator("td[data-head=Deliveries] div").first().boundingBox();
    assert.ok((counts?.x ?? 0) >= 128, `${counts?.x} px`);
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
    await page.locator(".why").waitFor();
    assert.deepEqual(await page.evaluate(small), []);
    await page.getByRole("button", { name: "Back" }).click();
    await page.locator(".line").nth(1).waitFor();
  });
});
