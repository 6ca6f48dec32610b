import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { ParseError } from "../../../src/ingest/adapter.ts";
import { fetchLimits } from "../../../src/ingest/fetch/fetcher.ts";
import { feedAdapter } from "../../../src/ingest/sources/feed/feed.ts";
import { failure, failureAt, get, newFetcher, rawSite, site, source } from "../../support/hostile-sites.ts";

test("a connection that breaks, before the answer or in it", async () => {
  await failure((request) => {
    request.socket.destroy();
  });
  const error = await failure((_, response) => {
    response.writeHead(200, { "content-length": "1000" }).write("<rss>");
    setTimeout(() => response.destroy(), 20);
  });
  assert.equal(error.status, null);
});

test("headers without end, and what is no HTTP", async () => {
  await failure((_, response) => {
    response.writeHead(200, { "x-long": "x".repeat(200_000) }).end("<rss/>");
  });
  await failure((request) => {
    request.socket.end("SSH-2.0-OpenSSH_9.6\r\n");
  });
});

test("a refusal with an endless page tells its status and how long to wait", async () => {
  const block = Buffer.alloc(64 * 1024, 0x20);
  const { promise: closed, resolve } = Promise.withResolvers<number>();
  const error = await failure((_, response) => {
    let written = 0;
    response.on("close", () => resolve(written));
    response.writeHead(429, { "retry-after": "90" });
    const go = () => {
      while (!response.destroyed && response.write(block)) written += block.byteLength;
    };
    response.on("drain", go);
    go();
  });
  assert.deepEqual([error.status, error.retryAfterMs], [429, 90_000]);
  assert.ok((await closed) < fetchLimits.bodyBytes);
});

/** Ends by the time limit, as the message says: the site never ends. Lets go of the connection. */
async function runsOutOfTime(speak: (socket: Socket) => void): Promise<void> {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  await using bad = await rawSite((socket) => {
    socket.on("close", () => resolve());
    speak(socket);
  });
  const error = await failureAt(bad, { totalMs: 500 });
  assert.deepEqual([error.message, error.status], ["no complete answer within 500 ms", null]);
  await closed;
}

function drip(socket: Socket, text: string, everyMs: number): void {
  const timer = setInterval(() => socket.write(text), everyMs);
  socket.on("close", () => clearInterval(timer));
}

test("an answer in drops is given up when time is over, whatever part of it drips", async () => {
  const head = "HTTP/1.1 200 OK\r\n";
  const parts: Readonly<Record<string, (socket: Socket) => void>> = {
    silence: () => {},
    "the status line": (socket) => drip(socket, "H", 1_000),
    headers: (socket) => {
      socket.write(head);
      drip(socket, "x-drop: 1\r\n", 40);
    },
    "a body": (socket) => {
      socket.write(`${head}transfer-encoding: chunked\r\n\r\n`);
      drip(socket, "1\r\n \r\n", 40);
    },
    "a compressed body": (socket) => {
      socket.write(`${head}content-encoding: gzip\r\n\r\n`);
      socket.write(gzipSync("<rss/>").subarray(0, 10));
    },
    "interim answers": (socket) => drip(socket, "HTTP/1.1 102 Processing\r\n\r\n", 5),
  };
  await Promise.all(Object.values(parts).map(runsOutOfTime));
});

test("a redirect is followed at once, however its own body drips", async () => {
  await using good = await site((request, response) => {
    if (request.url === "/end") return response.end("<rss/>");
    return response.writeHead(302, { location: "/end" }).write("moved");
  });
  await using fetcher = newFetcher({ totalMs: 2_000 });
  assert.equal((await get(fetcher, good.url)).status, "ok");
});

test("headers, interim answers and chunk extensions without end are cut off, long before the time limit", async () => {
  const endless = (start: string, more: string) => (socket: Socket) => {
    const block = more.repeat(1_000);
    const go = () => {
      while (!socket.destroyed && socket.write(block));
    };
    socket.write(start);
    socket.on("drain", go);
    go();
  };
  const bytes = /^more than \d+ bytes came/;
  const starts: readonly (readonly [string, string, RegExp])[] = [
    ["HTTP/1.1 200 OK\r\n", "x-more: and more of it\r\n", /Headers Overflow/],
    ["HTTP/1.1 200 OK\r\nx-long: ", "xxxxxxxxxx", /Headers Overflow/],
    ["HTTP/1.1 200 ", "OK and so on ", bytes],
    ["", "HTTP/1.1 103 Early Hints\r\nlink: </style.css>\r\n\r\n", bytes],
    ["HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1", ";name=value", bytes],
  ];
  for (const [start, more, told] of starts) {
    await using bad = await rawSite(endless(start, more));
    assert.match((await failureAt(bad)).message, told, start);
  }
});

test("what came before on a kept connection is not counted", async () => {
  const large = Buffer.alloc(fetchLimits.bodyBytes, 0x20);
  const connections = new Set<number | undefined>();
  await using server = await site((request, response) => {
    connections.add(request.socket.remotePort);
    response.end(large);
  });
  await using fetcher = newFetcher();
  for (let n = 0; n < 4; n += 1) assert.equal((await get(fetcher, server.url)).status, "ok");
  assert.ok(connections.size < 4);
});

test("an HTML page with status 200 is no feed", async () => {
  await using server = await site((_, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Sign in</title>");
  });
  await using fetcher = newFetcher();
  const fetched = await get(fetcher, server.url);
  assert.ok(fetched.status === "ok");
  assert.throws(() => feedAdapter.parse(fetched.response, source), ParseError);
});
