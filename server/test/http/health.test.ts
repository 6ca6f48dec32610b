import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { test } from "node:test";
import { problem } from "@tapewire/contract/errors.ts";
import { sql } from "kysely";
import pg from "pg";
import { makeKey } from "../../src/account/key.ts";
import { silentLog } from "../../src/runtime/log.ts";
import { openPostgres } from "../../src/store/db.ts";
import { apiErrorOf } from "../../src/store/errors.ts";
import { createDatabase, onBothEngines, onPostgres, seedDataDir } from "../support/db.ts";
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
  assert.equal((await service.admin("GET", "/metrics")).status, 200);
  assert.equal((await service.get("/metrics")).status, 401);
});

// Only there can another session hold a lock against the list.
onPostgres(
  "a list that takes too long is 503 overloaded with Retry-After, and the next one is fine",
  async () => {
    // Nothing in memory: the list is read from the database.
    await using service = await startService("postgres", { windowItems: 0 });
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

onPostgres(
  "while the database is away requests are 503 with Retry-After; afterwards all is well",
  async () => {
    await using database = await createDatabase();
    const { hostname, port, pathname } = new URL(database.url);
    await using link = await breakableLink(hostname, Number(port || 5432));
    await using service = await startService("postgres", {
      databaseUrl: `postgres://postgres@127.0.0.1:${link.port}${pathname}`,
    });
    const { key } = await service.key("pro");
    assert.equal((await service.get("/v1/feeds", key)).status, 200);
    await link.cut();
    const asked = [
      service.get("/v1/feeds", makeKey()),
      service.get("/v1/usage", key),
      service.admin("POST", "/admin/v1/accounts", { name: "x", plan: "pro" }),
    ];
    for (const response of await Promise.all(asked)) {
      assert.equal(response.status, 503);
      assert.equal(problem.parse(await response.json()).code, "not_ready");
      assert.match(response.headers.get("retry-after") ?? "", /^[1-9]\d*$/);
    }
    assert.equal((await service.get("/livez")).status, 200);
    await link.mend();
    assert.equal((await service.get("/v1/usage", key)).status, 200);
  },
);

onPostgres(
  "a connection that ends under a transaction is the database that is away, and no fault",
  async () => {
    await using database = await createDatabase();
    await using db = await openPostgres(database.url, silentLog);
    const transaction = db.main.transaction().execute(async (tx) => {
      const found = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
      await sql`select pg_terminate_backend(${found.rows[0]?.pid ?? 0})`.execute(db.main);
      const ask = () => sql`select 1`.execute(tx);
      await assert.rejects(ask);
      await ask();
    });
    await assert.rejects(transaction, (error) => apiErrorOf(error).code === "not_ready");
  },
);

/** A way to a server that can be cut, with all connections on it, and mended. */
async function breakableLink(host: string, port: number) {
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const onward = connect(port, host);
    for (const socket of [client, onward]) {
      open.add(socket);
      socket.on("error", () => {});
      socket.once("close", () => {
        open.delete(socket);
        client.destroy();
        onward.destroy();
      });
    }
    client.pipe(onward).pipe(client);
  });
  const listen = async (at: number) => {
    server.listen(at, "127.0.0.1");
    await once(server, "listening");
  };
  await listen(0);
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("not listening on a port");
  const cut = async () => {
    const closed = once(server, "close");
    server.close();
    for (const socket of open) socket.destroy();
    await closed;
  };
  return {
    port: address.port,
    cut,
    mend: () => listen(address.port),
    [Symbol.asyncDispose]: async () => {
      if (server.listening) await cut();
    },
  };
}

test("SIGTERM in the middle of a fetch ends the process in order, with exit code 0", async () => {
  const asked = Promise.withResolvers<void>();
  // A source that never answers.
  await using server = await listenLocally(() => asked.resolve());
  using folder = temporaryFolder();
  await seedDataDir(folder.path);
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
