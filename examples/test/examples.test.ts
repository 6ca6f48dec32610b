import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { feedList } from "@tapewire/contract/feeds.ts";
import { chromium } from "playwright-core";
import { needsPython, pythonHome, pythonName } from "../../clients/python/test/support/python.ts";
import { chromiumPath, withoutChromium } from "../../dashboard/test/support/chromium.ts";
import { anyEngine } from "../../server/test/support/db.ts";
import { listenLocally } from "../../server/test/support/http.ts";
import { plainly, temporaryFolder } from "../../server/test/support/process.ts";
import { startReceivers, until } from "../../server/test/support/receiver.ts";
import { type Service, startService } from "../../server/test/support/service.ts";

const folder = join(import.meta.dirname, "..");
const items = [
  { title: "Halvorn Biotech raises full-year guidance after record orders", symbols: ["DEMO:HLVN"] },
  { title: "Quantara Semiconductors cuts its full-year guidance", symbols: ["DEMO:QNTA"] },
  { title: "Brightwick Foods files for Chapter 11 bankruptcy protection", symbols: ["DEMO:BRWK"] },
].map((item, nth) => ({ ...item, external_id: `example-${nth}`, source: "examples" }));

/** A running example, and what it has said so far. */
interface Running extends Disposable {
  readonly child: ChildProcess;
  said(): string;
  /** @returns its exit code */
  end(): Promise<number | null>;
}

