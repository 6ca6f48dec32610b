/** The live feed where something fails: the stream, its key, the list beside it, or the room for rows. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { until } from "../../server/test/support/receiver.ts";
import { withoutChromium } from "./support/chromium.ts";
import { type House, openHouse } from "./support/visit.ts";

/** The service ends a stream with this code when its key ends. */
const keyEnded = 4501;

/** Gives a page a function that makes many items come by its stream, each like the last one that came. */
const flooding = `
  let socket, last;
  const Real = WebSocket;
  WebSocket = class extends Real {
    constructor(url) {
      super(url);
      socket = this;
      this.addEventListener("message", ({ data }) => { if (data.startsWith('{"type":"feed"')) last = data; });
    }
  };
  window.flood = async (count) => {
    const frame = JSON.parse(last);
    for (let at = 0; at < count; at++) {
      const published_at = new Date(Date.now() + at).toISOString();
      const data = { ...frame.data, id: crypto.randomUUID(), title: "Flood " + at, published_at };
      socket.dispatchEvent(new MessageEvent("message", { data: JSON.stringify({ ...frame, snapshot: false, data }) }));
      // More than a thousand that wait would stop the stream.
      if (at % 200 === 0) await new Promise((resolve) => setTimeout(resolve));
    }
  };`;

/** What stands between a page and its stream. */
interface Wire {
  /** Connections so far. */
  opened: number;
  /** The service does not know where the page stopped, and does not send this title. */
  withheld: string | null;
  /** The service ends each connection, as it does when the key has ended. */
  isKeyEnded: boolean;
  cut: (code: number) => void;
  send: (text: string) => void;
}

async function wireOf(page: Page): Promise<Wire> {
  const wire: Wire = { opened: 0, withheld: null, isKeyEnded: false, cut: () => {}, send: () => {} };
  await page.routeWebSocket(/\/v1\/stream/, (client) => {
    wire.opened++;
    const server = client.connectToServer();
    wire.cut = (code) => {
      void server.close();
      void client.close({ code, reason: "cut by the test" });
    };
    wire.send = (text) => client.send(text);
    server.onMessage((message) => {
      const text = String(message);
      if (wire.isKeyEnded) {
        client.send(text);
        return wire.cut(keyEnded);
      }
      if (wire.withheld === null) return client.send(text);
      // The log of the service is whole: what it would resume with is held back here.
      if (!text.includes(wire.withheld))
        client.send(text.replace('"resumed":true', '"resumed":false,"reason":"cursor_expired"'));
    });
  });
  return wire;
}

