import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { problem } from "@tapewire/contract/errors/errors.ts";
import { sql } from "kysely";
import pg from "pg";
import { makeKey } from "../../src/account/keys/key.ts";
import { apiErrorOf } from "../../src/http/wire/error-mapping.ts";
import { silentLog } from "../../src/runtime/log.ts";
import { openPostgres } from "../../src/store/engine/db.ts";
import { anyDatabase, anyEngine, createDatabase, onPostgres } from "../support/db.ts";
import { listenLocally } from "../support/http.ts";
import { runToEnd, spawnService, temporaryFolder, writeSources } from "../support/process.ts";
import { until } from "../support/receiver.ts";
import { startService } from "../support/service.ts";
import { silentProxy } from "../support/silent-proxy.ts";

test("a running service is alive and ready, and says so to anybody", async () => {
  await using service = await startService(anyEngine);
  for (const path of ["/livez", "/readyz"]) assert.equal((await service.get(path)).status, 200, path);
});

test("without the role api the paths of the API are not there, and the answer tells the roles", async () => {
  await using service = await startService(anyEngine, { roles: ["ingest", "webhooks"] });
  assert.equal((await service.get("/livez")).status, 200);
  const asked = [
    service.get("/v1/feeds"),
    service.get("/v1/feeds", makeKey()),
    service.get("/v1/feeds/x/text"),
    service.admin("POST", "/v1/score", {}),
    service.admin("GET", "/admin/v1/keys"),
    service.get("/app/v1/session"),
    service.get("/mcp"),
  ];
  for (const response of await Promise.all(asked)) {
    assert.equal(response.status, 404);
    const { code, detail } = problem.parse(await response.json());
    assert.equal(code, "not_found");
    assert.equal(
      detail,
      "This process does not serve the API: it has the roles ingest, webhooks, and lacks api",
    );
  }
  assert.equal((await service.admin("GET", "/metrics")).status, 200);
  assert.equal((await service.get("/metrics")).status, 401);
});

// Only there can another session hold a lock against the list.
onPostgres(
  "a list that takes too long is 503 overloaded with Retry-After, and the next one is fine",
  async () => {
    // The document is not in memory: it is read from the database.
    await using service = await startService("postgres", { windowBodyMegabytes: 0 });
    const { key } = await service.key("pro");
    await service.push({ title: "Tidewane Shipping orders two vessels" });
    const blocker = new pg.Client({ connectionString: service.config.databaseUrl ?? "" });
    await blocker.connect();
    await blocker.query("begin; lock table item_bodies in access exclusive mode");
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
    await using proxy = await silentProxy(database.url);
    await using service = await startService("postgres", { databaseUrl: proxy.url });
    const { key } = await service.key("pro");
    assert.equal((await service.get("/v1/feeds", key)).status, 200);
    await proxy.refuse();
    proxy.cut();
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
    await proxy.forward();
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

onPostgres(
  "/livez fails when the log cannot be read and others are answered, not when nobody is",
  async () => {
    await using database = await createDatabase();
    await using proxy = await silentProxy(database.url);
    const stuckAfterMs = 4_000;
    await using service = await startService("postgres", { databaseUrl: proxy.url, stuckAfterMs });
    const alive = async () => (await service.get("/livez")).status;
    const readAgeS = async () => {
      const told = await (await service.admin("GET", "/metrics")).text();
      return Number(/^tapewire_log_read_age_seconds (\S+)$/m.exec(told)?.[1]);
    };
    const blocker = new pg.Client({ connectionString: database.url });
    await blocker.connect();
    await blocker.query("begin; lock table item_keys in access exclusive mode");
    await until(async () => (await alive()) === 503, "it is stuck");
    assert.ok((await readAgeS()) * 1_000 >= stuckAfterMs);
    await blocker.end();
    await until(async () => (await alive()) === 200, "it goes on");
    await proxy.silence();
    await until(async () => (await readAgeS()) * 1_000 > stuckAfterMs, "nobody is answered");
    assert.equal(await alive(), 200);
    await proxy.refuse();
    proxy.cut();
    assert.equal(await alive(), 200);
  },
);

test("SIGTERM in the middle of a fetch ends the process in order, with exit code 0", async () => {
  const asked = Promise.withResolvers<void>();
  // A source that never answers.
  await using server = await listenLocally(() => asked.resolve());
  using folder = temporaryFolder();
  await using database = await anyDatabase(folder.path);
  const source = {
    id: "mute",
    name: "mute",
    provider: "recorded",
    format: "feed",
    url: `${server.origin}/feed`,
  };
  await using service = await spawnService({
    ...database.env,
    TAPEWIRE_SOURCES: writeSources(folder.path, [source]),
  });
  await asked.promise;
  assert.equal(await service.end("SIGTERM"), 0, service.output());
});

onPostgres("SIGTERM during the start ends the process in order too, with exit code 0", async () => {
  using folder = temporaryFolder();
  await using database = await createDatabase();
  const blocker = new pg.Client({ connectionString: database.url });
  await blocker.connect();
  await blocker.query("begin; lock table log_head in access exclusive mode");
  const stopped = Promise.withResolvers<ChildProcess>();
  const ended = runToEnd({ TAPEWIRE_DATA_DIR: folder.path, DATABASE_URL: database.url }, stopped.resolve);
  const waiting = "select from pg_locks where not granted and relation = 'log_head'::regclass";
  await until(async () => (await blocker.query(waiting)).rows.length > 0, "the start waits");
  (await stopped.promise).kill("SIGTERM");
  await pause(200);
  await blocker.end();
  assert.deepEqual(await ended, { code: 0, told: "" });
});