describe("examples", () => {
  let service: Service;
  let key: string;
  let modelPort: number;
  before(async () => {
    // A port that was free a moment ago: the service must know it before the example listens there.
    const free = await listenLocally(() => {});
    modelPort = Number(new URL(free.origin).port);
    await free[Symbol.asyncDispose]();
    service = await startService(anyEngine, {
      webhookAllow: ["127.0.0.0/8"],
      llmUrl: `http://127.0.0.1:${modelPort}/v1`,
    });
    ({ key } = await service.key("enterprise"));
    await service.push(...items);
  });
  after(() => service[Symbol.asyncDispose]());

  function run(
    file: string,
    args: readonly string[] = [],
    env: Readonly<Record<string, string>> = {},
  ): Running {
    const command = file.endsWith(".py") ? (pythonName ?? "python3") : process.execPath;
    const child = spawn(command, [join(folder, file), ...args], {
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        PATH: process.env.PATH,
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        TAPEWIRE_URL: service.url,
        TAPEWIRE_KEY: key,
        TAPEWIRE_ADMIN_TOKEN: service.adminToken,
        PYTHONPATH: pythonHome,
        PYTHONDONTWRITEBYTECODE: "1",
        ...env,
      },
    });
    let said = "";
    for (const output of [child.stdout, child.stderr])
      output.on("data", (chunk) => {
        said += chunk;
      });
    const ended = once(child, "close");
    return {
      child,
      said: () => said,
      end: async () => (await ended)[0],
      [Symbol.dispose]: () => void child.kill("SIGKILL"),
    };
  }

  test("paper-bot trades on actionable items, closes, and has at most 60 lines", async () => {
    using bot = run("paper-bot.mjs", [], { ORDERS: "3" });
    assert.equal(await bot.end(), 0, bot.said());
    assert.match(bot.said(), /^buy {2}\d+ DEMO:HLVN at [\d.]+: Halvorn Biotech raises/m);
    assert.match(bot.said(), /^sell \d+ DEMO:QNTA at [\d.]+: Quantara/m);
    assert.match(bot.said(), /^\d orders, earned -?[\d.]+$/m);
    const lines = readFileSync(join(folder, "paper-bot.mjs"), "utf8").trimEnd().split("\n");
    assert.ok(lines.length <= 60, `${lines.length} lines`);
  });

  test("backtest measures the signals of a replay", needsPython, async () => {
    using backtest = run("backtest.py");
    assert.equal(await backtest.end(), 0, backtest.said());
    assert.match(backtest.said(), /^3 signals, \d+% right, mean -?[\d.]+ bp, t -?[\d.]+$/m);
  });

  test(
    "backtest counts no item whose horizon ends after the last price of its symbol",
    needsPython,
    async () => {
      using prices = temporaryFolder();
      const path = join(prices.path, "prices.csv");
      const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
      const rows = [
        [at(-1), "DEMO:HLVN", 100],
        [at(0.3), "DEMO:HLVN", 110],
        [at(1), "DEMO:HLVN", 110],
        [at(-1), "DEMO:QNTA", 100],
        [at(0.3), "DEMO:QNTA", 97],
        [at(1), "DEMO:QNTA", 97],
        [at(-1), "DEMO:BRWK", 100],
      ];
      writeFileSync(path, ["time,symbol,price", ...rows.map((row) => row.join())].join("\n"));
      using backtest = run("backtest.py", [path]);
      assert.equal(await backtest.end(), 0, backtest.said());
      assert.match(backtest.said(), /^2 signals, 100% right, mean 650\.0 bp/m);
    },
  );

  test("slack-alert makes one endpoint however often it runs, and shows what is delivered", async () => {
    await using receivers = await startReceivers({});
    for (const _ of [1, 2]) {
      using alert = run("slack-alert.mjs", [receivers.url("/slack")]);
      await until(() => /items delivered/.test(alert.said()), "it shows deliveries");
    }
    assert.match(receivers.at("/slack")[0]?.body ?? "", /"text":"\*Test delivery\*/);
    const answer = await service.get("/v1/webhooks", key);
    assert.equal(JSON.parse(await answer.text()).data.length, 1);
    await service.push({
      ...items[0],
      title: "Halvorn Biotech to be acquired for 4 billion dollars",
      external_id: "deal",
    });
    await until(() => receivers.at("/slack").some(({ body }) => body.includes("to be acquired")), "an alert");
    using none = run("slack-alert.mjs");
    assert.equal(await none.end(), 2);
  });

  test("own-source makes items of its notices, once", async () => {
    for (const status of ["created", "duplicate"]) {
      using source = run("own-source.mjs");
      assert.equal(await source.end(), 0, source.said());
      assert.equal(source.said().match(new RegExp(`^${status} `, "gm"))?.length, 3, source.said());
    }
    const answer = await service.get("/v1/feeds?aggregator=notices", key);
    assert.equal(feedList.parse(await answer.json()).data.length, 3);
    using refused = run("own-source.mjs", [], { TAPEWIRE_ADMIN_TOKEN: "wrong" });
    assert.equal(await refused.end(), 1);
    assert.match(refused.said(), /^401 unauthorized/);
  });

  test("own-model judges what the service asks it", async () => {
    using model = run("own-model.mjs", [], { PORT: String(modelPort) });
    await until(() => (model.said().match(/^llm:/gm)?.length ?? 0) === 2, `two verdicts: ${model.said()}`);
    assert.match(model.said(), /^llm:default: [1-5] \(conviction \d+\) Brennhof wins/m);
    assert.match(model.said(), /^llm:default: -[1-5] \(conviction \d+\) Luvento recalls/m);
  });

  test("embed shows items in a page of another origin as they come", { skip: withoutChromium }, async () => {
    await using page = await listenLocally((_, response) => {
      response
        .writeHead(200, { "content-type": "text/html; charset=utf-8" })
        .end(readFileSync(join(folder, "embed.html")));
    });
    assert.ok(chromiumPath !== null, "no Chromium on this machine; .ci/run installs one");
    await using stack = new AsyncDisposableStack();
    const browser = await chromium.launch({ executablePath: chromiumPath });
    stack.defer(() => browser.close());
    const tab = await browser.newPage();
    const place = new URLSearchParams({ url: service.url, key });
    await tab.goto(`${page.origin}/#${place}`);
    await tab.getByText("Live").waitFor();
    await tab.getByText(items[0]?.title ?? "").waitFor();
    const hostile = "a < b & c <i> d";
    await service.push({ title: hostile, external_id: "hostile", link: "https://news.example.com/x" });
    const link = tab.getByRole("link", { name: "a < b & c" });
    await link.waitFor();
    assert.equal(await link.getAttribute("href"), "https://news.example.com/x");
    assert.equal(await tab.locator("li i").count(), 0);
  });

  test("the runner starts a service of its own, runs the example, and leaves nothing behind", async () => {
    using folder = temporaryFolder();
    const child = spawn(
      process.execPath,
      [...plainly, join(import.meta.dirname, "../../tools/example.ts"), "own-source"],
      {
        stdio: ["ignore", "pipe", "pipe"],
        env: {
          PATH: process.env.PATH,
          TMPDIR: folder.path,
          NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        },
      },
    );
    let said = "";
    child.stdout.on("data", (chunk) => {
      said += chunk;
    });
    child.stderr.resume();
    const [code] = await once(child, "close");
    assert.equal(code, 0, said);
    assert.equal(said.match(/^created /gm)?.length, 3, said);
    assert.deepEqual(readdirSync(folder.path), []);
  });
});