describe("the live feed over faults", { skip: withoutChromium }, () => {
  let house: House;
  let publishedMs = Date.now() - 3_600_000;
  const push = (titles: readonly string[], more: object = {}) =>
    house.service.push(
      ...titles.map((title) => {
        publishedMs += 1_000;
        const published_at = new Date(publishedMs).toISOString();
        return { title, external_id: title, symbols: ["AAPL"], published_at, ...more };
      }),
    );
  const many = (title: string, count: number) => Array.from({ length: count }, (_, at) => `${title} ${at}`);
  const shown = (page: Page, title: string) => page.locator(".line").getByText(title, { exact: true });
  const toTheEnd = (page: Page) =>
    page.evaluate("document.querySelector('.tape').scrollTo({ top: 1e7, behavior: 'instant' })");
  const noOlder = (page: Page) => page.getByText("There are no older items.");

  before(async () => {
    house = await openHouse();
    await push(["The oldest of all", "The newest before"]);
  });
  after(() => house[Symbol.asyncDispose]());

  test("rows that had no room are read again, below the oldest that is left", async () => {
    await using visit = await house.visit("feed", {
      before: async (page) => {
        await page.addInitScript(flooding);
      },
    });
    const { page } = visit;
    await noOlder(page).waitFor();
    await page.evaluate("flood(5_600)");
    await shown(page, "Flood 5599").waitFor();
    const isRead = async () => {
      await toTheEnd(page);
      return (await shown(page, "The oldest of all").count()) === 1;
    };
    await until(isRead, "the oldest item is read again");
    await noOlder(page).waitFor();
  });

  test("a key that cannot be had is waited for, and the feed resumes where it stopped", async () => {
    let wire: Wire | undefined;
    const service = { isDown: false, refused: 0 };
    await using visit = await house.visit("feed", {
      before: async (page) => {
        wire = await wireOf(page);
        await page.route("**/app/v1/token", (route) => {
          if (!service.isDown) return route.continue();
          service.refused++;
          return route.abort();
        });
      },
    });
    const { page, troubles } = visit;
    await shown(page, "The newest before").waitFor();
    assert.ok(wire);
    service.isDown = true;
    wire.isKeyEnded = true;
    wire.cut(keyEnded);
    await until(() => service.refused > 0, "the key is refused");
    await page.getByRole("button", { name: /^Reconnecting/ }).waitFor();
    await push(["Came while there was no key"]);
    service.isDown = false;
    wire.isKeyEnded = false;
    await page.evaluate("dispatchEvent(new Event('online'))");
    await shown(page, "Came while there was no key").waitFor();
    await page.getByRole("button", { name: "Live", exact: true }).waitFor();
    assert.equal(await page.locator(".banner.wrong").count(), 0);
    assert.equal(await page.getByRole("button", { name: /missing here/ }).count(), 0);
    assert.deepEqual(troubles, []);
  });

  test("after a session has ended, signing in goes on with the feed", async () => {
    let wire: Wire | undefined;
    await using visit = await house.visit("feed", {
      before: async (page) => {
        wire = await wireOf(page);
      },
    });
    const { page } = visit;
    await shown(page, "The newest before").waitFor();
    await page.context().clearCookies();
    wire?.cut(keyEnded);
    await page.getByText("Your session has ended. Sign in to go on.").waitFor();
    await page.getByRole("button", { name: "Lost" }).waitFor();
    await push(["Came while nobody was signed in"]);
    await page.getByLabel("API key or admin token").fill(house.service.adminToken);
    await page.keyboard.press("Enter");
    await shown(page, "Came while nobody was signed in").waitFor();
    await page.getByRole("button", { name: "Live", exact: true }).waitFor();
    assert.equal(await page.locator(".banner.wrong").count(), 0);
  });

  test("a key that is still valid is kept when its renewal fails, and the renewal is tried again", async () => {
    const asked = { keys: 0, renewals: 0 };
    await using visit = await house.visit("feed", {
      before: async (page) => {
        await page.clock.install();
        await page.route("**/app/v1/token", (route) => {
          asked.keys++;
          return route.continue();
        });
        await page.route("**/app/v1/token/renew", (route) =>
          ++asked.renewals === 1 ? route.abort() : route.continue(),
        );
      },
    });
    const { page } = visit;
    await shown(page, "The newest before").waitFor();
    await page.clock.fastForward(13 * 60_000);
    await until(() => asked.renewals === 1, "the renewal fails");
    const isAgain = async () => {
      await page.clock.fastForward(5_000);
      return asked.renewals > 1;
    };
    await until(isAgain, "the renewal is tried again");
    assert.equal(asked.keys, 1);
  });

  test("a page that is looked at while its key is under way opens one stream", async () => {
    let wire: Wire | undefined;
    const key = Promise.withResolvers<void>();
    await using visit = await house.visit("feed", {
      before: async (page) => {
        wire = await wireOf(page);
        await page.addInitScript("sessionStorage.setItem('tapewire.watch', 'yes')");
        await page.route("**/app/v1/token", (route) => key.promise.then(() => route.continue()));
      },
    });
    const { page } = visit;
    await page.locator(".feed").waitFor();
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    key.resolve();
    await shown(page, "The newest before").waitFor();
    await push(["Came by one stream"]);
    await shown(page, "Came by one stream").waitFor();
    assert.equal(wire?.opened, 1);
  });

  test("a gap is filled whole, page by page, and stays where the list cannot be read", async () => {
    let wire: Wire | undefined;
    const service = { isDown: true };
    await using visit = await house.visit("feed", {
      before: async (page) => {
        wire = await wireOf(page);
        // As on a plan with small pages.
        await page.route(/\/v1\/feeds\?.*limit=500/, (route) => {
          if (service.isDown) return route.abort();
          return route.continue({ url: route.request().url().replace("limit=500", "limit=5") });
        });
      },
    });
    const { page, troubles } = visit;
    await push(["Before the gap"]);
    await shown(page, "Before the gap").waitFor();
    assert.ok(wire);
    wire.withheld = "Missed item";
    wire.cut(4413);
    await push(many("Missed item", 12));
    await until(() => wire?.opened === 2, "the stream is back");
    await push(many("After the gap", 7));
    await shown(page, "After the gap 6").waitFor();
    const load = page.getByRole("button", { name: "Items are missing here: load them" });
    await load.click();
    await page.getByText(/The missing items could not be read/).waitFor();
    service.isDown = false;
    await load.click();
    await page.getByText("12 items read for the gap").waitFor();
    assert.equal(await load.count(), 0);
    const titles = await page.locator(".line .headline").allTextContents();
    const at = titles.indexOf("After the gap 0");
    assert.deepEqual(titles.slice(at + 1, at + 4), ["Missed item 11", "Missed item 10", "Missed item 9"]);
    assert.deepEqual(troubles, []);
  });

  test("what a day's cap keeps away is said until items come again, or the day ends", async () => {
    let wire: Wire | undefined;
    await using visit = await house.visit("feed", {
      before: async (page) => {
        await page.clock.install();
        wire = await wireOf(page);
      },
    });
    const { page } = visit;
    await shown(page, "The newest before").waitFor();
    const usedUp = page.getByText(/Today's 50 live items are used up/);
    const frame = JSON.stringify({ type: "quota_exceeded", limit: 50, message: "used up" });
    wire?.send(frame);
    await usedUp.waitFor();
    await push(["Came after the cap was raised"]);
    await shown(page, "Came after the cap was raised").waitFor();
    await usedUp.waitFor({ state: "detached" });
    wire?.send(frame);
    await usedUp.waitFor();
    await page.clock.fastForward(24 * 3_600_000);
    await usedUp.waitFor({ state: "detached" });
  });

  test("items of one provider are found however far down, and not counted among all", async () => {
    await push(["Of a rare provider"], { provider: "rare-wire" });
    await push(many("Of another provider", 22));
    const since = new Date(publishedMs - 3_600_000).toISOString();
    await using visit = await house.visit(`feed?provider=rare-wire&since=${since}`, {
      before: async (page) => {
        await page.route(/\/v1\/feeds\?.*limit=500/, (route) =>
          route.continue({ url: route.request().url().replace("limit=500", "limit=1") }),
        );
      },
    });
    const { page } = visit;
    await page.getByText(/^None down to /).waitFor();
    await page.getByRole("button", { name: "Look further" }).click();
    await shown(page, "Of a rare provider").waitFor();
    await page.getByRole("button", { name: "Filter", exact: true }).click();
    await page.getByText("Items of a provider are not counted.").waitFor();
    const found = page.locator(".filter-panel .found a");
    await found.getByText("Of a rare provider").waitFor();
    assert.equal(await found.count(), 1);
  });
});
