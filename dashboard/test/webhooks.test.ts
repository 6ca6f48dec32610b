import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { systemClock } from "../../server/src/runtime/clock.ts";
import { withoutChromium } from "./support/chromium.ts";
import { receiver } from "./support/receiver.ts";
import { type House, openHouse } from "./support/visit.ts";

describe("a webhook whose items get too old", { skip: withoutChromium }, () => {
  test("what was too old before it was tried is counted, and nothing says that all has arrived", async () => {
    let aheadMs = 0;
    const clock = { ...systemClock, now: () => new Date(Date.now() + aheadMs) };
    await using house = await openHouse({ clock, webhookRetriesMs: [3_600_000] });
    await using hook = await receiver();
    hook.answer(500);
    const push = (...titles: readonly string[]) =>
      house.service.push(...titles.map((title) => ({ title, symbols: ["NVDA"] })));
    const filters = { symbols: ["NVDA"] };
    const id = await house.webhook({ url: hook.url, filters, max_age: 60 });
    await push("Tried 1", "Tried 2", "Tried 3", "Tried 4", "Tried 5");
    await using visit = await house.visit(`webhooks/${id}`);
    const { page, troubles } = visit;
    await page.getByText(/Paused until \d/).waitFor();
    const [late] = await push("Late 1", "Late 2", "Late 3");
    hook.answer(200);
    aheadMs = 180_000;
    await push("In time");
    await page.getByText("24 hours: 1 delivered, 8 given up.").waitFor();
    const told = "8 were given up in the last 24 hours; 5 of them are listed. The others were too old before";
    await page.getByText(told).waitFor();
    assert.equal(await page.getByText("Everything that matched").count(), 0);
    await page.getByRole("region", { name: "Deliveries" }).getByRole("link", { name: "Replay" }).click();
    await page.getByText("given up since then (5 in all).").waitFor();
    await page.getByRole("button", { name: "Recover" }).click();
    await page.getByText("5 queued again").waitFor();
    await page.getByText("3 others were too old before they were tried: only Replay sends them.").waitFor();
    await page.getByText("none was").waitFor({ state: "detached" });
    await page.goto(`${house.service.url}/app/item/${late?.id}?show=Delivered+to`);
    await page.getByText("Delivered, or too old when its turn came", { exact: true }).waitFor();
    assert.deepEqual(troubles, []);
  });
});

