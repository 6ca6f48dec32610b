import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { Readable } from "node:stream";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { readBody } from "../../src/ingest/fetch/content-coding.ts";
import { Fetcher, type FetcherOptions, fetchLimits } from "../../src/ingest/fetch/fetcher.ts";
import { freshForMs } from "../../src/ingest/fetch/response-headers.ts";
import { FetchError, type Validators } from "../../src/ingest/fetch/types.ts";
import { systemClock } from "../../src/runtime/clock.ts";
import { Gate } from "../../src/runtime/gate.ts";
import { retryAfterMs } from "../../src/runtime/retry-after.ts";
import { LocalHostGates } from "../support/host-gates.ts";

interface Site extends AsyncDisposable {
  readonly url: string;
  readonly requests: IncomingMessage[];
}

async function site(answer: RequestListener): Promise<Site> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const userAgent = "Tapewire/test (desk@example.com)";
const newFetcher = (options: Partial<FetcherOptions> = {}) =>
  new Fetcher({ clock: systemClock, userAgent, gates: new LocalHostGates(), ...options });

interface Options {
  conditional?: boolean;
  validators?: Validators | null;
  requestsPerS?: number;
  signal?: AbortSignal;
}

function get(fetcher: Fetcher, url: string, options: Options = {}) {
  const {
    conditional = true,
    validators = null,
    requestsPerS = 1_000,
    signal = new AbortController().signal,
  } = options;
  return fetcher.fetch(
    { url, accept: "text/xml", conditional, trusted: true },
    { validators, asker: { url, hosts: [], requests_per_s: requestsPerS }, signal },
  );
}

async function failure(promise: Promise<unknown>): Promise<FetchError> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof FetchError, String(error));
  return error;
}

test("the answer, its validators, and who asked", async () => {
  await using server = await site((_, response) => {
    response.writeHead(200, {
      ETag: '"v1"',
      "Last-Modified": "Mon, 02 Mar 2026 14:30:00 GMT",
      "Content-Type": "text/xml",
      "Content-Encoding": "gzip",
    });
    response.end(gzipSync("<rss/>"));
  });
  await using fetcher = newFetcher();
  const fetched = await get(fetcher, `${server.url}/feed`);
  assert.ok(fetched.status === "ok");
  assert.equal(Buffer.from(fetched.response.body).toString(), "<rss/>");
  assert.equal(fetched.response.url, `${server.url}/feed`);
  assert.equal(fetched.response.headers["content-type"], "text/xml");
  assert.deepEqual(fetched.validators, { etag: '"v1"', lastModified: "Mon, 02 Mar 2026 14:30:00 GMT" });
  const [request] = server.requests;
  assert.equal(request?.headers["user-agent"], "Tapewire/test (desk@example.com)");
  assert.equal(request?.headers.accept, "text/xml");
  assert.match(String(request?.headers["accept-encoding"]), /gzip/);
});

test("validators are sent with a poll, not with a document", async (context) => {
  await using server = await site((request, response) => {
    response.writeHead(request.headers["if-none-match"] === '"v1"' ? 304 : 200);
    response.end();
  });
  await using fetcher = newFetcher();
  const validators = { etag: '"v1"', lastModified: "Mon, 02 Mar 2026 14:30:00 GMT" };
  const random = context.mock.method(Math, "random", () => 0.5);
  assert.equal((await get(fetcher, server.url, { validators })).status, "not_modified");
  assert.equal((await get(fetcher, server.url, { validators, conditional: false })).status, "ok");
  // One in a hundred asks for everything, to get out of a cache that is stuck.
  random.mock.mockImplementation(() => 0.001);
  assert.equal((await get(fetcher, server.url, { validators })).status, "ok");
  assert.deepEqual(
    server.requests.map(({ headers }) => [headers["if-none-match"], headers["if-modified-since"]]),
    [
      ['"v1"', validators.lastModified],
      [undefined, undefined],
      [undefined, undefined],
    ],
  );
});

test("other answers are failures with their status", async () => {
  await using server = await site((request, response) => {
    response.writeHead(Number(request.url?.slice(1))).end("no");
  });
  await using fetcher = newFetcher();
  for (const status of [204, 403, 404, 410, 500, 503]) {
    const error = await failure(get(fetcher, `${server.url}/${status}`));
    assert.deepEqual([error.status, error.retryAfterMs], [status, null]);
  }
});

test("a refused connection is a failure without status", async () => {
  let url = "";
  {
    await using server = await site((_, response) => response.end());
    url = server.url;
  }
  await using fetcher = newFetcher();
  assert.equal((await failure(get(fetcher, url))).status, null);
});

