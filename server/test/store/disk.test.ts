import assert from "node:assert/strict";
import { test } from "node:test";
import { problem } from "@tapewire/contract/errors/errors.ts";
import { feedList } from "@tapewire/contract/feeds.ts";
import { z } from "zod";
import { silentLog } from "../../src/runtime/log.ts";
import { DiskWatch, nextState, StorageFull } from "../../src/store/disk/disk-watch.ts";
import { seedDataDir } from "../support/db.ts";
import { temporaryFolder, writeSources } from "../support/process.ts";
import { until } from "../support/receiver.ts";
import { startService } from "../support/service.ts";
import { site } from "../support/sites.ts";
import { fill, smallDisk } from "../support/small-disk.ts";
import { connect, notice, titles } from "../support/stream-connect.ts";

const mb = 2 ** 20;
const readiness = z.object({ status: z.string(), disk: z.object({ state: z.string() }) });

test("the state of the disk rises at once and falls when there is a little more room", () => {
  const sizeBytes = 10_000 * mb;
  const steps = [
    [9_000, "ok"],
    [2_000, "filling"],
    [2_100, "filling"],
    [2_300, "ok"],
    [499, "full"],
    [600, "full"],
    [700, "filling"],
    [10, "full"],
    [5_000, "ok"],
  ] as const;
  let state: ReturnType<typeof nextState> = "ok";
  for (const [free, wanted] of steps) {
    state = nextState(state, { sizeBytes, freeBytes: free * mb });
    assert.equal(state, wanted, `${free} MB`);
  }
});

test("a disk whose room cannot be read is taken for what it was", async () => {
  let space: (() => Promise<{ sizeBytes: number; freeBytes: number }>) | null = async () => ({
    sizeBytes: 1_000 * mb,
    freeBytes: 1 * mb,
  });
  const read = async () => (space === null ? Promise.reject(new Error("gone")) : space());
  await using watch = await DiskWatch.start({ log: silentLog, read });
  assert.throws(() => watch.refuseWhenFull(), StorageFull);
  space = null;
  await watch.look();
  assert.equal(watch.state, "full");
});

test("on a disk that fills up pushes are refused and sources wait; everything can be read, and goes on when there is room", async (context) => {
  using folder = temporaryFolder();
  using disk = smallDisk(folder.path);
  if (disk === null) return context.skip("no file system can be mounted here");
  await seedDataDir(folder.path);
  await using feed = await site((_, response) => {
    const items = "<item><title>Read</title><guid>urn:read</guid></item>";
    response.end(`<rss version="2.0"><channel><title>A</title>${items}</channel></rss>`);
  });
  const makeRoom = await fill(folder.path, 40);
  const source = { id: "a", name: "a", url: feed.url, format: "feed", interval_s: 1, provider: "a" };
  const sourcesFile = writeSources(folder.path, [source]);
  await using service = await startService("pglite", { dataDir: folder.path, sourcesFile, demo: "off" });
  const { key } = await service.key("pro");
  const state = async () => readiness.parse(await (await service.get("/readyz")).json()).disk.state;
  assert.equal(await state(), "full");
  const refused = await service.admin("POST", "/admin/v1/items", [notice()]);
  assert.equal(refused.headers.get("retry-after"), "60");
  assert.deepEqual([refused.status, problem.parse(await refused.json()).code], [507, "storage_full"]);
  const list = async () => feedList.parse(await (await service.get("/v1/feeds", key)).json()).data;
  assert.deepEqual(await list(), []);
  assert.equal(feed.requests.length, 0, "what cannot be stored is not fetched");

  await using client = await connect(service, key);
  await client.subscribe();
  makeRoom();
  await until(async () => (await state()) !== "full", "there is room");
  assert.deepEqual(titles(await client.feeds(1)), ["Read"]);
  const [pushed] = await service.push(notice());
  assert.equal(pushed?.status, "created");
});
