/** A page whose service is older: files were upgraded while it ran, so its answers may lack what the page needs. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { withoutChromium } from "./support/chromium.ts";
import { type House, openHouse } from "./support/visit.ts";

describe("a page that is newer than its service", { skip: withoutChromium }, () => {
  let house: House;
  before(async () => {
    house = await openHouse();
    await house.service.push({ title: "Orbitex Robotics raises guidance", symbols: ["DEMO:OBTX"] });
  });
  after(() => house[Symbol.asyncDispose]());

  test("says so, and what to do", async () => {
    await using visit = await house.visit("usage", {
      before: async (page) => {
        await page.route(/\/app\/usage$/, async (route) => {
          const response = await route.fetch();
          await route.fulfill({
            response,
            body: (await response.text()).replace("<html ", "<html data-newer "),
          });
        });
      },
    });
    await visit.page.getByText(/newer than the service.* Restart the service/).waitFor();
  });

  test("a panel that cannot be drawn says so in its place; the others and the way between screens go on", async () => {
    await using visit = await house.visit("symbol/DEMO:OBTX", {
      before: async (page) => {
        await page.route(/\/v1\/feeds\?symbol=/, (route) =>
          route.fulfill({ json: { data: [{ id: "1", published_at: "2026-03-02T14:30:00Z", scoring: {} }] } }),
        );
      },
    });
    const { page } = visit;
    const items = page.getByRole("region", { name: "Items" });
    await items.getByText("The page could not do this").waitFor();
    await page.getByText("Orbitex Robotics").first().waitFor();
    await page.getByRole("link", { name: "Keys" }).click();
    await page.getByRole("heading", { name: "Keys", level: 1 }).waitFor();
  });

  test("a screen that cannot be drawn leaves the way to the others, and is tried again", async () => {
    let isBroken = true;
    await using visit = await house.visit("symbol/DEMO:OBTX", {
      before: async (page) => {
        await page.route(/\/v1\/symbols\/DEMO/, (route) =>
          isBroken ? route.fulfill({ json: { symbol: "DEMO:OBTX" } }) : route.continue(),
        );
      },
    });
    const { page } = visit;
    await page.getByText("The page could not do this").waitFor();
    isBroken = false;
    await page.getByRole("link", { name: "Keys" }).click();
    await page.getByRole("heading", { name: "Keys", level: 1 }).waitFor();
    await page.goBack();
    await page.getByRole("region", { name: "News over time" }).waitFor();
    assert.equal(await page.getByText("The page could not do this").count(), 0);
  });
});
