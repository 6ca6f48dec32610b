import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { readBody } from "../../src/ingest/fetch/content-coding.ts";
import { fetchLimits } from "../../src/ingest/fetch/fetcher.ts";
import { Gate } from "../../src/runtime/gate.ts";
import { failure, get, newFetcher, site } from "../support/sites.ts";

test("a body just within the cap is taken, one byte more is not", async () => {
  await using server = await site((request, response) => {
    response.end(Buffer.alloc(fetchLimits.bodyBytes + (request.url === "/more" ? 1 : 0), 0x20));
  });
  await using fetcher = newFetcher();
  const fetched = await get(fetcher, server.url);
  assert.ok(fetched.status === "ok");
  assert.equal(fetched.response.body.byteLength, fetchLimits.bodyBytes);
  assert.match((await failure(get(fetcher, `${server.url}/more`))).message, /larger than/);
});

test("every compression that servers send is undone, with one laid over another", async () => {
  const feed = Buffer.from("<rss>prices rise</rss>".repeat(5_000));
  const bodies: readonly (readonly [string, Buffer])[] = [
    ["gzip", gzipSync(feed)],
    ["x-gzip", gzipSync(feed)],
    ["GZIP", Buffer.concat([gzipSync(feed.subarray(0, 1_000)), gzipSync(feed.subarray(1_000))])],
    ["deflate", deflateSync(feed)],
    ["deflate", deflateRawSync(feed)],
    ["br", brotliCompressSync(feed)],
    ["zstd", zstdCompressSync(feed)],
    ["gzip, gzip", gzipSync(gzipSync(feed))],
    ["deflate, br", brotliCompressSync(deflateRawSync(feed))],
    ["identity, gzip", gzipSync(feed)],
    ["identity", feed],
  ];
  await using server = await site((request, response) => {
    const [encoding, body] = bodies[Number(request.url?.slice(1))] ?? [];
    response.writeHead(200, { "content-encoding": encoding }).end(body);
  });
  await using fetcher = newFetcher();
  for (const [index, [encoding]] of bodies.entries()) {
    const fetched = await get(fetcher, `${server.url}/${index}`);
    assert.ok(fetched.status === "ok");
    assert.ok(feed.equals(fetched.response.body), encoding);
  }
});

test("large bodies are read one after another when there is one slot, small ones meanwhile", async () => {
  const { signal } = new AbortController();
  const limits = { maxBytes: 1_000_000, smallBytes: 1_000, large: new Gate({ inside: 1 }), of: "a.example" };
  const { promise: go, resolve } = Promise.withResolvers<void>();
  let taken = 0;
  async function* held() {
    yield Buffer.alloc(2_000);
    await go;
    yield Buffer.alloc(2_000);
  }
  async function* counting() {
    for (; taken < 100; taken += 1) yield Buffer.alloc(2_000);
  }
  const body = (chunks: AsyncIterable<Buffer>) => Readable.from(chunks, { highWaterMark: 1 });
  const first = readBody(body(held()), "", limits, signal);
  await delay(10);
  const second = readBody(body(counting()), "", limits, signal);
  const small = await readBody(body(Readable.from([Buffer.alloc(1_000)])), "", limits, signal);
  assert.equal(small.byteLength, 1_000);
  await delay(10);
  assert.ok(taken < 5, String(taken));
  const stop = new AbortController();
  const third = readBody(body(counting()), "", limits, stop.signal);
  stop.abort(new Error("stopped"));
  await assert.rejects(third, { message: "stopped" });
  resolve();
  assert.equal((await first).byteLength, 4_000);
  assert.ok((await second).byteLength > 180_000);
  assert.equal((await readBody(body(held()), "", limits, signal)).byteLength, 4_000);
});

test("an answer that says it is too large is not read", async () => {
  await using server = await site((_, response) => {
    response.writeHead(200, { "content-length": String(fetchLimits.bodyBytes + 1) }).write("<rss>");
  });
  await using fetcher = newFetcher();
  assert.match((await failure(get(fetcher, server.url))).message, /larger than/);
});
