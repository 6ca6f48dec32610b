import assert from "node:assert/strict";
import { test } from "node:test";
import { problem } from "@tapewire/contract/errors.ts";
import pg from "pg";
import { onBothEngines, onPostgres } from "../support/db.ts";
import { listenLocally } from "../support/http.ts";
import { spawnService, temporaryFolder, writeSources } from "../support/process.ts";
import { startService } from "../support/service.ts";

onBothEngines("a running service is alive and ready, and says so to anybody", async (_, engine) => {
  await using service = await startService(engine);
  for (const path of ["/livez", "/readyz"]) assert.equal((await service.get(path)).status, 200, path);
});

test("without the api role the paths of the api are not there", async () => {
  await using service = await startService("pglite", { roles: ["ingest"] });
  assert.equal((await service.get("/livez")).status, 200);
  assert.equal((await service.get("/v1/feeds")).status, 404);
  assert.equal((await service.admin("GET", "/admin/v1/keys")).status, 404);
});

// Only there can another session hold a lock against the list.
onPostgres(
  "a list that takes too long is 503 overloaded with Retry-After, and the next one is fine",
  async () => {
    await using service = await startService("postgres");
    const { key } = await service.key("pro");
    await service.push({ title: "Tidewane Shipping orders two vessels" });
    const blocker = new pg.Client({ connectionString: service.config.databaseUrl ?? "" });
    await blocker.connect();
    await blocker.query("begin; lock table items in access exclusive mode");
    const response = await service.get("/v1/feeds", key);
    await blocker.end();
    assert.equal(response.status, 503);
    assert.equal(problem.parse(await response.json()).code, "overloaded");
    assert.match(response.headers.get("retry-after") ?? "", /^\d+$/);
    assert.equal((await service.get("/v1/feeds", key)).status, 200);
  },
);

test("SIGTERM in the middle of a fetch ends the process in order, with exit code 0", async () => {
  const asked = Promise.withResolvers<void>();
  // A source that never answers.
  await using server = await listenLocally(() => asked.resolve());
  using folder = temporaryFolder();
  const source = {
    id: "mute",
    name: "mute",
    provider: "recorded",
    format: "feed",
    url: `${server.origin}/feed`,
  };
  await using service = await spawnService({
    TAPEWIRE_DATA_DIR: folder.path,
    TAPEWIRE_SOURCES: writeSources(folder.path, [source]),
  });
  await asked.promise;
  assert.equal(await service.end("SIGTERM"), 0, service.output());
});
