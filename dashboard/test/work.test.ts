import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { z } from "zod";
import { until } from "../../server/test/support/receiver.ts";
import { withoutChromium } from "./support/chromium.ts";
import { copyKey } from "./support/copy-key.ts";
import { receiver } from "./support/receiver.ts";
import { type House, openHouse } from "./support/visit.ts";

const usedKeys = z.object({
  data: z.array(z.object({ last4: z.string(), last_used_at: z.string().nullable() })),
});

describe("work on the dashboard", { skip: withoutChromium }, () => {
  let house: House;
  before(async () => {
    house = await openHouse();
  });
  after(() => house[Symbol.asyncDispose]());

  test("a wrong key is refused in words; a right one opens the feed", async () => {
    await using visit = await house.visit("", { secret: null });
    const { page } = visit;
    await page.getByLabel("API key or admin token").fill("tw_live_wrong");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("No key or token with this text is valid.").waitFor();
    await page.getByLabel("API key or admin token").fill(house.key);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.locator(".feed").waitFor();
    await page.getByRole("link", { name: "People" }).click();
    await page.getByText("You are signed in as key of the test.").waitFor();
    await page.getByText("Signed in as key of the test", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("API key or admin token").waitFor();
    await page.addInitScript(`window.drawn = false;
      new MutationObserver(() => { drawn ||= document.querySelector(".rail") !== null; })
        .observe(document, { childList: true, subtree: true });`);
    await page.reload();
    await page.getByLabel("API key or admin token").waitFor();
    assert.equal(await page.evaluate("drawn"), false, "no screen is drawn for who has signed out");
  });

  test("a link of the operator's signs in with one click, once", async () => {
    const made = await house.service.admin("POST", "/admin/v1/sign-in-links");
    const { url } = z.object({ url: z.string() }).parse(await made.json());
    const link = url.slice(url.indexOf("#"));
    await using visit = await house.visit(link, { secret: null });
    await visit.page.getByText("This link signs you in as the operator of this service.").waitFor();
    await visit.page.getByRole("button", { name: "Open the dashboard" }).click();
    await visit.page.locator(".feed").waitFor();
    assert.doesNotMatch(visit.page.url(), /#/);
    await using again = await house.visit(link, { secret: null });
    await again.page.getByText(/used before/).waitFor();
  });

  test("a key is made, shown once, tested on the spot, and revoked", async () => {
    await using visit = await house.visit("keys");
    const { page, troubles } = visit;
    await page.getByRole("button", { name: "Create a key" }).click();
    await page.getByLabel("Name").fill("notebook");
    await page.getByRole("button", { name: "Create", exact: true }).click();
    const secret = (await page.locator(".secret").textContent()) ?? "";
    assert.match(secret, /^tw_live_/);
    await page.getByRole("button", { name: "Test it" }).click();
    await page.getByText("Tested: 200, plan enterprise").waitFor();
    // At the third in a row the browser closes a dialog without asking the page.
    for (const nth of [1, 2, 3]) {
      await page.keyboard.press("Escape");
      await until(() => troubles.length === nth, "the page asks whether the key is copied");
      assert.ok(await page.locator(".secret").isVisible());
    }
    const asked = "dialog: The key is shown only now. Close without copying it?";
    assert.deepEqual(troubles, [asked, asked, asked]);
    await copyKey(page);
    await page.keyboard.press("Escape");
    await page.getByRole("cell", { name: "notebook", exact: true }).waitFor();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    assert.equal(await page.getByText(secret).count(), 0);
    assert.equal((await house.service.get("/v1/me", secret)).status, 200);
    await page.getByRole("button", { name: "Revoke notebook" }).click();
    // A key that was used lately asks for its name; the time of the last use is known a moment later.
    const word = page.getByLabel(/to confirm/);
    if ((await word.count()) > 0) await word.fill("notebook");
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await page.getByText("Revoked", { exact: true }).waitFor();
    const expires = page.getByRole("row", { name: /^notebook/ }).locator("[data-head=Expires]");
    assert.equal(await expires.textContent(), "—", "it has ended");
    await page.getByText(/requests? today, by all keys and by this dashboard$/).waitFor();
    assert.equal((await house.service.get("/v1/me", secret)).status, 401);
    assert.equal(troubles.length, 3);
  });

  test("of a rotated key is said which one took its place; to revoke one in use its name is typed first", async () => {
    await using visit = await house.visit("keys?create=1");
    const { page, troubles } = visit;
    await page.getByLabel("Name").fill("desk");
    await page.getByRole("button", { name: "Create", exact: true }).click();
    const before = (await page.locator(".secret").textContent()) ?? "";
    await page.getByRole("button", { name: "Test it" }).click();
    await page.getByText("Tested: 200, plan enterprise").waitFor();
    await copyKey(page);
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: "Rotate desk" }).click();
    await page
      .getByRole("heading", { name: `Rotate desk · ${before.slice(0, 12)}…${before.slice(-4)}` })
      .waitFor();
    await page.getByRole("button", { name: "Make the new key" }).click();
    await page.locator(".secret").waitFor();
    const made = (await page.locator(".secret").textContent()) ?? "";
    await copyKey(page);
    await page.getByRole("button", { name: "Close" }).click();
    const row = page.getByRole("row").filter({ hasText: `…${before.slice(-4)}` });
    await row
      .getByText(new RegExp(`^Replaced by …${made.slice(-4)}, works until \\d+ \\w+, \\d\\d:\\d\\d$`))
      .waitFor();
    // When it was last used is saved every ten seconds.
    await until(async () => {
      const keys = usedKeys.parse(await (await house.service.admin("GET", "/admin/v1/keys")).json());
      return keys.data.some(({ last4, last_used_at: at }) => last4 === before.slice(-4) && at !== null);
    }, "the use is saved");
    await page.reload();
    await row.getByRole("button", { name: "Revoke desk" }).click();
    const revoke = page.getByRole("dialog").getByRole("button", { name: "Revoke" });
    assert.ok(await revoke.isDisabled());
    await page.getByLabel(/to confirm/).fill("desk");
    await revoke.click();
    await row.getByText("Revoked", { exact: true }).waitFor();
    assert.deepEqual(troubles, []);
  });

  test("who revokes a key is told that the key which it replaced still works, and may revoke both", async () => {
    await using visit = await house.visit("keys?create=1");
    const { page, troubles } = visit;
    await page.getByLabel("Name").fill("pair");
    await page.getByRole("button", { name: "Create", exact: true }).click();
    const before = (await page.locator(".secret").textContent()) ?? "";
    await copyKey(page);
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: "Rotate pair" }).click();
    await page.getByRole("button", { name: "Make the new key" }).click();
    await page.locator(".secret").waitFor();
    const made = (await page.locator(".secret").textContent()) ?? "";
    await copyKey(page);
    await page.getByRole("button", { name: "Close" }).click();
    const row = (key: string) =>
      page.getByRole("row").filter({ hasText: `${key.slice(0, 12)}…${key.slice(-4)}` });
    await row(made).getByRole("button", { name: "Revoke pair" }).click();
    const dialog = page.getByRole("dialog");
    await dialog
      .getByText(/, which this key replaced, still works until \d+ \w+, \d\d:\d\d\. Revoke it too$/)
      .waitFor();
    assert.equal((await house.service.get("/v1/me", before)).status, 200, "it works for a day");
    await dialog.getByRole("checkbox").check();
    await dialog.getByRole("button", { name: "Revoke" }).click();
    for (const key of [made, before]) await row(key).getByText("Revoked", { exact: true }).waitFor();
    for (const key of [made, before]) assert.equal((await house.service.get("/v1/me", key)).status, 401);
    assert.deepEqual(troubles, []);
  });

  test("the lines that connect an agent lead to this service", async () => {
    await using visit = await house.visit("keys");
    const { page, troubles } = visit;
    await page.getByRole("heading", { name: "Connect an agent" }).waitFor();
    const shown = page.locator("pre code");
    assert.match((await shown.textContent()) ?? "", /^claude mcp add --transport http tapewire http/);
    await page.getByRole("tab", { name: "VS Code" }).click();
    const servers = z.object({ servers: z.object({ tapewire: z.object({ url: z.url() }) }) });
    const { url } = servers.parse(JSON.parse((await shown.textContent()) ?? "")).servers.tapewire;
    assert.equal((await fetch(url, { method: "POST" })).status, 401);
    await page.getByRole("tab", { name: "Cursor" }).click();
    assert.match((await shown.textContent()) ?? "", /"Bearer \$\{env:TAPEWIRE_KEY\}"/);
    assert.deepEqual(troubles, []);
  });

  test("a webhook is made from a filter, delivers, fails in words, and sends again", async () => {
    await using hook = await receiver();
    await using visit = await house.visit("webhooks?create=1&symbol=AAPL");
    const { page } = visit;
    await page.getByLabel("URL").fill(hook.url);
    await page.getByLabel("Description").fill("Trading desk");
    await page.getByRole("button", { name: "Create", exact: true }).click();
    await page.getByText("The endpoint is made.").waitFor();
    await page.getByText("Symbol: AAPL").waitFor();
    await page.getByText("Stops retrying after 24 h.").waitFor();
    await page.getByRole("tab", { name: "Try" }).click();
    await page.getByRole("button", { name: "Send a test event" }).click();
    await page.getByText("Delivered.").waitFor();
    hook.answer(503);
    await house.service.push({ title: "For the webhook", symbols: ["AAPL"] });
    await page.getByRole("tab", { name: "Deliveries" }).click();
    await page.getByRole("button", { name: /For the webhook/ }).click();
    await page.getByText("The receiver failed.").first().waitFor();
    await page.getByText(/"title": "For the webhook"/).waitFor();
    hook.answer(200);
    await page.getByRole("dialog").getByRole("button", { name: "Resend" }).click();
    await page.getByRole("dialog").getByText("Queued. It is sent within seconds.").waitFor();
    // After a failure the endpoint is paused for some seconds, and the list is read every five.
    // A retry that was under way when the resend was ordered may have arrived, too.
    await page.getByRole("dialog").getByText("Delivered.").first().waitFor({ timeout: 60_000 });
    assert.ok(hook.received() >= 3);
  });

  test("every screen is reached and worked by keyboard alone", async () => {
    await house.service.push(
      { title: "Found by keys", symbols: ["AAPL"] },
      { title: "The newest", symbols: ["AAPL"] },
    );
    await using visit = await house.visit("feed");
    const { page } = visit;
    await page.getByText("Found by keys", { exact: true }).waitFor();
    for (const [keys, heading] of [
      ["gk", "Keys"],
      ["gu", "Usage"],
      ["gw", "Webhooks"],
      ["gs", "Symbols"],
      ["go", "Overview"],
    ] as const) {
      for (const key of keys) await page.keyboard.press(key);
      await page.getByRole("heading", { level: 1, name: heading }).waitFor();
    }
    await page.keyboard.press("g");
    await page.keyboard.press("f");
    await page.locator(".line").first().waitFor();
    await page.keyboard.press("j");
    await page.locator(".item-panel .title").waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".item-panel").waitFor({ state: "detached" });
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Shortcuts and settings" }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("/");
    await page.getByRole("combobox", { name: "Find" }).waitFor();
    await page.keyboard.type("usage");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Usage" }).waitFor();
  });

  test("newest items that cannot be read are said in words", async () => {
    const { key } = await house.service.key("free");
    const failure = {
      title: "Overloaded",
      detail: "The list takes too long",
      status: 503,
      code: "overloaded",
    };
    await using visit = await house.visit("feed", {
      secret: key,
      before: async (page) => {
        await page.route("**/v1/feeds?*", (route) =>
          route.fulfill({ status: 503, contentType: "application/problem+json", json: failure }),
        );
      },
    });
    await visit.page.getByText("Stored items could not be read: The list takes too long").waitFor();
  });

  test("on the free plan scores are locked in words, and the rest works", async () => {
    const { key } = await house.service.key("free");
    await house.service.push({ title: "Seen on the free plan", symbols: ["AAPL"] });
    // The tab knows its account from an earlier visit, and its key comes before the session's facts.
    const facts = Promise.withResolvers<void>();
    await using visit = await house.visit("feed", {
      secret: key,
      before: async (page) => {
        await page.route("**/app/v1/session", (route) => facts.promise.then(() => route.continue()));
      },
    });
    const { page } = visit;
    await page.getByText("Watching uses your 50 live items a day (50 left).").waitFor();
    facts.resolve();
    await page.getByRole("button", { name: "Watch", exact: true }).click();
    await page.getByText("Scores are not part of this plan").waitFor();
    await page.getByText("Seen on the free plan", { exact: true }).waitFor();
    assert.ok((await page.locator(".line").first().getByText("locked").count()) > 0);
    await page.goto(`${house.service.url}/app/score`);
    await page.getByText("part of the pro plan and higher").waitFor();
  });

  test("at the daily cap the feed says so, when it goes on, and where the plans are", async () => {
    const { key } = await house.service.key("free");
    await using visit = await house.visit("feed", { secret: key });
    const { page, troubles } = visit;
    await page.getByRole("button", { name: "Watch", exact: true }).click();
    await page.getByText("Seen on the free plan", { exact: true }).waitFor();
    await house.service.push(
      ...Array.from({ length: 51 }, (_, at) => ({ title: `Up to the cap ${at}`, symbols: ["AAPL"] })),
    );
    await page.getByText(/Today's 50 live items are used up\. They go on in/).waitFor();
    await using other = await house.visit("usage", { secret: key });
    const share = (of: string) => other.page.locator(".share", { hasText: of });
    await share("Live items").getByText("Used up until the reset.").waitFor();
    // What is held waits for no reset.
    await share("Open streams").getByText("Used up.", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Usage and plans" }).click();
    await page.getByRole("heading", { level: 1, name: "Usage" }).waitFor();
    assert.deepEqual(troubles, []);
  });
});
