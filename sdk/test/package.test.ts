/** The package as it is published: compiled, and of use in Node 20, Node 24 and a browser. */
import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { type Browser, chromium } from "playwright-core";
import { chromiumPath, withoutChromium } from "../../dashboard/test/support/chromium.ts";
import { anyEngine } from "../../server/test/support/db.ts";
import { listening } from "../../server/test/support/http.ts";
import { type Service, startService } from "../../server/test/support/service.ts";
import { notice } from "../../server/test/support/stream-connect.ts";
import { buildSdk } from "../../tools/sdk-build.ts";

/** What a program does with the package, as the text of a function: it runs in other programs. */
const useAll = `async ({ Tapewire, TapewireError }, { sign, verify }, { baseUrl, key }) => {
  const tw = new Tapewire({ baseUrl, key });
  const { tier } = await tw.me();
  const titles = [];
  for await (const { title } of tw.feeds.list({ limit: 1 })) titles.push(title);
  const refused = await tw.feeds.page({ limit: 0 }).catch((error) => error instanceof TapewireError && error.code);
  const streamed = [];
  const stream = tw.stream({ snapshot: 2 });
  for await (const event of stream) if (event.type === "item" && streamed.push(event.item.title) === 2) break;
  const secret = "whsec_" + btoa("0123456789abcdef01234567");
  const event = await verify("{}", await sign("{}", secret, { id: "msg_1" }), secret);
  return JSON.stringify([tier, titles.sort(), refused, streamed.sort(), stream.state, event]);
}`;
const told = [notice(), notice()];
const titles = told.map(({ title }) => title).sort();
const wanted = JSON.stringify(["enterprise", titles, "invalid_parameter", titles, "closed", {}]);

/** A Node of that major version on this machine; null: there is none. */
function nodeOf(major: number): string | null {
  if (process.versions.node.startsWith(`${major}.`)) return process.execPath;
  const path = "/usr/bin/node";
  const isThere = existsSync(path) && execFileSync(path, ["--version"]).toString().startsWith(`v${major}.`);
  return isThere ? path : null;
}

describe("the package", () => {
  let folder = "";
  let library = "";
  let service: Service;
  let to = "";
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "tapewire-package-"));
    library = join(folder, "node_modules", "tapewire");
    buildSdk(library);
    service = await startService(anyEngine);
    const { key } = await service.key("enterprise");
    to = JSON.stringify({ baseUrl: service.url, key });
    for (const one of told) await service.push(one);
  });
  after(async () => {
    rmSync(folder, { recursive: true, force: true });
    await service[Symbol.asyncDispose]();
  });

  test("it has no dependencies, and nothing of ours but itself", () => {
    const manifest = JSON.parse(readFileSync(join(library, "package.json"), "utf8"));
    assert.deepEqual(
      [manifest.dependencies, manifest.private, manifest.type],
      [undefined, undefined, "module"],
    );
    assert.equal(readFileSync(join(library, "index.d.ts"), "utf8").includes("@tapewire"), false);
  });

  test("a program in TypeScript compiles against it, by Node's and by bundlers' rules", () => {
    const program = `import { Tapewire, type FeedItem } from "tapewire";
      import { stream } from "tapewire/stream";
      import { verify, type WebhookEvent } from "tapewire/webhook";
      export const item: Promise<FeedItem> = new Tapewire({ baseUrl: "http://x" }).feeds.get("1");
      export const event: Promise<WebhookEvent> = verify("", {}, "");
      export const state: "live" | string = stream({ baseUrl: "http://x" }).state;
      // @ts-expect-error a stream has no such option
      stream({ speed: 2 });`;
    writeFileSync(join(folder, "program.ts"), program);
    const tsc = new URL("../../node_modules/.bin/tsc", import.meta.url).pathname;
    for (const module of ["nodenext", "preserve"])
      execFileSync(
        tsc,
        [
          "--noEmit",
          "--strict",
          "--exactOptionalPropertyTypes",
          "--types",
          "",
          "--target",
          "es2022",
          "--lib",
          "es2022,dom,esnext.disposable",
          "--module",
          module,
          "program.ts",
        ],
        { cwd: folder, stdio: ["ignore", "inherit", "inherit"] },
      );
  });

  for (const major of [20, 24]) {
    const node = nodeOf(major);
    const skip = node === null && `no Node ${major} here`;
    const run = async (name: string, code: string) => {
      writeFileSync(join(folder, name), code);
      const { stdout, stderr } = await promisify(execFile)(node ?? "", [join(folder, name)]);
      assert.deepEqual([stdout.trim(), stderr], [wanted, ""]);
    };
    test(`Node ${major} imports and uses it`, { skip }, () =>
      run(
        "program.mjs",
        `import * as library from "tapewire"; import * as webhook from "tapewire/webhook";
         console.log(await (${useAll})(library, webhook, ${to}));`,
      ),
    );
    test(`Node ${major} requires and uses it`, { skip }, () =>
      run(
        "program.cjs",
        `process.removeAllListeners("warning");
         (${useAll})(require("tapewire"), require("tapewire/webhook"), ${to}).then(console.log);`,
      ),
    );
  }

  describe("in Chromium", { skip: withoutChromium }, () => {
    const scripts = async () =>
      await listening(
        createServer((request, response) => {
          const path = join(library, new URL(request.url ?? "/", "http://x").pathname);
          const isScript = extname(path) === ".js" && existsSync(path);
          response.setHeader("content-type", isScript ? "text/javascript" : "text/html");
          response.end(isScript ? readFileSync(path) : "<!doctype html><title>page</title>");
        }),
      );
    let browser: Browser;
    before(async () => {
      browser = await chromium.launch({ executablePath: chromiumPath ?? "", args: ["--no-sandbox"] });
    });
    after(() => browser.close());

    test("a page uses it, with its own WebSocket", async () => {
      await using pages = await scripts();
      const page = await browser.newPage();
      await page.goto(pages.origin);
      const code = `Promise.all([import("/index.js"), import("/webhook.js")]).then((both) => (${useAll})(...both, ${to}))`;
      assert.equal(await page.evaluate(code), wanted);
    });

    test("a stream has what it needs after a refusal before there is one", async () => {
      await using pages = await scripts();
      const page = await browser.newPage();
      await page.goto(pages.origin);
      const asked = page.waitForRequest("**/rarely.js*");
      const code = `import("/index.js").then(async ({ Tapewire }) => {
        for await (const { state } of new Tapewire(${to}).stream({ states: true })) if (state === "live") return state;
      })`;
      assert.equal(await page.evaluate(code), "live");
      await asked;
    });

    test("a part of it that does not arrive at first is asked for again", async () => {
      await using pages = await scripts();
      const page = await browser.newPage();
      await page.goto(pages.origin);
      await page.route("**/rarely.js*", (route) => route.abort(), { times: 1 });
      const code = `import("/index.js").then(async ({ Tapewire }) => {
        const stream = new Tapewire(${to}).stream({ transport: "sse", states: true });
        const states = [];
        for await (const { state } of stream) if (states.push(state), state === "live") return states.join();
      })`;
      assert.match(String(await page.evaluate(code)), /^connecting,waiting,connecting,.*live$/);
    });
  });
});
