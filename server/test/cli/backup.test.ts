import assert from "node:assert/strict";
import { chownSync, existsSync, lstatSync, readdirSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Agent, getGlobalDispatcher, setGlobalDispatcher } from "undici";
import { callCommand as run, runCommand } from "../support/command.ts";
import { listenLocally } from "../support/http.ts";
import { temporaryFolder } from "../support/process.ts";
import { startService } from "../support/service.ts";

test("backup and restore, by command", async () => {
  using folder = temporaryFolder();
  let file = "";
  {
    await using service = await startService("pglite");
    await service.push({ title: "Kept", external_id: "kept" });
    const access = { TAPEWIRE_URL: service.url, TAPEWIRE_ADMIN_TOKEN: service.adminToken };
    const made = await runCommand(["backup"], access);
    assert.equal(made.code, 0, made.err);
    [file = ""] = made.out.split(":");
    // Under systemd the data directory is not root's, and root restores into it.
    if (process.getuid?.() === 0) chownSync(folder.path, 12_345, 12_346);
    const { uid, gid } = statSync(folder.path);
    // As systemd's state directory is.
    const link = `${folder.path}-link`;
    symlinkSync(folder.path, link);
    const restored = await runCommand(["restore", file], { TAPEWIRE_DATA_DIR: link });
    rmSync(link);
    assert.equal(restored.code, 0, restored.err);
    assert.match(restored.out, /has 1 items, as of 20/);
    assert.ok(existsSync(join(folder.path, "pglite", "PG_VERSION")));
    const foreign = readdirSync(folder.path, { recursive: true, encoding: "utf8" }).filter((name) => {
      const made = lstatSync(join(folder.path, name));
      return made.uid !== uid || made.gid !== gid;
    });
    assert.deepEqual(foreign, []);
    const over = await run(["restore", file], { TAPEWIRE_DATA_DIR: folder.path });
    assert.equal(over.code, 1);
    assert.match(over.err, /has a database already/);
  }
  const [none, unnamed, postgres] = [
    await run(["restore", join(folder.path, "none.tar.zst")], {
      TAPEWIRE_DATA_DIR: join(folder.path, "new"),
    }),
    await run(["restore"], {}),
    await run(["restore", file], { DATABASE_URL: "postgres://127.0.0.1:1/none" }),
  ];
  assert.deepEqual([none.code, unnamed.code, postgres.code], [1, 2, 2]);
  assert.match(none.err, /no such file/);
});

test("backup waits for its answer, however soon Node's own fetch gives up", async () => {
  const asked = Promise.withResolvers<void>();
  const givenUp = Promise.withResolvers<void>();
  await using service = await listenLocally(async (request, response) => {
    if (request.method !== "POST") return;
    asked.resolve();
    await givenUp.promise;
    response.end('{"path":"backup.tar.zst","bytes":1}');
  });
  const before = getGlobalDispatcher();
  setGlobalDispatcher(new Agent({ headersTimeout: 1 }));
  try {
    const running = run(["backup"], { TAPEWIRE_URL: service.origin, TAPEWIRE_ADMIN_TOKEN: "token" });
    await asked.promise;
    await assert.rejects(fetch(service.origin), TypeError);
    givenUp.resolve();
    const { code, out, err } = await running;
    assert.deepEqual([code, out], [0, "backup.tar.zst: 1 bytes\n"], err);
  } finally {
    setGlobalDispatcher(before);
  }
});
