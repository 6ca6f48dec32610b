import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { test } from "node:test";
import { Router, sendAnswer, serverOf } from "../../../src/http/wire/wire.ts";
import { silentLog } from "../../../src/runtime/log.ts";
import { listening } from "../../support/http.ts";

test("a connection may wait for its answer as long as it takes, but not leave it unread for ever", async () => {
  const started = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  const sent = Promise.withResolvers<void>();
  const router = new Router();
  router.add("GET", "/large", async (exchange) => {
    started.resolve();
    await go.promise;
    await sendAnswer(exchange, 200, { body: "x".repeat(32 * 2 ** 20) });
    sent.resolve();
  });
  const server = serverOf(router, silentLog);
  const opened = once(server, "connection");
  await using listener = await listening(server);
  const { port, hostname } = new URL(listener.origin);
  const client = connect(Number(port), hostname).pause();
  client.write("GET /large HTTP/1.1\r\nHost: x\r\n\r\n");
  const [socket]: Socket[] = await opened;
  await started.promise;
  assert.equal(socket?.timeout ?? 0, 0);
  go.resolve();
  await sent.promise;
  assert.ok(socket !== undefined && (socket.timeout ?? 0) > 0);
  client.destroy();
});
