import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { z } from "zod";
import { systemClock } from "../../server/src/runtime/clock.ts";
import { startReceivers, until } from "../../server/test/support/receiver.ts";
import { withoutChromium } from "./support/chromium.ts";
import { type House, openHouse } from "./support/visit.ts";

const minuteMs = 60_000;
const body = z.looseObject({ type: z.literal("feed.scored"), latency: z.unknown() });
const request = z.object({ request: z.object({ body: z.string() }) });

describe("the past on the dashboard", { skip: withoutChromium }, () => {
  let house: House;
  let aheadMs = -60 * minuteMs;
  const nowMs = () => Date.now() + aheadMs;
  const began = new Date(nowMs() - 1_000).toISOString();
  const until50 = new Date(nowMs() + 10 * minuteMs).toISOString();
  before(async () => {
    house = await openHouse({ clock: { ...systemClock, now: () => new Date(nowMs()) } });
    await push("First of the hour", "AAPL");
    aheadMs += minuteMs;
    await push("Second of the hour", "MSFT");
    aheadMs += 39 * minuteMs;
    await push("After a long silence", "AAPL");
    aheadMs = 0;
  });
  after(() => house[Symbol.asyncDispose]());

  const push = (title: string, symbol: string, more: object = {}) =>
    house.service.push({ title, external_id: title, symbols: [symbol], ...more });
  const titles = (page: Page) => page.locator(".line .headline").allTextContents();
  const shows = (page: Page, wanted: readonly string[]) =>
    until(async () => JSON.stringify(await titles(page)) === JSON.stringify(wanted), `${wanted} are shown`);

  test("a replay runs as the feed did, shows nothing that comes now, and leads back to live", async () => {
    await using visit = await house.visit(`replay?from=${began}&speed=100&stopped=1`);
    const { page, troubles } = visit;
    await page.getByText("No item has come yet.").waitFor();
    await page.getByRole("button", { name: /^Play/ }).click();
    await shows(page, ["Second of the hour", "First of the hour"]);
    await push("Comes now", "AAPL");
    await page.getByRole("button", { name: "Next item" }).click();
    await shows(page, ["After a long silence", "Second of the hour", "First of the hour"]);
    await page.getByRole("button", { name: "Next item" }).click();
    await page.getByText(/At the end · 3 items/).waitFor();
    await page.getByText("3 items so far").waitFor();
    assert.equal(await page.title(), "Replay · Tapewire");
    await page.getByRole("link", { name: "Back to live" }).click();
    await page.locator(".line").getByText("Comes now", { exact: true }).waitFor();
    assert.deepEqual(troubles, []);
  });

  test("a replay holds its place, its speed and its filter in the address", async () => {
    await using visit = await house.visit(`replay?from=${began}&to=${until50}&speed=7&stopped=1&symbol=MSFT`);
    const { page } = visit;
    const place = page.getByLabel("Time of the replay");
    await page.getByText("No item has come yet.").waitFor();
    await page.getByRole("button", { name: "Next item" }).click();
    await shows(page, ["Second of the hour"]);
    // Asked for while nobody knows yet what follows.
    const held = Promise.withResolvers<void>();
    await page.route("**/v1/replay?*", (route) => held.promise.then(() => route.continue()));
    await place.fill(String(Date.parse(began)));
    await page.getByText("No item has come yet.").waitFor();
    await page.getByRole("button", { name: "Next item" }).click();
    held.resolve();
    await shows(page, ["Second of the hour"]);
    await page.getByText(/^Stopped/).waitFor();
    await place.fill(String(Date.parse(began) + 5 * minuteMs));
    await page.getByText("No item has come yet.").waitFor();
    const clock = await page.locator(".replay-clock strong").textContent();
    await page.reload();
    await page.getByText(/^Stopped/).waitFor();
    assert.equal(await page.locator(".replay-clock strong").textContent(), clock);
    assert.equal(await page.getByLabel("Speed").inputValue(), "7");
    await page.getByRole("button", { name: /^Remove Symbol/ }).click();
    await page.getByRole("button", { name: "Next item" }).click();
    await page.getByText("No item came in this time.").waitFor();
  });

  test("a replay is chosen, run, stopped and left by keyboard; an item is shown as it was then", async () => {
    await using visit = await house.visit("feed");
    const { page } = visit;
    await page.locator(".line").first().waitFor();
    for (const key of "gt") await page.keyboard.press(key);
    await page.getByRole("heading", { level: 1, name: "Replay" }).waitFor();
    await page.getByRole("button", { name: "Last 15 minutes" }).press("Enter");
    await page.getByRole("button", { name: "Begin there" }).press("Enter");
    const first = await page
      .locator("p", { hasText: "First item:" })
      .locator("time")
      .getAttribute("datetime");
    // The pages are those of a viewer in Kolkata.
    const local = new Date(Date.parse(first ?? "") + 330 * minuteMs).toISOString().slice(0, 19);
    await until(async () => (await page.getByLabel("From").inputValue()) === local, "it begins there");
    await page.getByRole("button", { name: "Last 24 hours" }).press("Enter");
    await page.getByLabel("Speed").press("Enter");
    await page.getByRole("button", { name: "Play", exact: true }).press("Enter");
    await page.getByText(/^(Playing|Reading)/).waitFor();
    await page.locator("body").press("n");
    await shows(page, ["First of the hour"]);
    await page.keyboard.press("Space");
    await page.getByText(/^Stopped/).waitFor();
    await page.keyboard.press("j");
    await page.getByText(/^As it was on/).waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".item-panel").waitFor({ state: "detached" });
    for (const key of "gf") await page.keyboard.press(key);
    await page.locator(".link-state").waitFor();
  });

  test("plans without replay are told which plan has it, before and after they ask", async () => {
    const { key } = await house.service.key("starter");
    await using visit = await house.visit("replay", { secret: key });
    const { page } = visit;
    await page.getByText("Replay is part of the pro plan and higher.").waitFor();
    assert.ok(await page.getByRole("button", { name: "Play", exact: true }).isDisabled());
    await page.goto(`${house.service.url}/app/replay?from=${began}`);
    await page.getByRole("note").waitFor();
  });

  test("with a range of time the feed is a list that stands still, and says so", async () => {
    await using visit = await house.visit(`feed?since=${began}&until=${until50}`);
    const { page, troubles } = visit;
    await shows(page, ["Second of the hour", "First of the hour"]);
    await page.keyboard.press("f");
    await page.getByText(/a stream has no range of time/).waitFor();
    await page.getByText("Matches 2 of 2 items in this time", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Play this time instead" }).waitFor();
    await page.getByRole("button", { name: "Code" }).click();
    await page
      .getByRole("dialog")
      .getByText(/since=/)
      .waitFor();
    await page.getByRole("tab", { name: "WebSocket" }).click();
    await page.getByText(/It has no range of time/).waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".feed-bar").getByRole("button", { name: "Back to live" }).click();
    await page.locator(".line").getByText("After a long silence", { exact: true }).waitFor();
    assert.deepEqual(troubles, []);
  });

  test("a time is typed key by key, and holds when Enter is pressed or the field is left", async () => {
    await using visit = await house.visit("feed?filter=open");
    const { page } = visit;
    const addresses: string[] = [];
    page.on("framenavigated", (frame) => addresses.push(frame.url()));
    const from = page.getByLabel("From");
    const holds = (text: string) => until(() => page.url().includes(text), `${text} is in the address`);
    /** Most parts lead on to the next one; a year may have more digits. */
    const type = async (day: string) => {
      await page.keyboard.type(day);
      await page.keyboard.press("ArrowRight");
      await page.keyboard.type("093000AM");
    };
    await from.focus();
    await type("06152026");
    assert.equal(await from.inputValue(), "2026-06-15T09:30");
    assert.deepEqual(addresses, []);
    await page.keyboard.press("Enter");
    await holds("since=2026-06-15T04%3A00%3A00.000Z");
    await page.getByLabel("Before").focus();
    await type("06162026");
    assert.equal(addresses.length, 1, "left as it was, it asks for nothing");
    await from.focus();
    await holds("until=2026-06-16T04%3A00%3A00.000Z");
    // What is left half empty is empty.
    await page.keyboard.press("Backspace");
    await page.getByLabel("Before").focus();
    await until(() => !page.url().includes("since="), "it has no beginning");
    await from.focus();
    await page.keyboard.type("07");
    await page.getByLabel("Before").focus();
    await from.focus();
    await type("06152026");
    assert.equal(await from.inputValue(), "2026-06-15T09:30");
    assert.equal(addresses.length, 3);
  });

  test("a saved view counts what came since it was last open", async () => {
    await using visit = await house.visit("feed?symbol=NFLX");
    const { page } = visit;
    await page.locator(".tape").waitFor();
    await page.getByRole("button", { name: "Save view" }).click();
    assert.equal(await page.getByLabel("Name").inputValue(), "Symbol: NFLX");
    // What is filled in is chosen: it is written over, or kept.
    await page.keyboard.type("Streaming");
    await page
      .getByLabel("Alert me: a notification and a sound while Live is open and shows the item")
      .check();
    // The operator is no person, and has no view that is theirs alone.
    await page.getByText("Everybody of the account sees it: you are signed in as operator.").waitFor();
    assert.equal(await page.getByLabel(/^Shared/).count(), 0);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    const blocked = "The browser blocks notifications for this page: only the sound and the count in the tab";
    await page.getByText(`View Streaming saved. ${blocked}`).waitFor();
    await page.getByRole("button", { name: "Save view" }).waitFor({ state: "detached" });
    const tab = page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: /^Streaming/ });
    await tab.waitFor();
    assert.equal(await tab.getAttribute("aria-current"), "page");
    await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "All" }).click();
    await push("Of the view", "NFLX");
    const counted = tab.getByText("1 new");
    await counted.waitFor();
    await tab.click();
    await page.getByText("Of the view", { exact: true }).waitFor();
    await counted.waitFor({ state: "detached" });
    // The list of views leads back to the filter that the feed had.
    for (const key of "gv") await page.keyboard.press(key);
    await page.getByRole("button", { name: "Delete Streaming" }).waitFor();
    assert.equal(await page.getByLabel("Share with the account Streaming").count(), 0);
    await page.getByText("Alerts come while Live is open and shows the item.").waitFor();
    const sound = page.getByLabel("Sound of Streaming");
    assert.ok(await sound.isChecked());
    const alert = page.getByLabel("Alert of Streaming");
    await alert.click();
    await page.getByText("Alert off").waitFor();
    await alert.click();
    await page.getByText(blocked).waitFor();
    assert.ok(await sound.isChecked());
    await page.getByRole("link", { name: "Make one from a filter" }).click();
    await page.locator(".filter-panel").getByRole("button", { name: "Save view" }).waitFor();
    await page.getByRole("button", { name: "Remove Symbol: NFLX" }).waitFor();
  });

  test("a revised item is shown as it was in each of its versions, with what changed", async () => {
    const item = { external_id: "revised", body: "Orders rose 12%." };
    await push("A first version", "AAPL", item);
    await push("A second version", "AAPL", item);
    const [third] = await push("A third version", "AAPL", item);
    // A version that is scored again stays one.
    const again = { since: new Date(nowMs() - minuteMs).toISOString(), model: "pro" };
    assert.equal((await house.service.admin("POST", "/admin/v1/rescore", again)).status, 200);
    await using visit = await house.visit(`item/${third?.id}?show=Versions`);
    const { page, troubles } = visit;
    await page.getByText("Version 3 of 3").waitFor();
    await page.getByRole("cell", { name: "A second version" }).waitFor();
    await page.locator("input.versions").fill("0");
    await page.locator(".item .title", { hasText: "A first version" }).waitFor();
    await page.getByText(/^As it was on/).waitFor();
    await page.reload();
    await page.getByText("Version 1 of 3").waitFor();
    await page.getByRole("button", { name: "Show the newest" }).click();
    await page.locator(".item .title", { hasText: "A third version" }).waitFor();
    assert.deepEqual(troubles, []);
  });

  test("a repeat says what it repeats, and its first says who repeats it", async () => {
    const text = {
      body: "The company raised its full-year revenue guidance to $4.1 billion from $3.6 billion.",
    };
    const title = "Orbitex Robotics raises its full-year revenue guidance after record orders";
    const [first] = await push(title, "DEMO:OBTX", { ...text, external_id: "told" });
    const [copy] = await push(title, "DEMO:OBTX", { ...text, external_id: "told again" });
    await using visit = await house.visit(`item/${copy?.id}`);
    const { page } = visit;
    const novelty = page.getByRole("region", { name: "Novelty" });
    await novelty.getByText(/A repeat:/).waitFor();
    await novelty.getByRole("link", { name: title }).first().click();
    await page.waitForURL(`**/item/${first?.id}`);
    await novelty.getByText(/^New: no item of the 48 hours/).waitFor();
    await novelty.getByText("1 other item of this story").waitFor();
  });

  test("an item says which endpoints it went to and how, sends again, and shows what each interface carries", async () => {
    await using receivers = await startReceivers({ "/ok": () => 204, "/no": () => 410 });
    const id = await house.webhook({ url: receivers.url("/ok"), filters: { symbols: ["TSLA"] } });
    await house.webhook({ url: receivers.url("/no"), description: "Gone", filters: { symbols: ["TSLA"] } });
    await house.webhook({
      url: receivers.url("/ok"),
      description: "Of others",
      filters: { symbols: ["IBM"] },
    });
    const [item] = await push("Delivered to some", "TSLA");
    await until(() => receivers.at("/ok").length > 0 && receivers.at("/no").length > 0, "both were sent to");
    await using visit = await house.visit(`item/${item?.id}?show=Delivered+to`);
    const { page, troubles } = visit;
    const row = (name: string) => page.getByRole("row").filter({ hasText: name });
    await row("/ok").getByText("Delivered after 1 attempt", { exact: true }).waitFor();
    await row("Gone").getByText("410").waitFor();
    assert.equal(await row("Of others").count(), 0);
    await page.getByRole("button", { name: `Resend to ${receivers.url("/ok")}` }).click();
    await until(() => receivers.at("/ok").length === 2, "it was sent again");

    await page.getByRole("tab", { name: "JSON" }).click();
    await page.getByRole("button", { name: "Webhook" }).click();
    await page.locator("pre", { hasText: "feed.scored" }).waitFor();
    const shown = body.parse(JSON.parse((await page.locator("pre").textContent()) ?? ""));
    const delivery = receivers.at("/ok")[0]?.id;
    const read = await house.service.get(`/v1/webhooks/${id}/deliveries/${delivery}`, house.key);
    const sent = body.parse(JSON.parse(request.parse(await read.json()).request.body));
    assert.deepEqual({ ...shown, latency: null }, { ...sent, latency: null });
    await page.getByRole("button", { name: "Stream" }).click();
    await page.locator("pre", { hasText: '"type": "feed"' }).waitFor();
    assert.deepEqual(troubles, []);
  });
});
