import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { brotliCompressSync, gzipSync, constants as zlib, zstdCompressSync } from "node:zlib";
import { ParseError } from "../../../src/ingest/adapter.ts";
import { fetchLimits } from "../../../src/ingest/fetch/fetcher.ts";
import { FetchError } from "../../../src/ingest/fetch/types.ts";
import { feedAdapter } from "../../../src/ingest/sources/feed/feed.ts";
import { failure, failureAt, get, newFetcher, rawSite, site, source } from "../../support/hostile-sites.ts";

/** 300 MB in some 300 kB: gzip members one after another are one gzip file. */
function gzipBomb(): Buffer {
  const megabyte = gzipSync(Buffer.alloc(1024 * 1024, "a "), { level: 9 });
  return Buffer.concat(Array.from({ length: 300 }, () => megabyte));
}

const fast = { params: { [zlib.BROTLI_PARAM_QUALITY]: 3 } };
const blanks = (megabytes: number) => Buffer.alloc(megabytes * 1024 * 1024, 0x20);
/** Unpacks to nothing: without a count of what goes in, it would be read for as long as it lasts. */
const emptyMembers = () => Buffer.alloc(20 * 1_000_000, gzipSync(""));

const bombs: Readonly<Record<string, () => readonly [string, Buffer]>> = {
  gzip: () => ["gzip", gzipBomb()],
  "gzip in gzip": () => ["gzip, gzip", gzipSync(gzipBomb())],
  "nothing in gzip in gzip": () => ["gzip, gzip", gzipSync(emptyMembers())],
  brotli: () => ["br", brotliCompressSync(blanks(300), fast)],
  "gzip in brotli": () => ["gzip, br", brotliCompressSync(gzipBomb())],
  zstd: () => ["zstd", zstdCompressSync(blanks(300))],
  "a title of 50 MB": () => [
    "identity",
    Buffer.concat([Buffer.from("<rss><channel><item><title>"), blanks(50)]),
  ],
};

/** A process of its own, so that what the bombs cost to make is not counted. */
const opener = `
  import { Fetcher } from ${JSON.stringify(import.meta.resolve("../../../src/ingest/fetch/fetcher.ts"))};
  import { LocalHostGates } from ${JSON.stringify(import.meta.resolve("../../support/host-gates.ts"))};
  import { systemClock } from ${JSON.stringify(import.meta.resolve("../../../src/runtime/clock.ts"))};
  const fetcher = new Fetcher({ clock: systemClock, userAgent: "Tapewire/test", gates: new LocalHostGates() });
  const get = (url) => fetcher.fetch(
    { url, accept: "*/*", conditional: false, trusted: true },
    { validators: null, asker: { url, hosts: [], requests_per_s: 1_000 }, signal: new AbortController().signal },
  );
  const [origin, ...names] = process.argv.slice(1);
  await get(origin + "/good");
  const before = process.resourceUsage().maxRSS;
  const told = {};
  for (const name of names)
    told[name] = await get(origin + "/" + encodeURIComponent(name)).then(({ status }) => status, ({ name, message }) => name + ": " + message);
  await get(origin + "/good");
  await fetcher[Symbol.asyncDispose]();
  process.stdout.write(JSON.stringify({ told, grownMb: (process.resourceUsage().maxRSS - before) / 1024 }));
`;

test("bombs of every compression stop at the cap and cost less than 100 MB", async (context) => {
  await using server = await site((request, response) => {
    const [encoding, body] = bombs[decodeURIComponent(request.url?.slice(1) ?? "")]?.() ?? [
      "identity",
      "<rss/>",
    ];
    response.writeHead(200, { "content-encoding": encoding }).end(body);
  });
  const flags = ["--input-type=module", "--eval", opener, server.url, ...Object.keys(bombs)];
  const { stdout } = await promisify(execFile)(process.execPath, flags, { timeout: 60_000 });
  const result: unknown = JSON.parse(stdout);
  assert.ok(typeof result === "object" && result !== null && "told" in result && "grownMb" in result);
  const want = `FetchError: the answer is larger than ${fetchLimits.bodyBytes} bytes`;
  assert.deepEqual(result.told, Object.fromEntries(Object.keys(bombs).map((name) => [name, want])));
  context.diagnostic(`peak memory grew by ${Math.round(Number(result.grownMb))} MB`);
  assert.ok(Number(result.grownMb) < 100, `grew by ${result.grownMb} MB`);
});

