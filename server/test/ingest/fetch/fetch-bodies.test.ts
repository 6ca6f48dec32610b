import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { BodyRoom } from "../../../src/ingest/fetch/body-room.ts";
import { readBody } from "../../../src/ingest/fetch/content-coding.ts";
import { fetchLimits } from "../../../src/ingest/fetch/fetcher.ts";
import { failure, get, newFetcher, site } from "../../support/sites.ts";

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

test("when bodies hold too much together, the one that has held most for longest is given up", async () => {
  const limits = { maxBytes: 1_000_000, room: new BodyRoom(10_000) };
  const trickling = (sizeBytes: number) => {
    const body = new Readable({ read() {} });
    body.push(Buffer.alloc(sizeBytes));
    return body;
  };
  const slow = readBody(trickling(4_000), "", limits);
  const small = readBody(trickling(1), "", limits);
  await delay(20);
  const quick = readBody(Readable.from([Buffer.alloc(5_000), Buffer.alloc(2_000)]), "", limits);
  await assert.rejects(slow, { name: "FetchError", message: "too large and too slow beside other answers" });
  assert.equal((await quick).byteLength, 7_000);
  assert.equal(await Promise.race([small, "held"]), "held");
  // What has ended holds nothing.
  for (let n = 0; n < 5; n += 1)
    assert.equal((await readBody(Readable.from([Buffer.alloc(9_000)]), "", limits)).byteLength, 9_000);
});

test("a large answer comes at once, however many large ones trickle", async () => {
  const large = Buffer.alloc(2 * 1024 * 1024, 0x20);
  const { promise: allHeld, resolve } = Promise.withResolvers<void>();
  let held = 0;
  await using stack = new AsyncDisposableStack();
  const slow = await Promise.all(
    Array.from({ length: 4 }, async () =>
      stack.use(
        await site((_, response) => {
          response.write(large, () => {
            held += 1;
            if (held === 4) resolve();
          });
        }),
      ),
    ),
  );
  await using server = await site((_, response) => response.end(large));
  const fetcher = stack.use(newFetcher());
  const stop = new AbortController();
  let ended = 0;
  const hanging = slow.map(async ({ url }) => {
    await assert.rejects(get(fetcher, url, { signal: stop.signal }));
    ended += 1;
  });
  await allHeld;
  assert.equal((await get(fetcher, server.url)).status, "ok");
  assert.equal(ended, 0, "it waited for none of them");
  stop.abort();
  await Promise.all(hanging);
});

test("an answer that says it is too large is not read", async () => {
  await using server = await site((_, response) => {
    response.writeHead(200, { "content-length": String(fetchLimits.bodyBytes + 1) }).write("<rss>");
  });
  await using fetcher = newFetcher();
  assert.match((await failure(get(fetcher, server.url))).message, /larger than/);
});
