import assert from "node:assert/strict";
import { on, once } from "node:events";
import { after, before, describe, test } from "node:test";
import { WebSocket } from "ws";
import { needsPython } from "../../clients/python/test/support/python.ts";
import { withoutChromium } from "./support/chromium.ts";
import { inNode, inPython, inShell, said, snippetsIn } from "./support/run-code.ts";
import { type House, openHouse } from "./support/visit.ts";

const title = "Acme Turbines raises full-year guidance after record orders";

describe("the Code drawer", { skip: withoutChromium }, () => {
  let house: House;
  let snippets: ReadonlyMap<string, string>;
  before(async () => {
    house = await openHouse();
    await house.service.push({ title, external_id: "it", symbols: ["AAPL"] });
    await house.service.push({ title: "Somebody else", external_id: "other", symbols: ["MSFT"] });
    await using visit = await house.visit("feed?symbol=AAPL&sentiment_min=1&story_copies=false&q=-lawsuit");
    const { page } = visit;
    await page.getByRole("button", { name: "Code" }).click();
    snippets = await snippetsIn(page.getByRole("dialog"));
    assert.deepEqual(visit.troubles, []);
  });
  after(() => house[Symbol.asyncDispose]());

  /** A key of an account that has taken none of its snapshots of this minute. */
  const newKey = async () => (await house.service.key("pro")).key;

  const snippet = (name: string) => {
    const text = snippets.get(name);
    assert.ok(text !== undefined && text !== "", `${name} of ${[...snippets.keys()].join(", ")}`);
    return text;
  };
  const shell = async (name: string, waited?: RegExp) => said(inShell(snippet(name)), await newKey(), waited);

  test("a filter that one way cannot carry is in the others, and that way says so", async () => {
    await using visit = await house.visit("feed?aggregator=reuters,push&provider=demo-wire&symbol=AAPL");
    const { page, troubles } = visit;
    await page.getByRole("button", { name: "Code" }).click();
    const drawer = page.getByRole("dialog");
    const ways = await snippetsIn(drawer);
    assert.match(ways.get("curl") ?? "", /aggregator=reuters/);
    assert.match(ways.get("WebSocket") ?? "", /"aggregators".*"providers"/s);
    assert.match(ways.get("Webhook") ?? "", /"symbols":\["AAPL"\]/);
    assert.doesNotMatch(ways.get("Webhook") ?? "", /aggregators|providers/);
    for (const [way, said] of [
      ["Webhook", "Webhooks cannot filter by source and provider: that part is left out."],
      ["MCP", "It cannot filter by provider: that part is left out."],
      ["Live by curl", "It cannot filter by provider: that part is left out."],
    ] as const) {
      await drawer.getByRole("tab", { name: way, exact: true }).click();
      await drawer.getByText(said).waitFor();
    }
    await drawer.getByRole("button", { name: "Make it a webhook" }).click();
    const form = page.getByRole("dialog", { name: "Create a webhook" });
    await form.getByText("Webhooks cannot filter by source and provider: that part is left out.").waitFor();
    assert.deepEqual(troubles, []);
  });

  test("each way has a snippet, and none has a key in it", () => {
    const names = [
      "curl",
      "Live by curl",
      "WebSocket",
      "TypeScript",
      "Python",
      "Webhook",
      "Command line",
      "MCP",
    ];
    assert.deepEqual([...snippets.keys()], names);
    for (const text of snippets.values()) assert.doesNotMatch(text, /tw_live_/);
    assert.match(snippet("TypeScript"), /^\/\/ First.*\n\/\/ .*npm install /);
    assert.match(snippet("Python"), /^# First: pip install /);
  });

  test("curl reads the list", async () => {
    const out = await shell("curl");
    assert.ok(out.includes(title) && !out.includes("Somebody else"), out);
  });

  test("curl follows the stream", async () => {
    await Promise.all([shell("Live by curl", /New and live/), pushed("New and live")]);
  });

  /** Pushes until the subscriber, who begins in its own time, has had the chance to see one. */
  async function pushed(text: string): Promise<void> {
    for (let n = 0; n < 10; n += 1) {
      await house.service.push({ title: text, external_id: `${text} ${n}`, symbols: ["AAPL"] });
      await new Promise((waited) => setTimeout(waited, 300));
    }
  }

  test("the frame subscribes", async () => {
    const url = `${house.service.url.replace("http", "ws")}/v1/stream?api_key=${await newKey()}`;
    const socket = new WebSocket(url);
    const frames = on(socket, "message");
    await once(socket, "open");
    socket.send(snippet("WebSocket"));
    for await (const [frame] of frames) if (String(frame).includes(title)) break;
    socket.terminate();
  });

  test("the program in TypeScript prints items", async () => {
    const out = await said(inNode(snippet("TypeScript")), await newKey(), /guidance/);
    assert.ok(out.includes(title), out);
  });

  test("the program in Python prints items", needsPython, async () => {
    const out = await said(inPython(snippet("Python")), await newKey(), /guidance/);
    assert.ok(out.includes(title), out);
  });

  test("curl makes the webhook", async () => {
    const out = await shell("Webhook");
    assert.match(out, /"secret":"whsec_/);
  });

  test("the call of an agent's tool finds the items", async () => {
    const out = await shell("MCP");
    assert.ok(out.includes(title) && !out.includes("Somebody else"), out);
  });

  test("the command line prints items", async () => {
    // Its snapshot has ten items, and more were pushed meanwhile.
    const out = await shell("Command line", /NASDAQ:AAPL/);
    assert.doesNotMatch(out, /MSFT/);
  });
});
