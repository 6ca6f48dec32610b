import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { Tapewire } from "tapewire";
import { listening } from "../../server/test/support/http.ts";
import { until } from "../../server/test/support/receiver.ts";

test("a process that serves streams alone and cuts a handshake is asked again", async () => {
  let handshakes = 0;
  const server = createServer((_, response) => void response.writeHead(404).end());
  server.on("upgrade", (_, socket) => {
    handshakes += 1;
    socket.destroy();
  });
  await using local = await listening(server);
  const stream = new Tapewire({ baseUrl: local.origin, key: "tw_live_none" }).stream();
  const ended: unknown[] = [];
  const reading = (async () => {
    for await (const event of stream) ended.push(event);
  })().catch((error: unknown) => ended.push(error));
  await until(() => handshakes >= 3, "further handshakes");
  assert.ok(!ended.some((one) => one instanceof Error));
  await stream.close();
  await reading;
});
