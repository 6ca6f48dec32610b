import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { withoutChromium } from "./support/chromium.ts";
import { type House, openHouse } from "./support/visit.ts";

describe("tickers without an exchange", { skip: withoutChromium }, () => {
  let house: House;
  before(async () => {
    house = await openHouse();
    await house.service.push(
      { title: "Foo speaks", symbols: ["FOO:ZZQXJ"] },
      { title: "Bar", symbols: ["BAR:ZZQXJ"] },
    );
    await house.service.push(
      { title: "Bar speaks", symbols: ["BAR:ZZQXJ"] },
      { title: "BHP digs", symbols: ["ASX:BHP"] },
    );
  });
  after(() => house[Symbol.asyncDispose]());

  test("the palette takes a ticker that only items name, and its screen has all lines", async () => {
    await using visit = await house.visit("usage");
    const { page, troubles } = visit;
    await page.getByRole("heading", { name: "Usage" }).waitFor();
    await page.keyboard.press("/");
    await page.getByRole("combobox", { name: "Find" }).fill("zzqxj");
    await page.getByRole("option", { name: "Ticker ZZQXJ" }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "ZZQXJ", exact: true }).waitFor();
    const lines = page.getByRole("group").filter({ hasText: "2 lines of ZZQXJ" }).getByRole("link");
    await lines.first().waitFor();
    const told = await lines.allTextContents();
    assert.match(told[0] ?? "", /^BAR:ZZQXJ .*2 items$/);
    assert.match(told[1] ?? "", /^FOO:ZZQXJ .*1 item$/);
    await lines.last().click();
    await page.getByRole("heading", { name: "FOO:ZZQXJ" }).waitFor();
    await page.locator(".items li").getByText("Foo speaks").waitFor();
    assert.equal(await page.locator(".items li").count(), 1);
    assert.deepEqual(troubles, []);
  });

  test("from one line a click leads to the others, and to all together", async () => {
    await using visit = await house.visit("symbol/ASX:BHP");
    const { page } = visit;
    await page.getByText("3 lines of BHP").click();
    await page.getByRole("link", { name: /NYSE:BHP/ }).waitFor();
    await page.getByRole("link", { name: /All lines together/ }).click();
    await page.getByRole("heading", { name: /^BHP( ·|$)/ }).waitFor();
  });

  test("a symbol that nobody knows stays in the filter, with a word on how to find the company's", async () => {
    await using visit = await house.visit("feed?filter=open&symbol=ASX:BHP");
    const { page, troubles } = visit;
    const panel = page.locator(".filter-panel");
    await panel.getByRole("button", { name: "Remove ASX:BHP" }).waitFor();
    await panel.getByLabel("Symbol", { exact: true }).fill("halvorn");
    await page.keyboard.press("Enter");
    await panel.getByText("No symbol HALVORN is known: search by company in Find", { exact: true }).waitFor();
    await panel.getByRole("button", { name: "Remove HALVORN" }).click();
    await panel.getByText(/^No symbol/).waitFor({ state: "detached" });
    assert.deepEqual(troubles, []);
  });

  test("Enter in the search of symbols opens a ticker that the table does not have", async () => {
    await using visit = await house.visit("symbol");
    const { page } = visit;
    await page.getByLabel("Ticker or name").fill("zzqxj");
    await page.getByRole("link", { name: "Look for ZZQXJ in items" }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByText("2 lines of ZZQXJ").waitFor();
  });

  test("a symbol is headed by its name, and says that only its latest items are shown", async () => {
    const items = Array.from({ length: 104 }, (_, at) => ({
      title: `Halvorn Energy opens well ${at}`,
      external_id: `well ${at}`,
      symbols: ["DEMO:HLVN"],
    }));
    await house.service.push(...items.slice(0, 52));
    await house.service.push(...items.slice(52));
    await using visit = await house.visit("symbol/DEMO:HLVN");
    const { page } = visit;
    await page.getByRole("heading", { level: 1, name: /^DEMO:HLVN · Halvorn / }).waitFor();
    await page.getByText(/^The latest 100 of 104: \d+ scored items, mean/).waitFor();
    const told = page.getByRole("region", { name: "Items" }).getByText("The latest 100 of 104.");
    await told.getByRole("link", { name: "All in the feed" }).click();
    await page.waitForURL(/feed\?symbol=DEMO%3AHLVN$/);
  });

  test("Enter before the answer is there takes no name for a ticker", async () => {
    await using visit = await house.visit("symbol");
    const { page } = visit;
    const field = page.getByLabel("Ticker or name");
    const held = Promise.withResolvers<void>();
    await page.route("**/v1/symbols?q=apple*", (route) => held.promise.then(() => route.continue()));
    await field.fill("apple");
    await field.press("Enter");
    held.resolve();
    await page.getByRole("link", { name: /Apple Inc\./ }).waitFor();
    await field.press("Enter");
    await page.getByRole("heading", { name: "NASDAQ:AAPL" }).waitFor();
  });
});
