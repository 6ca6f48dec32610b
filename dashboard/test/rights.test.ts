import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Client } from "pg";
import type { Page } from "playwright-core";
import { z } from "zod";
import { systemClock } from "../../server/src/runtime/clock.ts";
import type { Browser } from "../../server/test/support/browser.ts";
import { postgresUrl } from "../../server/test/support/db.ts";
import { password, peopleOf } from "../../server/test/support/people.ts";
import { until } from "../../server/test/support/receiver.ts";
import { withoutChromium } from "./support/chromium.ts";
import { copyKey } from "./support/copy-key.ts";
import { held, refusedOnce } from "./support/requests.ts";
import { type House, openHouse } from "./support/visit.ts";

const withoutPostgres = postgresUrl === null ? "no PostgreSQL to change a person in" : false;

describe("rights, keys and limits on the dashboard", { skip: withoutChromium }, () => {
  let house: House;
  let aheadMs = 0;
  const { operator, inviteTo, joined } = peopleOf(() => house.service);
  before(async () => {
    house = await openHouse({ clock: { ...systemClock, now: () => new Date(Date.now() + aheadMs) } });
  });
  after(() => house[Symbol.asyncDispose]());

  /** A page of somebody who signed in elsewhere. */
  const visitAs = (browser: Browser, path: string) =>
    house.visit(path, { secret: null, before: (page) => carry(browser, page) });

  async function carry({ cookie }: Browser, page: Page): Promise<void> {
    const [name = "", value = ""] = cookie?.split("=") ?? [];
    await page.context().addCookies([{ name, value, url: house.service.url, sameSite: "Strict" }]);
  }

  test("a viewer sees what the account does and is offered nothing that changes it", async () => {
    const { account_id } = await house.service.key("pro");
    const { browser } = await joined(account_id, "viewer");
    await using keys = await visitAs(browser, "keys");
    await keys.page.getByRole("heading", { name: "Keys", level: 1 }).waitFor();
    await keys.page.getByText("A viewer sees no keys.").waitFor();
    for (const name of [/^Create/, /^Revoke/, /^Rotate/])
      assert.equal(await keys.page.getByRole("button", { name }).count(), 0, String(name));
    await using hooks = await visitAs(browser, "webhooks");
    await hooks.page.getByRole("heading", { name: "Webhooks", level: 1 }).waitFor();
    assert.equal(await hooks.page.getByRole("button", { name: /^Create/ }).count(), 0);
    // What the page does not offer is refused as well.
    const body = { name: "mine" };
    assert.equal(await browser.refused("POST", `/app/v1/accounts/${account_id}/keys`, body), "forbidden");
    assert.deepEqual([...keys.troubles, ...hooks.troubles], []);
  });

  test("a rotated key is shown once; the old one stays valid for the time that was chosen", async () => {
    await using visit = await house.visit("keys");
    const { page, troubles } = visit;
    await page.getByRole("button", { name: "Create a key" }).click();
    await page.getByLabel("Name").fill("to rotate");
    await page.getByRole("button", { name: "Create", exact: true }).click();
    const old = (await page.locator(".secret").textContent()) ?? "";
    await copyKey(page);
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: "Rotate to rotate" }).click();
    await page.getByLabel("The old key stays valid for").selectOption({ label: "15 minutes" });
    await page.getByRole("button", { name: "Make the new key" }).click();
    const made = (await page.locator(".secret").textContent()) ?? "";
    assert.match(made, /^tw_live_/);
    assert.notEqual(made, old);
    for (const key of [old, made]) assert.equal((await house.service.get("/v1/me", key)).status, 200);
    await copyKey(page);
    await page.getByRole("button", { name: "Close" }).click();
    // The first of two that cannot be revoked is told, and the second is left.
    await refusedOnce(page, "DELETE", "**/app/v1/keys/*");
    const row = page
      .getByRole("row")
      .filter({ hasText: `…${made.slice(-4)}` })
      .last();
    await row.getByRole("button", { name: "Revoke to rotate" }).click();
    await page.getByRole("dialog").getByRole("checkbox").check();
    // As soon as it is known that it was used lately, its name is asked for.
    const word = page.getByLabel(/to confirm/);
    if ((await word.count()) > 0) await word.fill("to rotate");
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await page.getByText("Too busy").waitFor();
    for (const key of [old, made]) assert.equal((await house.service.get("/v1/me", key)).status, 200);
    aheadMs += 16 * 60_000;
    assert.equal((await house.service.get("/v1/me", old)).status, 401);
    assert.equal((await house.service.get("/v1/me", made)).status, 200);
    assert.deepEqual(troubles, []);
  });

  test("scores used up for the day are said in words on the page of use", async () => {
    const { key } = await house.service.key("pro");
    for (let n = 0; n < 4; n += 1) {
      const answer = await fetch(`${house.service.url}/v1/score`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({
          artifact: { type: "news", title: "Acme Turbines wins an order", body: "It is large." },
        }),
      });
      assert.equal(answer.status, 200);
    }
    await using visit = await house.visit("usage", { secret: key });
    await visit.page.getByText("4 of 1,000").waitFor();
    assert.deepEqual(visit.troubles, []);
  });

  /** An account with an endpoint of this description. @returns its id */
  async function accountWith(description: string): Promise<string> {
    const { key, account_id } = await house.service.key("pro");
    await house.webhook({ url: "http://127.0.0.1:9/hook", description }, key);
    return account_id;
  }

  test("another account shows nothing of the one before, and its key is not used", async () => {
    const [one, two, three] = [
      await accountWith("Of one"),
      await accountWith("Of two"),
      await accountWith("Of three"),
    ];
    await using visit = await house.visit("webhooks", { before: (page) => page.clock.install() });
    const { page, troubles } = visit;
    const open = (id: string) => page.getByLabel("Account", { exact: true }).selectOption(id);
    const shown = (of: string) => page.getByRole("link", { name: of, exact: true });
    await open(one);
    await shown("Of one").waitFor();
    const list = await held(page, "**/v1/webhooks");
    await open(two);
    await list.asked;
    assert.equal(await shown("Of one").count(), 0);
    await list.go();
    await shown("Of two").waitFor();

    // A key is renewed in time, by the clock of the service; meanwhile another account is opened.
    const renewal = await held(page, "**/app/v1/token/renew");
    await page.clock.fastForward(aheadMs + 13 * 60_000);
    await renewal.asked;
    await open(one);
    await shown("Of one").waitFor();
    await renewal.go();
    await readAgain(page);
    await shown("Of one").waitFor();

    // The key of the second account comes when the third one is open.
    const token = await held(page, "**/app/v1/token");
    await open(two);
    await token.asked;
    await open(three);
    await shown("Of three").waitFor();
    await token.go();
    await readAgain(page);
    await shown("Of three").waitFor();
    assert.deepEqual(troubles, []);
  });

  test("views of another account are not offered", async () => {
    const { account_id: one } = await house.service.key("pro");
    const { account_id: two } = await house.service.key("pro");
    const root = await operator();
    const body = { name: "View of one", filters: {}, alert: null, shared: false };
    await root.ask(z.object({}), "POST", `/app/v1/accounts/${one}/views`, body);
    await using visit = await house.visit("feed");
    const { page } = visit;
    const view = page.getByRole("link", { name: "View of one" });
    await page.getByLabel("Account", { exact: true }).selectOption(one);
    await view.waitFor();
    const views = await held(page, `**/app/v1/accounts/${two}/views`);
    await page.getByLabel("Account", { exact: true }).selectOption(two);
    await views.asked;
    assert.equal(await view.count(), 0);
    await views.go();
  });

  test("who signs in again finds what was being written; another person does not", async () => {
    const { account_id } = await house.service.key("pro");
    const { browser, email } = await joined(account_id, "member");
    const other = await joined(account_id, "member");
    await using visit = await visitAs(browser, "score");
    const { page } = visit;
    const title = page.getByLabel("Title");
    const signInAs = async (who: string) => {
      await page.evaluate("fetch('/app/v1/session', { method: 'DELETE' }).then(({ status }) => status)");
      await page.getByRole("button", { name: "Score" }).click();
      await page.getByText("Your session has ended. Sign in to go on.").waitFor();
      await page.getByLabel("E-mail").fill(who);
      await page.getByLabel("Password").fill(password);
      await page.getByRole("button", { name: "Sign in" }).last().click();
      await page.locator(".sign-in").waitFor({ state: "detached" });
    };
    await title.fill("Only for me");
    await page.getByLabel("Text", { exact: true }).fill("A draft");
    await signInAs(email);
    assert.equal(await title.inputValue(), "Only for me");
    await signInAs(other.email);
    assert.equal(await title.inputValue(), "");
  });

  test("who is invited needs a new password, the one from before, or none while signed in", async () => {
    const { account_id: one } = await house.service.key("pro");
    const { account_id: two } = await house.service.key("pro");
    const { browser, email } = await joined(one, "member");
    const link = `#/invite/${await inviteTo(two, email, "member")}`;
    await using stranger = await house.visit(link, { secret: null });
    await stranger.page.getByLabel("Your password here, or a new one").waitFor();
    await using visit = await visitAs(browser, link);
    const { page, troubles } = visit;
    await page.getByText(/^You are invited to/).waitFor();
    assert.equal(await page.locator("input").count(), 0);
    await page.getByRole("button", { name: "Open the dashboard" }).click();
    await page.locator(".feed").waitFor();
    assert.equal(await page.getByLabel("Account", { exact: true }).locator("option").count(), 2);
    // It is used now.
    await page.goto(`${house.service.url}/app/${link}`);
    await page.getByText(/used before/).waitFor();
    await page.getByRole("button", { name: "Go on without it" }).click();
    await page.locator(".feed").waitFor();
    assert.deepEqual(troubles, []);
  });

  test("a sign-in that the identity provider refused is told, signed in or not", async () => {
    await using visit = await house.visit("?sign_in=failed", { secret: null });
    const told = /^The sign-in by your identity provider failed/;
    await visit.page.getByText(told).waitFor();
    await visit.page.getByLabel("API key or admin token").fill(house.key);
    await visit.page.getByRole("button", { name: "Sign in", exact: true }).first().click();
    await visit.page.locator(".feed").waitFor();
    assert.equal(await visit.page.getByText(told).count(), 0);
    await using other = await house.visit("?sign_in=failed");
    await other.page.getByText(told).waitFor();
    await other.page.locator(".feed").waitFor();
  });

  test("what was filled in stays when it could not be sent", async () => {
    await using visit = await house.visit("account?tab=People");
    const { page } = visit;
    await refusedOnce(page, "POST", "**/invites");
    await page.getByLabel("E-mail").fill("guest@example.com");
    await page.getByRole("button", { name: "Make an invitation" }).click();
    await page.getByText("Too busy").waitFor();
    assert.equal(await page.getByLabel("E-mail").inputValue(), "guest@example.com");
    await page.getByRole("button", { name: "Make an invitation" }).click();
    await page.getByText("Pass this link on.").waitFor();
    await until(async () => (await page.getByLabel("E-mail").inputValue()) === "", "the field is empty");
    await page.goto(`${house.service.url}/app/accounts`);
    await refusedOnce(page, "POST", "**/admin/v1/accounts");
    await page.getByLabel("New account", { exact: true }).fill("Of a friend");
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByText("Too busy").waitFor();
    assert.equal(await page.getByLabel("New account", { exact: true }).inputValue(), "Of a friend");
  });

  test("who could not be signed out is told; who was signed out elsewhere is let go", async () => {
    const { key } = await house.service.key("pro");
    await using visit = await house.visit("keys", { secret: key });
    const { page, troubles } = visit;
    await refusedOnce(page, "DELETE", "**/app/v1/session");
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByText("Too busy: you are still signed in").waitFor();
    await page.evaluate("fetch('/app/v1/session', { method: 'DELETE' }).then(({ status }) => status)");
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("API key or admin token").waitFor();
    assert.deepEqual(troubles, []);
  });

  test("where the sign-in is too old, the page offers another one", { skip: withoutPostgres }, async () => {
    const { account_id } = await house.service.key("pro");
    const { browser, personId } = await joined(account_id, "owner");
    await using visit = await visitAs(browser, "account?tab=You");
    const { page } = visit;
    await page.getByLabel("Password now").waitFor();
    await dropPassword(personId);
    aheadMs += 20 * 60_000;
    await page.getByLabel("Password now").fill("what it was");
    await page.getByLabel("New password").fill("a new and long password");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText(/Sign in again first/).waitFor();
    await page.getByRole("button", { name: "Sign in again" }).click();
    await page.getByText("Sign in again, then save once more.").waitFor();
  });

  /** As somebody is who came by an identity provider. */
  async function dropPassword(personId: string): Promise<void> {
    const client = new Client({ connectionString: house.service.config.databaseUrl ?? "" });
    await client.connect();
    await client.query("update people set password = null where id = $1", [personId]);
    await client.end();
  }
});

/** Goes to another screen and back; what is shown then was read now. */
async function readAgain(page: Page): Promise<void> {
  await page.getByRole("link", { name: /^Usage/ }).click();
  await page.getByRole("heading", { name: "Usage", level: 1 }).waitFor();
  const list = page.waitForResponse((answer) => answer.url().endsWith("/v1/webhooks"));
  await page.getByRole("link", { name: /^Webhooks/ }).click();
  await (await list).finished();
}