test("the SEC's block keeps the host quiet for ten minutes, whatever its status", async () => {
  await using server = await site((_, response) => {
    response.writeHead(403).end("<html><title>Request Rate Threshold Exceeded</title></html>");
  });
  await using fetcher = newFetcher();
  const error = await failure(get(fetcher, server.url));
  assert.deepEqual([error.status, error.retryAfterMs], [403, 600_000]);
});

test("one request at a time to a host, all of them served", async () => {
  let open = 0;
  let most = 0;
  await using server = await site((_, response) => {
    open += 1;
    most = Math.max(most, open);
    setTimeout(() => {
      open -= 1;
      response.end("<rss/>");
    }, 5);
  });
  await using fetcher = newFetcher();
  const paths = Array.from({ length: 12 }, (_, index) => `/${index}`);
  const all = await Promise.all(paths.map((path) => get(fetcher, server.url + path)));
  assert.equal(most, 1);
  assert.ok(all.every(({ status }) => status === "ok"));
  assert.deepEqual(
    server.requests.map(({ url }) => url),
    paths,
  );
});

test("two hosts do not wait for each other", async () => {
  const { promise: bothAsked, resolve } = Promise.withResolvers<void>();
  let asked = 0;
  const answer: RequestListener = (_, response) => {
    asked += 1;
    if (asked === 2) resolve();
    void bothAsked.then(() => response.end());
  };
  await using first = await site(answer);
  await using second = await site(answer);
  await using fetcher = newFetcher();
  const both = await Promise.all([get(fetcher, first.url), get(fetcher, second.url)]);
  assert.deepEqual(
    both.map(({ status }) => status),
    ["ok", "ok"],
  );
});

test("after a 429 the host is left alone as long as it asked", async () => {
  await using server = await site((request, response) => {
    if (request.url === "/busy") response.writeHead(429, { "retry-after": "3600" }).end();
    else response.end();
  });
  await using other = await site((_, response) => response.end());
  await using fetcher = newFetcher();
  const error = await failure(get(fetcher, `${server.url}/busy`));
  assert.deepEqual([error.status, error.retryAfterMs], [429, 3_600_000]);
  const stop = new AbortController();
  const reason = new Error("stopped");
  const waiting = get(fetcher, server.url, { signal: stop.signal });
  assert.equal((await get(fetcher, other.url)).status, "ok");
  stop.abort(reason);
  await assert.rejects(waiting, (thrown) => thrown === reason);
  assert.equal(server.requests.length, 1);
});

test("an abort ends a request under way, with its own reason", async () => {
  const stop = new AbortController();
  const reason = new Error("stopped");
  await using server = await site(() => stop.abort(reason));
  await using fetcher = newFetcher();
  await assert.rejects(get(fetcher, server.url, { signal: stop.signal }), (thrown) => thrown === reason);
});

test("the host's turn: who stops waiting leaves the queue to the others", async () => {
  const gates = new LocalHostGates();
  const visit = { requestsPerS: 1_000, isStranger: false };
  const signal = new AbortController().signal;
  const release = await gates.enter("a.example", visit, signal);
  const stop = new AbortController();
  const reason = new Error("stopped");
  const impatient = gates.enter("a.example", visit, stop.signal);
  const patient = gates.enter("a.example", visit, signal);
  stop.abort(reason);
  await assert.rejects(impatient, (thrown) => thrown === reason);
  const early = await Promise.race([patient.then(() => "entered"), delay(20, "waiting")]);
  assert.equal(early, "waiting");
  release();
  (await patient)();
  await assert.rejects(gates.enter("a.example", visit, stop.signal), (thrown) => thrown === reason);
  (await gates.enter("a.example", visit, signal))();
});

test("Retry-After as seconds or date, never negative, at most a day", () => {
  const now = new Date("2026-03-02T14:30:00Z");
  const table: readonly (readonly [string | undefined, number | null])[] = [
    [undefined, null],
    ["120", 120_000],
    [" 0 ", 0],
    ["999999999", 86_400_000],
    ["Mon, 02 Mar 2026 14:31:00 GMT", 60_000],
    ["Mon, 02 Mar 2026 14:29:00 GMT", 0],
    ["Wed, 02 Mar 2033 14:29:00 GMT", 86_400_000],
    ["soon", null],
    ["", null],
  ];
  for (const [header, want] of table) assert.equal(retryAfterMs(header, now), want, header);
});

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

