import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { z } from "zod";
import { callCommand, runCommand } from "../support/command.ts";
import { anyEngine } from "../support/db.ts";
import { temporaryFolder } from "../support/process.ts";
import { type Service, startService } from "../support/service.ts";

const hourMs = 3_600_000;

const report = z.looseObject({
  items_studied: z.int(),
  versions_read: z.int(),
  excluded: z.record(z.string(), z.int()),
  horizons: z.array(
    z.looseObject({
      horizon: z.string(),
      observations: z.int(),
      mean_move: z.object({ value: z.number() }).nullable(),
    }),
  ),
});

describe("tapewire study", () => {
  const folder = temporaryFolder();
  const pricesPath = join(folder.path, "prices.csv");
  let service: Service;
  let env: Record<string, string> = {};
  before(async () => {
    service = await startService(anyEngine);
    env = { TAPEWIRE_URL: service.url, TAPEWIRE_KEY: (await service.key("enterprise")).key };
    for (const [title, symbols] of [
      ["Acme Turbines raises full-year guidance after record orders", ["DEMO:ACME"]],
      ["Borealis Foods cuts full-year guidance as costs rise", ["DEMO:BORE"]],
      ["Cobalt Harbour opens an office", ["DEMO:COBA"]],
      ["The week ahead", []],
    ] as const)
      await service.push({ title, external_id: title, symbols: [...symbols] });
    writeFileSync(pricesPath, csv());
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  /** Hourly prices around now: one rises by 10 % after the items, one falls, and one has none. */
  function csv(): string {
    const nowMs = Date.now();
    const rows = [-3, -2, -1, 1, 2, 3].flatMap((hours) => {
      const time = new Date(nowMs + hours * hourMs).toISOString();
      return [
        [time, "DEMO:ACME", hours < 0 ? 100 : 110],
        [time, "DEMO:BORE", hours < 0 ? 100 : 90],
        [time, "DEMO:ALL", 100],
      ];
    });
    return ["time,symbol,price", ...rows.map((row) => row.join())].join("\n");
  }

  const run = (...args: readonly string[]) => callCommand(["study", ...args], env);

  test("it reads the scores from the service and measures the moves after them", async () => {
    const html = join(folder.path, "study.html");
    const { code, out, err } = await run(
      "--prices",
      pricesPath,
      "--index",
      "demo:all",
      "--horizons",
      "1h,2h",
      "--html",
      html,
      "--json",
    );
    assert.equal(code, 0, err);
    const found = report.parse(JSON.parse(out));
    assert.equal(found.items_studied, 2);
    assert.equal(found.versions_read, 4);
    assert.equal(found.excluded["no prices"], 1);
    assert.deepEqual(
      found.horizons.map(({ horizon, observations }) => [horizon, observations]),
      [
        ["1h", 2],
        ["2h", 2],
      ],
    );
    // One item is rated up and rose, one is rated down and fell.
    assert.ok(Math.abs((found.horizons[0]?.mean_move?.value ?? 0) - 0.1) < 1e-9, out);
    const page = readFileSync(html, "utf8");
    assert.match(page, /<svg/);
    assert.match(page, /whose moves share prices/);
    assert.doesNotMatch(page, /<script|src=|href=/);
  });

  test("filters hold, and a study without items says why and fails", async () => {
    const args = ["study", "--prices", pricesPath, "--symbol", "DEMO:COBA"];
    const { code, out, err } = await runCommand(args, env);
    assert.equal(code, 1);
    assert.match(err, /No item could be studied/);
    assert.match(out, /left out: 1 \(the main symbol has no prices in the file\)/);
  });

  test("what tail wrote is studied without a service", async () => {
    const replayed = ["tail", "--replay", "2020-01-01T00:00:00Z", "--speed", "max", "--json"];
    const lines = (await callCommand(replayed, env)).out;
    const path = join(folder.path, "items.ndjson");
    writeFileSync(path, lines);
    const { code, out, err } = await run(
      "--prices",
      pricesPath,
      "--items",
      path,
      "--horizons",
      "1h",
      "--url",
      "http://127.0.0.1:1",
    );
    assert.equal(code, 0, err);
    assert.match(out, /^2 items studied, of 4 versions read/);
    assert.match(out, /right about the direction: 100\.0 % \(\d+\.\d to 100\.0 %\)/);
    writeFileSync(path, '{"logged_at":"2026-03-02T14:30:00Z","data":{}}\n');
    const refused = await run("--prices", pricesPath, "--items", path);
    assert.equal(refused.code, 1);
    assert.match(refused.err, /items\.ndjson, line 1: data\.id/);
  });

  test("a wrong option is refused by name", async () => {
    for (const [args, told] of [
      [[], /--prices/],
      [["--prices", "nowhere.csv"], /nowhere\.csv/],
      [["--prices", pricesPath, "--horizons", "soon"], /--horizons must be lengths/],
      [["--prices", pricesPath, "--close", "4pm"], /--close/],
      [["--prices", pricesPath, "--moved", "0"], /--moved/],
      [["--prices", pricesPath, "--index", "NOPE"], /--index/],
      [["--prices", pricesPath, "--items", "x", "--since", "1d"], /--since is not for --items/],
      [["--prices", pricesPath, "--items", "x", "--symbol", "DEMO:COBA"], /--symbol is not for --items/],
      [["--prices", pricesPath, "--items", "x", "--actionable"], /--actionable is not for --items/],
      [["--prices", pricesPath, "--until", "2026-11-20T13:00"], /--until '2026-11-20T13:00' is not valid/],
    ] as const) {
      const { code, err } = await run(...args);
      assert.notEqual(code, 0);
      assert.match(err, told);
    }
  });
});
