import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { lockDataDir } from "../../src/store/engine/data-dir.ts";
import { seedDataDir } from "../support/db.ts";
import { npmStart, temporaryFolder } from "../support/process.ts";
import { StreamClient } from "../support/stream-client.ts";

const noSources = join(import.meta.dirname, "..", "support", "no-sources.json");

type Running = Awaited<ReturnType<typeof npmStart>>;

test("npm start ends as the service does, after it has drained", async (context: TestContext) => {
  using folder = temporaryFolder();
  await seedDataDir(folder.path);
  const env = { TAPEWIRE_DATA_DIR: folder.path, TAPEWIRE_SOURCES: noSources };
  const ways: readonly [string, (service: Running) => Promise<number | null>][] = [
    ["SIGTERM to npm", (service) => service.end("SIGTERM")],
    ["SIGINT to all, which npm hands on once more", (service) => service.endGroup("SIGINT")],
    ["SIGTERM to all", (service) => service.endGroup("SIGTERM")],
  ];
  for (const [way, end] of ways)
    await context.test(way, async () => {
      await using service = await npmStart(env);
      // Its output is no terminal.
      assert.doesNotMatch(service.output(), /tw_live_|#\/start\//);
      const key = readFileSync(join(folder.path, "first-key"), "utf8").trim();
      await using stream = await StreamClient.connect(`${service.url.replace("http", "ws")}/v1/stream`, {
        key,
      });
      await stream.next("welcome");
      const ended = end(service);
      await stream.next("error");
      const { code, reason } = await stream.closed;
      assert.deepEqual([code, reason.split("=")[0]], [1012, "cursor"]);
      assert.equal(await ended, 0, service.output());
      // Nothing goes on behind npm: the data directory is free.
      await assertFree(folder.path);
    });
});

/** A second process would be refused. */
async function assertFree(dataDir: string): Promise<void> {
  const release = await lockDataDir(dataDir);
  release();
}
