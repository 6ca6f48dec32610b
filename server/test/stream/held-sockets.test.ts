import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { createConnection, type Socket } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createdKey } from "@tapewire/contract/admin.ts";
import pg from "pg";
import { makeKey } from "../../src/account/keys/key.ts";
import { anyEngine, onPostgres, seedDataDir } from "../support/db.ts";
import { spawnService, temporaryFolder } from "../support/process.ts";
import { startService } from "../support/service.ts";
import { notices } from "../support/stream-connect.ts";

const adminToken = "tw_admin_for_tests_only";
const noSources = new URL("../support/no-sources.json", import.meta.url).pathname;
const env = {
  TAPEWIRE_SOURCES: noSources,
  TAPEWIRE_DEMO: "off",
  TAPEWIRE_ADMIN_TOKEN: adminToken,
};

/** A client that never closes its half of the connection, whatever it is told. */
function holding(url: string, ...head: readonly string[]): Socket {
  const { hostname, port } = new URL(url);
  const socket = createConnection({ host: hostname, port: Number(port), allowHalfOpen: true });
  socket.on("error", () => {});
  socket.write(head.join("\r\n"));
  return socket;
}

/** The head of a request to become a WebSocket. */
function upgrade(path: string, key: string | null): string[] {
  return [
    `GET ${path} HTTP/1.1`,
    "Host: stream",
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ...(key === null ? [] : [`Authorization: Bearer ${key}`]),
    "",
    "",
  ];
}

/** What comes up to the server's end of the connection. */
async function answerOf(socket: Socket): Promise<string> {
  let text = "";
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) text += String(chunk);
  return text;
}

/** Up to the end of a head. */
async function headOf(socket: Socket): Promise<string> {
  let text = "";
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    text += String(chunk);
    if (text.includes("\r\n\r\n")) return text;
  }
  return text;
}

/** Resolves when the other side has given the connection up: what is sent to it is refused then. */
async function givenUp(socket: Socket): Promise<void> {
  for (const end = performance.now() + 20_000; !socket.destroyed; await sleep(50)) {
    assert.ok(performance.now() < end, "the server holds the connection");
    socket.write("x");
  }
}

test("a refused upgrade is answered, and its connection ends though the client holds it", async () => {
  await using service = await startService(anyEngine);
  const held = [
    holding(service.url, ...upgrade("/v1/stream", null)),
    holding(service.url, ...upgrade("/v1/stream", "tw_live_nonsense")),
    holding(service.url, ...upgrade("/nowhere", null)),
    // Sends on: what it sends is of no interest, and takes none of the answer away.
    holding(service.url, ...upgrade("/v1/stream", null), "x".repeat(100_000)),
  ];
  const statuses = await Promise.all(held.map(async (socket) => (await answerOf(socket)).slice(0, 12)));
  assert.deepEqual(statuses, ["HTTP/1.1 401", "HTTP/1.1 401", "HTTP/1.1 404", "HTTP/1.1 401"]);
  await Promise.all(held.map(givenUp));
});

// Only there can another session hold a lock against the keys.
onPostgres("an upgrade that cannot be judged in time is 503, and its connection ends", async () => {
  await using service = await startService("postgres");
  const blocker = new pg.Client({ connectionString: service.config.databaseUrl ?? "" });
  await blocker.connect();
  await blocker.query("begin; lock table keys in access exclusive mode");
  const socket = holding(service.url, ...upgrade("/v1/stream", makeKey()));
  const answer = await answerOf(socket);
  assert.match(answer, /^HTTP\/1\.1 503 /);
  assert.match(answer, /^Retry-After: \d+$/im);
  assert.match(answer, /"code":"overloaded"/);
  await givenUp(socket);
  await blocker.end();
});

/** Clients of every kind that take nothing, say nothing and hold on. */
async function slowClients(url: string): Promise<Socket[]> {
  const call = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${adminToken}`, "content-type": "application/json" };
    return (await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) })).json();
  };
  const { key } = createdKey.parse(await call("/admin/v1/keys", { plan: "enterprise" }));
  await call("/admin/v1/items", notices(200, { body: "Long. ".repeat(3_000) }));
  const authorized = ["Host: stream", `Authorization: Bearer ${key}`];
  const streams = [
    holding(url, ...upgrade("/v1/stream", key)),
    holding(url, "GET /v1/stream/sse HTTP/1.1", ...authorized, "", ""),
  ];
  for (const stream of streams) assert.match(await headOf(stream), /^HTTP\/1\.1 (101|200) /);
  const refused = holding(url, ...upgrade("/v1/stream", null));
  assert.match(await answerOf(refused), /^HTTP\/1\.1 401 /);
  const others = [
    refused,
    holding(url, ...upgrade("/v1/stream", null), "x".repeat(1_000)),
    holding(url, "GET /v1/feeds HTTP/1.1", "Host: str"),
    holding(
      url,
      "POST /v1/score HTTP/1.1",
      ...authorized,
      "Content-Length: 100",
      "Expect: 100-continue",
      "",
      "",
    ),
    holding(
      url,
      "POST /v1/score HTTP/1.1",
      ...authorized,
      "Content-Type: application/json",
      "Content-Length: 100",
      "",
      "{",
    ),
    holding(url, "CONNECT stream:443 HTTP/1.1", "Host: stream:443", "", ""),
    holding(url, "no HTTP at all", "", ""),
    holding(url, ""),
    // Answers that nobody reads.
    holding(url, ...Array(50).fill(["GET /v1/feeds?limit=200 HTTP/1.1", ...authorized, "", ""].join("\r\n"))),
  ];
  for (const socket of [...streams, ...others]) socket.pause();
  return [...streams, ...others];
}

const isLocked = (folder: string) => existsSync(join(folder, "lock"));

test("clients that hold their connections keep no service from ending in order", async () => {
  using folder = temporaryFolder();
  await seedDataDir(folder.path);
  await using service = await spawnService({ ...env, TAPEWIRE_DATA_DIR: folder.path });
  const clients = await slowClients(service.url);
  assert.equal(isLocked(folder.path), true);
  assert.equal(await service.end("SIGTERM"), 0, service.output());
  assert.equal(isLocked(folder.path), false);
  for (const client of clients) client.destroy();
});

test("a second signal, a second later, ends the service at once, and leaves no lock behind", async () => {
  using folder = temporaryFolder();
  await seedDataDir(folder.path);
  await using service = await spawnService({ ...env, TAPEWIRE_DATA_DIR: folder.path });
  const clients = await slowClients(service.url);
  const stopping = new Promise<void>((resolve) => {
    service.child.stdout.on("data", (chunk) => String(chunk).includes("SIGTERM") && resolve());
  });
  service.child.kill("SIGTERM");
  await stopping;
  // One within a second of the first is taken for the same.
  await sleep(1_200);
  assert.equal(await service.end("SIGTERM"), 1, service.output());
  assert.equal(isLocked(folder.path), false);
  for (const client of clients) client.destroy();
});
