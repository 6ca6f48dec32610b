import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { FetchError, Fetcher, fetchLimits, retryAfterMs, type Validators } from "../../src/ingest/fetcher.ts";
import { HostGates } from "../../src/ingest/host-gates.ts";
import { systemClock } from "../../src/runtime/clock.ts";

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

const newFetcher = () => new Fetcher({ clock: systemClock, userAgent: "Tapewire/test (desk@example.com)" });

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
    { validators, requestsPerS, signal },
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

test("redirects are followed to the address that answered", async () => {
  await using server = await site((request, response) => {
    if (request.url === "/end") response.end("<rss/>");
    else response.writeHead(302, { location: request.url === "/a" ? "/b" : "/end" }).end();
  });
  await using fetcher = newFetcher();
  const fetched = await get(fetcher, `${server.url}/a`);
  assert.ok(fetched.status === "ok");
  assert.equal(fetched.response.url, `${server.url}/end`);
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
  const gates = new HostGates();
  const signal = new AbortController().signal;
  const release = await gates.enter("a.example", 1_000, signal);
  const stop = new AbortController();
  const reason = new Error("stopped");
  const impatient = gates.enter("a.example", 1_000, stop.signal);
  const patient = gates.enter("a.example", 1_000, signal);
  stop.abort(reason);
  await assert.rejects(impatient, (thrown) => thrown === reason);
  const early = await Promise.race([patient.then(() => "entered"), delay(20, "waiting")]);
  assert.equal(early, "waiting");
  release();
  (await patient)();
  await assert.rejects(gates.enter("a.example", 1_000, stop.signal), (thrown) => thrown === reason);
  (await gates.enter("a.example", 1_000, signal))();
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
