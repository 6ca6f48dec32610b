/** Two ways to stop what npm started; with TAPEWIRE_CHAOS=full a third, the first signal sent as the second is. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { anyDatabase } from "../support/db.ts";
import { isFull } from "../support/full-length.ts";
import { npmStart, temporaryFolder } from "../support/process.ts";
import { StreamClient } from "../support/stream-client.ts";

const noSources = join(import.meta.dirname, "..", "support", "no-sources.json");

type Running = Awaited<ReturnType<typeof npmStart>>;
type Way = readonly [string, (service: Running) => Promise<number | null>];

const toAll: Way = ["SIGTERM to all", (service) => service.endGroup("SIGTERM")];

test("npm start ends as the service does, after it has drained", async (context: TestContext) => {
  using folder = temporaryFolder();
  await using database = await anyDatabase(folder.path);
  const env = { ...database.env, TAPEWIRE_SOURCES: noSources };
  const ways: readonly Way[] = [
    ["SIGTERM to npm", (service) => service.end("SIGTERM")],
    ["SIGINT to all, which npm hands on once more", (service) => service.endGroup("SIGINT")],
    ...(isFull ? [toAll] : []),
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
      // Nothing goes on behind npm: its process group is empty.
      assert.throws(() => process.kill(-(service.child.pid ?? 0), 0), { code: "ESRCH" });
    });
});
