import assert from "node:assert/strict";
import { mkdirSync, mkdtempDisposableSync, utimesSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import { problem } from "@tapewire/contract/errors/errors.ts";
import { mountDashboard } from "../../src/http/dashboard/dashboard.ts";
import { Router, serverOf } from "../../src/http/wire/wire.ts";
import { silentLog } from "../../src/runtime/log.ts";
import { anyEngine } from "../support/db.ts";
import { startService } from "../support/service.ts";

const page = '<html lang="en"><script type="module" src="./assets/index-abc.js"></script>';
const script = `console.log(${JSON.stringify("tape ".repeat(400))})`;

function writeBuild(folder: string): void {
  mkdirSync(join(folder, "assets"));
  writeFileSync(join(folder, "index.html"), page);
  writeFileSync(join(folder, "assets", "index-abc.js"), script);
  writeFileSync(join(folder, "assets", "index-abc.js.br"), brotliCompressSync(script));
}

async function serving(folder: string) {
  const router = new Router();
  mountDashboard(router, folder);
  const server = serverOf(router, silentLog);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  const { port }: AddressInfo = address;
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers, redirect: "manual" });
  return { get, port, [Symbol.asyncDispose]: async () => void server.close().closeAllConnections() };
}

describe("files of the dashboard", () => {
  test("every path below /app has the page, with addresses that fit its depth", async () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), "dashboard-"));
    writeBuild(folder.path);
    await using served = await serving(folder.path);
    for (const [path, prefix] of [
      ["/app/", "./"],
      ["/app/feed", "./"],
      ["/app/item/5", "../"],
      ["/app/webhooks/5/stats", "../../"],
    ] as const) {
      const answer = await served.get(path);
      assert.equal(answer.status, 200, path);
      assert.equal(await answer.text(), page.replace("./", prefix), path);
      assert.equal(answer.headers.get("cache-control"), "no-cache");
      const again = await served.get(path, { "if-none-match": answer.headers.get("etag") ?? "" });
      assert.equal(again.status, 304, path);
    }
    const bare = await served.get("/app");
    assert.deepEqual([bare.status, bare.headers.get("location")], [302, "app/"]);
  });

  test("a page that was built while the service runs is marked as newer than it", async () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), "dashboard-"));
    writeBuild(folder.path);
    await using served = await serving(folder.path);
    const newer = async () => (await (await served.get("/app/feed")).text()).includes("<html data-newer ");
    assert.equal(await newer(), false);
    utimesSync(join(folder.path, "index.html"), new Date(), new Date(Date.now() + 5_000));
    assert.equal(await newer(), true);
    await using restarted = await serving(folder.path);
    assert.equal((await (await restarted.get("/app/feed")).text()).includes("data-newer"), false);
  });

  test("the page may load and run only what comes from this service", async () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), "dashboard-"));
    writeBuild(folder.path);
    await using served = await serving(folder.path);
    const { headers } = await served.get("/app/feed");
    const policy = headers.get("content-security-policy")?.split("; ") ?? [];
    for (const part of [
      "default-src 'none'",
      "script-src 'self'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
      `connect-src 'self' ws://127.0.0.1:${served.port} wss://127.0.0.1:${served.port}`,
    ])
      assert.ok(policy.includes(part), `${part} in ${policy}`);
    assert.equal(headers.get("cross-origin-opener-policy"), "same-origin");
    assert.equal(headers.get("referrer-policy"), "no-referrer");
  });

  test("files with a hash are kept for ever, and sent as they were compressed", async () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), "dashboard-"));
    writeBuild(folder.path);
    await using served = await serving(folder.path);
    const answer = await served.get("/app/assets/index-abc.js", { "accept-encoding": "br" });
    assert.equal(await answer.text(), script);
    assert.equal(answer.headers.get("content-encoding"), "br");
    assert.equal(Number(answer.headers.get("content-length")), brotliCompressSync(script).length);
    assert.equal(brotliDecompressSync(brotliCompressSync(script)).toString(), script);
    assert.match(answer.headers.get("cache-control") ?? "", /immutable/);
    for (const path of ["/app/assets/other.js", "/app/assets/index-abc.js.br", "/app/v1/nothing"])
      assert.equal((await served.get(path)).status, 404, path);
  });

  test("without a build /app says why and what to do, until there is one", async () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), "dashboard-"));
    await using served = await serving(folder.path);
    const browser = { accept: "text/html,*/*;q=0.8" };
    const none = await served.get("/app/", browser);
    assert.match(none.headers.get("content-type") ?? "", /^text\/plain/);
    assert.match(await none.text(), /npm run build:dashboard/);
    writeFileSync(join(folder.path, "failed.txt"), "no such import: uplotz");
    const failed = await served.get("/app/feed", browser);
    assert.deepEqual([failed.status, failed.headers.get("retry-after")], [503, "10"]);
    assert.match(await failed.text(), /no such import: uplotz/);
    writeBuild(folder.path);
    assert.equal((await served.get("/app/feed")).status, 200);
  });

  test("without a build a program gets a problem document, also where it mistook the version of an address", async () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), "dashboard-"));
    await using served = await serving(folder.path);
    for (const path of ["/app/", "/app/v2/sign-in-options"]) {
      const answer = await served.get(path, { accept: "*/*" });
      assert.deepEqual([answer.status, answer.headers.get("retry-after")], [503, "10"], path);
      assert.equal(answer.headers.get("content-type"), "application/problem+json", path);
      const { code, detail } = problem.parse(await answer.json());
      assert.equal(code, "not_ready");
      assert.match(detail, /npm run build:dashboard/);
    }
  });

  test("a Host header adds nothing but a host to the policy", async () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), "dashboard-"));
    writeBuild(folder.path);
    await using served = await serving(folder.path);
    const answer = await rawGet(served.port, "/app/", "evil; script-src *");
    assert.match(answer, /content-security-policy/i);
    assert.doesNotMatch(answer, /evil/);
  });
});

/** fetch does not send such a Host. */
async function rawGet(port: number, path: string, host: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.end(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("latin1");
}

test("the service leads browsers to the dashboard and programs to the reference; off: everybody to the reference", async () => {
  await using on = await startService(anyEngine);
  await using off = await startService(anyEngine, { dashboard: "off" });
  const locationOf = async (url: string, accept: string) =>
    (await fetch(`${url}/`, { headers: { accept }, redirect: "manual" })).headers.get("location");
  assert.equal(await locationOf(on.url, "text/html,*/*;q=0.8"), "/app/");
  assert.equal(await locationOf(on.url, "*/*"), "/docs");
  assert.equal(await locationOf(off.url, "text/html"), "/docs");
  assert.equal((await off.get("/app/")).status, 404);
});
