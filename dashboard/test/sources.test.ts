import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { listenLocally } from "../../server/test/support/http.ts";
import { temporaryFolder, writeSources } from "../../server/test/support/process.ts";
import { withoutChromium } from "./support/chromium.ts";
import { type House, openHouse } from "./support/visit.ts";

const entry = (n: number) =>
  `<item><title>Brandmoor ${n}</title><guid>n-${n}</guid><pubDate>${new Date().toUTCString()}</pubDate></item>`;
const rss = `<rss version="2.0"><channel><title>t</title>${entry(1)}${entry(2)}</channel></rss>`;

describe("sources of the operator", { skip: withoutChromium }, () => {
  const stack = new AsyncDisposableStack();
  const houses: House[] = [];
  before(async () => {
    const feed = stack.use(
      await listenLocally((_, response) => {
        response.writeHead(200, { "content-type": "application/rss+xml" }).end(rss);
      }),
    );
    const common = { provider: "brandmoor", format: "feed", url: `${feed.origin}/feed` };
    const sourcesFile = writeSources(stack.use(temporaryFolder()).path, [
      { ...common, id: "read", name: "brandmoor" },
      { ...common, id: "silent", name: "brandmoor-silent", enabled: false },
    ]);
    houses.push(stack.use(await openHouse({ sourcesFile })));
  });
  after(() => stack.disposeAsync());

  test("while no source has brought an item, the overview says what its items are", async () => {
    await using folder = temporaryFolder();
    const entry = {
      id: "away",
      name: "away",
      provider: "away",
      format: "feed",
      url: "http://127.0.0.1:9/feed",
    };
    await using house = await openHouse({
      sourcesFile: writeSources(folder.path, [entry, { ...entry, id: "gone", name: "gone" }]),
    });
    await house.service.push({ title: "Pushed alone", symbols: ["AAPL"] });
    await using visit = await house.visit("overview");
    const health = visit.page.getByRole("region", { name: "Health", exact: true });
    await health.getByText(/All items here are pushed or of the demo wire\.$/).waitFor();
    await visit.page.goto(`${house.service.url}/app/sources`);
    await visit.page.getByText(/^2 sources: /).waitFor({ timeout: 20_000 });
    await visit.page.getByRole("row", { name: /^gone Failing/ }).waitFor();
    await visit.page.reload();
    await visit.page.getByRole("link", { name: /Sources 2 failing/ }).waitFor();
    assert.equal(await visit.page.locator(".advice").count(), 0, "what both need is told once");
    await visit.page.getByRole("button", { name: "gone", exact: true }).click();
    await visit.page
      .getByRole("dialog")
      .getByText(/; next try \d+ \w+,? \d\d:\d\d\./)
      .waitFor();
  });

  test("the stored responses of one source are read again by keyboard, and what changed is told", async () => {
    const [house] = houses;
    assert.ok(house !== undefined);
    await using visit = await house.visit("sources");
    const { page, troubles } = visit;
    await page.getByRole("row", { name: /^read .* 2 —$/ }).waitFor({ timeout: 20_000 });
    await page.getByRole("button", { name: "read", exact: true }).press("Enter");
    const stored = page
      .getByRole("dialog", { name: "read" })
      .getByRole("region", { name: "Stored responses" });
    await stored.getByRole("button", { name: "Try without storing" }).press("Enter");
    const status = stored.getByRole("status");
    await status.getByText("1 response read: 0 items would be created, 0 revised.").waitFor();
    await stored.getByLabel("Stored responses", { exact: true }).selectOption("All that are stored");
    await stored.getByRole("button", { name: "Replay" }).press("Enter");
    await status.getByText("1 response read: 0 items were created, 0 revised.").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "silent", exact: true }).click();
    const other = page.getByRole("dialog", { name: "silent" });
    await other.getByRole("button", { name: "Replay" }).press("Enter");
    await other.getByText("0 responses read: 0 items were created, 0 revised.").waitFor();
    assert.deepEqual(troubles, []);
  });
});
