import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { on, once } from "node:events";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { WebSocket } from "ws";
import { needsPython, pythonHome, pythonName } from "../../clients/python/test/support/python.ts";
import { withoutChromium } from "./support/chromium.ts";
import { type House, openHouse } from "./support/visit.ts";

const root = join(import.meta.dirname, "..", "..");
const title = "Acme Turbines raises full-year guidance after record orders";

describe("the Code drawer", { skip: withoutChromium }, () => {
  let house: House;
  const snippets = new Map<string, string>();
  before(async () => {
    house = await openHouse();
    await house.service.push({ title, external_id: "it", symbols: ["AAPL"] });
    await house.service.push({ title: "Somebody else", external_id: "other", symbols: ["MSFT"] });
    await using visit = await house.visit("feed?symbol=AAPL&sentiment_min=1&story_copies=false&q=-lawsuit");
    const { page } = visit;
    await page.getByRole("button", { name: "Code" }).click();
    const drawer = page.getByRole("dialog");
    await drawer.getByRole("tab").first().waitFor();
    for (const tab of await drawer.getByRole("tab").all()) {
      await tab.click();
      snippets.set((await tab.textContent()) ?? "", (await drawer.locator("pre").textContent()) ?? "");
    }
    assert.deepEqual(visit.troubles, []);
  });
  after(() => house[Symbol.asyncDispose]());

  /** A key of an account that has taken none of its snapshots of this minute. */
  const newKey = async () => (await house.service.key("pro")).key;

  /** Runs it as it stands, with a key in the environment, until it ends or has said what is waited for. */
  async function said(command: readonly [string, ...string[]], waited: RegExp, env = {}): Promise<string> {
    const [name, ...args] = command;
    const settings = { TAPEWIRE_KEY: await newKey(), PATH: process.env.PATH, HOME: process.env.HOME, ...env };
    const child = spawn(name, args, {
      cwd: root,
      detached: true,
      env: settings,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let out = "";
    child.stderr.on("data", (chunk) => {
      out += chunk;
    });
    child.stdout.on("data", (chunk) => {
      out += chunk;
      if (waited.test(out)) endGroup(child);
    });
    await once(child, "close");
    return out;
  }

  /** With what it started: a shell's curl goes on without its shell. */
  function endGroup({ pid }: ChildProcess): void {
    if (pid === undefined) return;
    try {
      process.kill(-pid, "SIGKILL");
    } catch {
      // It has ended.
    }
  }

  const snippet = (name: string) => {
    const text = snippets.get(name);
    assert.ok(text !== undefined && text !== "", `${name} of ${[...snippets.keys()].join(", ")}`);
    return text;
  };
  const shell = (name: string, waited = /$^/) => said(["sh", "-c", snippet(name)], waited);

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
    const out = await said(
      [process.execPath, "--input-type=module-typescript", "-e", snippet("TypeScript")],
      /guidance/,
    );
    assert.ok(out.includes(title), out);
  });

  test("the program in Python prints items", needsPython, async () => {
    const env = { PYTHONPATH: pythonHome, PYTHONUNBUFFERED: "1" };
    const out = await said([pythonName ?? "python3", "-c", snippet("Python")], /guidance/, env);
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