test("the wait for a host's turn is not part of the time limit, the requests of all hops are", async () => {
  await using server = await site((request, response) => {
    const left = Number(request.url?.slice(1));
    setTimeout(() => {
      if (left === 0) response.end("<rss/>");
      else response.writeHead(302, { location: `/${left - 1}` }).end();
    }, 100);
  });
  const gates = { enter: async () => delay(250, () => {}), pause: async () => {} };
  await using patient = newFetcher({ gates, limits: { totalMs: 600 } });
  assert.equal((await get(patient, `${server.url}/2`)).status, "ok");
  await using fetcher = newFetcher({ limits: { totalMs: 350 } });
  const error = await failure(get(fetcher, `${server.url}/5`));
  assert.deepEqual([error.message, error.status], ["no complete answer within 350 ms", null]);
  assert.ok(server.requests.length < 3 + 6);
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

test("how long an answer stays fresh, as its headers tell", () => {
  const now = new Date("2026-03-02T14:30:00Z");
  const date = "Mon, 02 Mar 2026 14:00:00 GMT";
  const expires = "Mon, 02 Mar 2026 14:05:00 GMT";
  const table: readonly (readonly [Record<string, string>, number | null])[] = [
    [{}, null],
    [{ "cache-control": "max-age=60" }, 60_000],
    [{ "cache-control": "public, MAX-AGE=60, s-maxage=9" }, 60_000],
    [{ "cache-control": 'max-age="60"' }, 60_000],
    [{ "cache-control": "max-age=60", age: "45" }, 15_000],
    [{ "cache-control": "max-age=60", age: "90" }, null],
    [{ "cache-control": "max-age=60", expires, date }, 60_000],
    [{ "cache-control": "max-age=0" }, null],
    [{ "cache-control": "max-age=-1" }, null],
    [{ "cache-control": "max-age=99999999999" }, 86_400_000],
    [{ "cache-control": `max-age=${"9".repeat(400)}` }, null],
    [{ "cache-control": "no-cache, max-age=60" }, null],
    [{ "cache-control": 'no-cache="set-cookie", max-age=60' }, null],
    [{ "cache-control": "no-store, max-age=60" }, null],
    [{ expires, date }, 300_000],
    [{ expires: "Mon, 02 Mar 2026 14:31:00 GMT" }, 60_000],
    [{ expires: date, date }, null],
    [{ expires: "0" }, null],
    [{ expires: "-1", date }, null],
    [{ expires: "Fri, 01 Jan 2100 00:00:00 GMT" }, 86_400_000],
  ];
  for (const [headers, want] of table) assert.equal(freshForMs(headers, now), want, JSON.stringify(headers));
});

test("an answer and a 304 both tell how long they stay fresh", async (context) => {
  context.mock.method(Math, "random", () => 0.5);
  await using server = await site((request, response) => {
    const status = request.headers["if-none-match"] === undefined ? 200 : 304;
    response.writeHead(status, { "cache-control": "max-age=24" }).end();
  });
  await using fetcher = newFetcher();
  const fetched = await get(fetcher, server.url);
  const polled = await get(fetcher, server.url, { validators: { etag: '"v1"', lastModified: null } });
  assert.deepEqual([fetched.status, fetched.freshForMs], ["ok", 24_000]);
  assert.deepEqual([polled.status, polled.freshForMs], ["not_modified", 24_000]);
});

test("a block page is told by its title, short and on one line", async () => {
  const page = (title: string) =>
    `<!doctype html><html><head><title>${title}</title></head><body>no</body></html>`;
  const table: readonly (readonly [number, string | Buffer, string])[] = [
    [403, page("Access Denied"), "HTTP 403: Access Denied"],
    [429, page("\n  Too many\n requests &amp; visits "), "HTTP 429: Too many requests & visits"],
    [503, page("Just a moment..."), "HTTP 503: Just a moment..."],
    [503, page("<b>x"), "HTTP 503"],
    [403, page("x\u0000\u0007y"), "HTTP 403: xy"],
    [403, page("🙂".repeat(400)), `HTTP 403: ${"🙂".repeat(49)}…`],
    [403, `<title>${"long ".repeat(100_000)}`, `HTTP 403: ${"long ".repeat(20).trim().slice(0, 99)}…`],
    [403, gzipSync(page("Zugriff verweigert")), "HTTP 403: Zugriff verweigert"],
    [403, '{"error":"blocked"}', "HTTP 403"],
  ];
  await using server = await site((request, response) => {
    const [status, body] = table[Number(request.url?.slice(1))] ?? [];
    const encoding = typeof body === "string" ? "identity" : "gzip";
    response.writeHead(status ?? 500, { "content-encoding": encoding }).end(body);
  });
  await using fetcher = newFetcher();
  for (const [index, [status, , message]] of table.entries()) {
    const error = await failure(get(fetcher, `${server.url}/${index}`));
    assert.deepEqual([error.status, error.message], [status, message]);
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
