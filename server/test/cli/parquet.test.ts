import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { asyncBufferFromFile, parquetReadObjects } from "hyparquet";
import { type ReplayedItem, Tapewire } from "tapewire";
import { callCommand, runCommand } from "../support/command.ts";
import { anyEngine } from "../support/db.ts";
import { temporaryFolder } from "../support/process.ts";
import { type Service, startService } from "../support/service.ts";

async function read(folder: string, name: string) {
  return parquetReadObjects({ file: await asyncBufferFromFile(join(folder, `${name}.parquet`)) });
}

describe("tapewire export --format parquet", () => {
  const folder = temporaryFolder();
  let service: Service;
  let env: Record<string, string> = {};
  before(async () => {
    service = await startService(anyEngine);
    env = { TAPEWIRE_URL: service.url, TAPEWIRE_KEY: (await service.key("enterprise")).key };
    const push = (title: string, symbols: string[], external_id = title) =>
      service.push({ title, external_id, symbols });
    await push(
      "Acme Turbines raises full-year guidance after record orders",
      ["DEMO:ACME", "DEMO:WIND"],
      "a",
    );
    await push("The week ahead", []);
    await push("Acme Turbines cuts full-year guidance", ["DEMO:ACME"], "a");
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  const run = (...args: readonly string[]) => callCommand(["export", ...args], env);

  test("each version is a row with the scores it had; symbols, events and tags join it by seq", async () => {
    const target = join(folder.path, "all");
    const { code, out, err } = await runCommand(["export", target, "--format", "parquet"], env);
    assert.equal(code, 0, err);
    assert.match(out, /versions\.parquet: 3 rows/);
    assert.deepEqual(readdirSync(target).sort(), [
      "events.parquet",
      "symbols.parquet",
      "tags.parquet",
      "versions.parquet",
    ]);
    const versions = await read(target, "versions");
    const client = new Tapewire({ baseUrl: service.url, key: env.TAPEWIRE_KEY ?? "" });
    const carried: ReplayedItem[] = [];
    for await (const version of client.replay({ speed: "max" })) carried.push(version);
    assert.equal(versions.length, carried.length);
    for (const [at, { seq, loggedAt, item }] of carried.entries()) {
      const row = versions[at];
      assert.equal(row?.seq, BigInt(seq));
      assert.deepEqual(row.logged_at, loggedAt);
      assert.deepEqual(row.published_at, new Date(item.published_at));
      for (const name of ["id", "revision", "status", "source", "title", "story_id", "event"] as const)
        assert.equal(row[name], item[name], name);
      for (const name of [
        "actionability",
        "actionability_score",
        "sentiment_short",
        "sentiment_conviction",
      ] as const)
        assert.equal(row[name], item.scoring[name], name);
      const ofSeq = (rows: Record<string, unknown>[]) => rows.filter((other) => other.seq === row.seq);
      assert.deepEqual(
        ofSeq(await read(target, "symbols")).map(({ symbol }) => symbol),
        item.symbols.map(({ symbol }) => symbol),
      );
      assert.deepEqual(
        ofSeq(await read(target, "events")).map(({ name }) => name),
        item.events.map(({ name }) => name),
      );
      const tags = Object.entries(item.tags).flatMap(([dimension, values]) =>
        values.map((value) => [dimension, value]),
      );
      assert.deepEqual(
        ofSeq(await read(target, "tags")).map(({ dimension, value }) => [dimension, value]),
        tags,
      );
    }
  });

  test("filters hold, and a table without rows is a table", async () => {
    const target = join(folder.path, "none");
    const { code, err } = await run(target, "--format", "parquet", "--symbol", "DEMO:NONE");
    assert.equal(code, 0, err);
    assert.deepEqual(await read(target, "versions"), []);
  });

  test("nothing is replaced, and wrong options are refused by name", async () => {
    const target = join(folder.path, "twice");
    assert.equal((await run(target, "--format", "parquet")).code, 0);
    const again = await run(target, "--format", "parquet");
    assert.equal(again.code, 1);
    assert.match(again.err, /versions\.parquet exists already/);
    for (const [args, told] of [
      [["--format", "csv"], /--format must be parquet/],
      [["--since", "1d"], /--since is for export --format parquet/],
      [["--format", "parquet", "--since", "soon"], /--since/],
    ] as const) {
      const { code, err } = await run(join(folder.path, "refused"), ...args);
      assert.equal(code, 2);
      assert.match(err, told);
    }
    const cut = join(folder.path, "cut");
    const refused = await run(cut, "--format", "parquet", "--key", "tw_wrong");
    assert.equal(refused.code, 1);
    assert.deepEqual(readdirSync(cut), []);
  });
});
