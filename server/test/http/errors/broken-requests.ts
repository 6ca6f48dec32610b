import assert from "node:assert/strict";
import { request } from "node:http";
import { test } from "node:test";
import { rawAnswer } from "../../support/http.ts";
import type { Service } from "../../support/service.ts";

/** Requests that are cut off, or are none. @param running the service, once it has started, and a key that reads */
export function brokenRequestTests(running: () => { readonly service: Service; readonly key: string }): void {
  test("a request that is no HTTP, or has a broken target, leaves the server standing", async () => {
    for (const text of [
      "nonsense\r\n\r\n",
      "GET // HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
      "GET http://[ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
      "GET /v1/feeds HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n",
      "GET // HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
      "GET /v1/stream HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
      "GET http://[ HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
    ]) {
      assert.match(await rawAnswer(running().service.url, text), /^HTTP\/1\.1 4\d\d /, text);
    }
    assert.equal((await running().service.get("/v1/feeds", running().key)).status, 200);
  });

  test("a client that leaves in the middle of its body does no harm", async () => {
    const { port, hostname } = new URL(running().service.url);
    const half = request({
      port,
      hostname,
      method: "POST",
      path: "/admin/v1/accounts",
      headers: {
        authorization: `Bearer ${running().service.adminToken}`,
        "content-type": "application/json",
        "content-length": "100",
      },
    });
    half.on("error", () => {});
    half.write('{"name":');
    const closed = new Promise((resolve) => half.once("close", resolve));
    half.destroy();
    await closed;
    assert.equal((await running().service.get("/v1/feeds", running().key)).status, 200);
  });
}