test("a body that was compressed twice and says once is no feed", async () => {
  await using server = await site((_, response) => {
    response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(gzipBomb()));
  });
  await using fetcher = newFetcher();
  const fetched = await get(fetcher, server.url);
  assert.ok(fetched.status === "ok");
  assert.ok(fetched.response.body.byteLength < 1_000_000);
  assert.throws(() => feedAdapter.parse(fetched.response, source), ParseError);
});

test("an endless body is hung up on, not drained", async () => {
  const { promise: closed, resolve } = Promise.withResolvers<number>();
  const block = Buffer.alloc(256 * 1024, 0x20);
  const error = await failure((_, response) => {
    let written = 0;
    response.on("close", () => resolve(written));
    const go = () => {
      while (!response.destroyed && response.write(block)) written += block.byteLength;
      written += block.byteLength;
    };
    response.on("drain", go);
    go();
  });
  assert.match(error.message, /larger than/);
  // What stands in the buffers of the sockets comes on top of the cap.
  assert.ok((await closed) < fetchLimits.bodyBytes + 16 * 1024 * 1024);
});

test("broken and unknown encodings are failures, and their connection is closed", async () => {
  const whole = gzipSync("<rss>".repeat(10_000));
  const bodies: readonly (readonly [string, Buffer])[] = [
    ["gzip", whole.subarray(0, whole.byteLength - 20)],
    ["gzip", Buffer.from("<rss/> not compressed at all")],
    ["br", whole],
    ["deflate", Buffer.from("<rss/>")],
  ];
  for (const [encoding, body] of bodies)
    await failure((_, response) => {
      response.writeHead(200, { "content-encoding": encoding }).end(body);
    });
  const { promise: closed, resolve } = Promise.withResolvers<string>();
  const error = await failure((_, response) => {
    response.on("close", () => resolve("closed"));
    response.writeHead(200, { "content-encoding": "lzma, gzip" }).write("x");
  });
  assert.match(error.message, /content-encoding 'lzma'/);
  assert.equal(await closed, "closed");
});

test("an unknown encoding gives the connection up at once", async () => {
  const { promise: closed, resolve } = Promise.withResolvers<string>();
  await using server = await site((_, response) => {
    response.on("close", () => resolve("closed"));
    response.writeHead(200, { "content-encoding": "lzma" }).write("x");
  });
  await using fetcher = newFetcher();
  await assert.rejects(get(fetcher, server.url), FetchError);
  // Neither the fetcher nor the server is closed yet: nobody else can have ended it.
  assert.equal(await Promise.race([closed, delay(5_000, "still open")]), "closed");
});

test("a length that is not that of the body is a failure, or cuts what is beyond", async () => {
  const speak = (text: string) => rawSite((socket) => socket.end(text));
  const ok = "HTTP/1.1 200 OK\r\n";
  for (const text of [
    `${ok}content-length: 100\r\n\r\n<rss/>`,
    `${ok}content-length: -1\r\n\r\n<rss/>`,
    `${ok}content-length: 6\r\ncontent-length: 7\r\n\r\n<rss/>`,
    `${ok}content-length: 99999999999999999999999\r\n\r\n<rss/>`,
    `${ok}transfer-encoding: chunked\r\n\r\n100\r\n<rss/>`,
    `${ok}transfer-encoding: chunked\r\n\r\nffffffffffffffffff\r\n<rss/>`,
  ]) {
    await using bad = await speak(text);
    assert.equal((await failureAt(bad)).status, null, text);
  }
  await using server = await speak(`${ok}content-length: 6\r\n\r\n<rss/>HTTP/1.1 200 OK\r\n\r\n<forged/>`);
  await using fetcher = newFetcher();
  const fetched = await get(fetcher, server.url);
  assert.ok(fetched.status === "ok");
  assert.equal(Buffer.from(fetched.response.body).toString(), "<rss/>");
});

test("more than two compressions are refused", async () => {
  const error = await failure((_, response) => {
    response.writeHead(200, { "content-encoding": "gzip, gzip, gzip" }).end(gzipSync("<rss/>"));
  });
  assert.equal(error.message, "more than 2 content-encodings");
});

test("a zstd frame that wants a window of 128 MB does not get it", async () => {
  // Magic number, a frame header without a content size, and a window of 2^27 bytes.
  const frame = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x88, 0x01, 0x00, 0x00]);
  const error = await failure((_, response) => {
    response.writeHead(200, { "content-encoding": "zstd" }).end(frame);
  });
  assert.match(error.message, /memory|window/i);
});