describe("what the dashboard shows of webhooks", { skip: withoutChromium }, () => {
  let house: House;
  before(async () => {
    house = await openHouse({ webhookRetriesMs: [3_600_000] });
  });
  after(() => house[Symbol.asyncDispose]());

  const send = async (path: string, method: string, body: object) => {
    const answer = await fetch(`${house.service.url}/v1/webhooks/${path}`, {
      method,
      headers: { authorization: `Bearer ${house.key}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    assert.equal(answer.status, 200);
  };

  test("an endpoint that fails looks so, says what waits, and goes on as soon as its receiver answers", async () => {
    await using hook = await receiver();
    hook.answer(500);
    const id = await house.webhook({ url: hook.url, filters: { symbols: ["NVDA"] } });
    await house.service.push(...[1, 2, 3, 4, 5].map((n) => ({ title: `Fails ${n}`, symbols: ["NVDA"] })));
    await using visit = await house.visit(`webhooks/${id}`);
    const { page, troubles } = visit;
    await page.getByText(/^Last attempt .*: 500\. Paused until \d/).waitFor();
    await page.getByText(/^5 deliveries wait for a retry and will be sent automatically/).waitFor();
    await page.getByText("5 wait for a retry.").waitFor();
    await page.getByRole("link", { name: /Webhooks 1 failing/ }).waitFor();
    const row = page.getByRole("row").filter({ hasText: "Fails 5" });
    await row.getByText(/^Waiting: failed 1 time, next attempt not before \d\d:\d\d:\d\d$/).waitFor();
    await row.getByRole("button", { name: "Resend" }).click();
    await page.getByText(/^Queued\. It is sent when the pause ends, in \d/).waitFor();
    await page.getByLabel("Status").selectOption("Given up");
    await page.getByText("None given up; 5 are being retried.").waitFor();
    await page.getByLabel("Status").selectOption("Too old");
    await page.getByText("No delivery is too old.").waitFor();
    await page.getByLabel("Status").selectOption("Any");
    await page.getByRole("button", { name: "Try now" }).click();
    await page.getByText("It still fails (500). The receiver failed.").waitFor();
    hook.answer(200);
    await page.getByRole("button", { name: "Try now" }).click();
    await page.getByText("It answers: what waits is sent now, unless it is too old.").waitFor();
    // Not with the next look of the page, up to 10 s later.
    await page.getByText("Delivering", { exact: true }).waitFor({ timeout: 5_000 });
    await page
      .getByText(/^Everything that matched in the last 24 hours .* has arrived.*only a sample/)
      .waitFor();
    await row.getByText(/^Delivered after \d attempts$/).waitFor();
    await page.getByRole("tab", { name: "Replay" }).click();
    await page.getByText("given up since then (none was).").waitFor();
    assert.ok(await page.getByRole("button", { name: "Recover" }).isDisabled());
    assert.deepEqual(troubles, []);
  });

  test("an endpoint is never tried, fails since a time and for a reason, delivers, and is disabled", async () => {
    await using hook = await receiver();
    await hook.leave();
    const id = await house.webhook({ url: hook.url, description: "Moody", filters: { symbols: ["MSFT"] } });
    await using visit = await house.visit("webhooks");
    const { page, troubles } = visit;
    const row = page.getByRole("row").filter({ hasText: "Moody" });
    // Also after a test that failed.
    await send(`${id}/test`, "POST", {});
    await page.reload();
    await row.getByText("No delivery yet", { exact: true }).waitFor();
    const [pushed] = await house.service.push({ title: "Tried thrice", symbols: ["MSFT"] });
    await page.goto(`${house.service.url}/app/webhooks/${id}`);
    await page.getByText(/^Failing since \d\d:\d\d:\d\d$/).waitFor();
    await page.getByText(/^Last attempt \d\d:\d\d:\d\d: Connect refused\. $/).waitFor();
    const delivery = page.getByRole("row").filter({ hasText: "Tried thrice" });
    await delivery.getByText("Nothing listens at the address.").waitFor();
    assert.equal(await delivery.locator("[data-head=Latency]").textContent(), "—", "nobody answered");
    await delivery.getByRole("button", { name: "Details" }).click();
    await page.getByRole("dialog").getByText("Connect refused", { exact: true }).first().waitFor();
    await page.keyboard.press("Escape");
    hook.answer(500);
    await hook.comeBack();
    const resend = () => delivery.getByRole("button", { name: "Resend" }).click();
    await resend();
    await delivery.getByText("500 The receiver failed.").waitFor();
    await page.getByText(/^Last attempt \d\d:\d\d:\d\d: 500\. $/).waitFor();
    hook.answer(200);
    await resend();
    await delivery.getByText("Delivered after 3 attempts", { exact: true }).waitFor();
    await page.getByText("Delivering", { exact: true }).waitFor();
    await delivery.getByRole("button", { name: "Details" }).click();
    await page.getByRole("dialog").getByText("Nothing listens at the address.").first().waitFor();
    await page.goto(`${house.service.url}/app/item/${pushed?.id}?show=Delivered+to`);
    await page.getByText("Delivered after 3 attempts", { exact: true }).waitFor();
    await send(id, "PATCH", { enabled: false });
    await page.goto(`${house.service.url}/app/webhooks`);
    await row.getByText("Disabled", { exact: true }).waitFor();
    assert.deepEqual(troubles, []);
  });

  test("a paused endpoint says until when; the list, its page and the overview agree; what waits is pending", async () => {
    await using hook = await receiver();
    hook.answer(500);
    const id = await house.webhook({ url: hook.url, description: "Broken", filters: { symbols: ["ORCL"] } });
    await house.service.push(...[1, 2, 3, 4, 5].map((n) => ({ title: `Breaks ${n}`, symbols: ["ORCL"] })));
    await using visit = await house.visit("webhooks");
    const { page, troubles } = visit;
    const row = page.getByRole("row").filter({ hasText: "Broken" });
    await row.getByText(/: 500\. Paused until \d\d:\d\d:\d\d\.$/).waitFor();
    const [late] = await house.service.push({ title: "Comes during the pause", symbols: ["ORCL"] });
    await page.goto(`${house.service.url}/app/item/${late?.id}?show=Delivered+to`);
    await page.getByText(/^Pending: paused until \d\d:\d\d:\d\d$/).waitFor();
    await page.goto(`${house.service.url}/app/webhooks`);
    const wanted =
      "24 hours: 0 delivered, 0 given up. 5 wait for a retry. 1 new item still to check against its filter.";
    await row.getByText(wanted, { exact: true }).waitFor();
    await page.goto(`${house.service.url}/app/webhooks/${id}`);
    await page.getByText(wanted, { exact: true }).waitFor();
    await page.getByText(/, the next not before \d\d:\d\d:\d\d\.$/).waitFor();
    await page.goto(`${house.service.url}/app/overview`);
    const health = page.getByRole("region", { name: "Health", exact: true });
    // The endpoint of the first test delivers again.
    const endpoints = "1 of 2 webhook endpoints failing, 0 disabled by the service; ";
    await health.getByText(`${endpoints}1 failed in the last 24 hours, delivering again.`).waitFor();
    assert.deepEqual(troubles, []);
  });
});
