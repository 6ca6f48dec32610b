import assert from "node:assert/strict";
import { getActiveResourcesInfo } from "node:process";
import { test } from "node:test";
import { AttemptError } from "../../../src/webhooks/send/attempt-error.ts";
import { selfSigned } from "../../support/certificates.ts";
import { answering, newSender, outgoing, type Request, reply, startReceiver, until } from "./receiver.ts";

test("a kept connection that died before any answer is replaced at once, and once", async () => {
  const certificate = selfSigned({ hosts: ["127.0.0.1"] });
  for (const tls of [undefined, certificate]) {
    // Every connection answers one request, and breaks at the second.
    const served = new WeakSet<object>();
    const answer = ({ socket, index }: Request) => {
      if (served.has(socket) && index % 4 === 1) socket.end();
      else if (served.has(socket)) socket.destroy();
      else socket.write(reply("200 OK"));
      served.add(socket);
    };
    await using receiver = await startReceiver(answer, tls === undefined ? {} : { tls });
    await using sender = newSender({ ca: [certificate.cert] });
    const url = `${tls === undefined ? "http" : "https"}://127.0.0.1:${receiver.port}/`;
    for (let sent = 0; sent < 4; sent += 1) assert.equal((await sender.send(outgoing(url))).error, null);
    assert.deepEqual([receiver.connections, receiver.requests.length], [4, 7]);
    const ids = receiver.requests.map((text) => /webhook-id: (.*)\r/.exec(text)?.[1]);
    assert.deepEqual(new Set(ids), new Set(["msg_1"]));
  }
});

test("one that closes while it is free is not used, and one that breaks in its answer is not repeated", async () => {
  await using receiver = await startReceiver(({ socket, index }) => {
    if (index === 0) socket.end(reply("200 OK"));
    if (index === 1) socket.write(reply("200 OK"));
    if (index === 2) socket.end("HTTP/1.1 2");
  });
  await using sender = newSender();
  const url = `http://127.0.0.1:${receiver.port}/`;
  assert.equal((await sender.send(outgoing(url))).ok, true);
  await until(() => receiver.open === 0);
  assert.equal((await sender.send(outgoing(url))).ok, true);
  assert.equal((await sender.send(outgoing(url))).error, "reset");
  assert.deepEqual([receiver.connections, receiver.requests.length], [2, 3]);
});

test("a forgotten receiver's connections close; what is under way ends well", async () => {
  const held: (() => void)[] = [];
  await using receiver = await startReceiver(({ socket, index }) => {
    const answer = () => socket.write(reply("200 OK"));
    if (index < 2) held.push(answer);
    else answer();
  });
  await using sender = newSender();
  const url = `http://127.0.0.1:${receiver.port}/`;
  const first = sender.send(outgoing(url));
  const second = sender.send(outgoing(url));
  await until(() => held.length === 2);
  held[0]?.();
  assert.equal((await first).ok, true);
  sender.forget(url);
  await until(() => receiver.open === 1);
  held[1]?.();
  assert.equal((await second).ok, true);
  await until(() => receiver.open === 0);
  assert.equal((await sender.send(outgoing(url))).ok, true);
  assert.equal(receiver.connections, 3);
  sender.forget("no url");
});

test("free connections are bounded over all receivers: the one unused longest goes", async () => {
  await using receiver = await startReceiver(answering("200 OK"));
  await using sender = newSender({ limits: { maxIdle: 3 } });
  const url = (host: number) => `http://127.0.0.${host}:${receiver.port}/`;
  await using others = await startReceiver(answering("200 OK"), { host: "0.0.0.0" });
  const far = (host: number) => url(host).replace(String(receiver.port), String(others.port));
  for (const host of [1, 2, 3, 1, 4, 5]) assert.equal((await sender.send(outgoing(far(host)))).ok, true);
  await until(() => others.open === 3);
  const before = others.connections;
  for (const host of [1, 4, 5]) await sender.send(outgoing(far(host)));
  assert.equal(others.connections, before, "1, 4 and 5 are kept");
  await sender.send(outgoing(far(2)));
  assert.equal(others.connections, before + 1);
});

test("a burst leaves no more than the bound open, and none when the sender is gone", async () => {
  await using receiver = await startReceiver(answering("200 OK"));
  const before = openSockets();
  {
    await using sender = newSender({ limits: { maxIdle: 8 } });
    const url = `http://127.0.0.1:${receiver.port}/`;
    const attempts = await Promise.all(Array.from({ length: 64 }, () => sender.send(outgoing(url))));
    assert.ok(attempts.every(({ ok }) => ok));
    await until(() => receiver.open === 8);
  }
  await until(() => receiver.open === 0);
  await until(() => openSockets() <= before);
});

function openSockets(): number {
  return getActiveResourcesInfo().filter((kind) => kind === "TCPSocketWrap").length;
}

test("what is under way when its origin is forgotten is cut with the rest at the end", async () => {
  await using receiver = await startReceiver(() => {});
  const sender = newSender();
  const url = `http://127.0.0.1:${receiver.port}/`;
  const attempt = sender.send(outgoing(url));
  await until(() => receiver.requests.length === 1);
  sender.forget(url);
  await sender[Symbol.asyncDispose]();
  const { error, ms } = await attempt;
  assert.equal(error, "stopped");
  assert.ok(ms < 10_000, `${ms} ms`);
});

test("where the process has no socket left, the connections that are kept make room", async () => {
  await using receiver = await startReceiver(answering("200 OK"));
  await using sender = newSender({
    resolve: async () => {
      throw new AttemptError("stopped");
    },
  });
  await sender.send(outgoing(`http://127.0.0.1:${receiver.port}/`));
  assert.equal(receiver.open, 1);
  assert.equal((await sender.send(outgoing("http://hooks.example.com/"))).error, "stopped");
  await until(() => receiver.open === 0);
});
