import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { freshForMs } from "../../../src/ingest/fetch/response-headers.ts";
import { edgarAdapter } from "../../../src/ingest/sources/edgar/edgar.ts";
import { retryAfterMs } from "../../../src/runtime/retry-after.ts";
import { failure, get, newFetcher, site } from "../../support/sites.ts";

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

test("304 to a request without validators is a failure: there is nothing that could be unchanged", async (context) => {
  await using server = await site((_, response) => response.writeHead(304).end());
  await using fetcher = newFetcher();
  const validators = { etag: '"v1"', lastModified: null };
  const random = context.mock.method(Math, "random", () => 0.5);
  assert.equal((await get(fetcher, server.url, { validators })).status, "not_modified");
  const wrong = [
    { validators: null },
    { validators: { etag: null, lastModified: null } },
    { validators, conditional: false },
  ];
  for (const options of wrong) {
    const error = await failure(get(fetcher, server.url, options));
    assert.deepEqual([error.status, error.message], [304, "HTTP 304 to an unconditional request"]);
  }
  random.mock.mockImplementation(() => 0.001);
  assert.equal((await failure(get(fetcher, server.url, { validators }))).status, 304);
  assert.deepEqual(fetcher.counts, { ok: 0, not_modified: 1, refused: 4, failed: 0 });
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
  const notice = (title: string) =>
    `<!DOCTYPE html>\n<html><head><title>SEC.gov | ${title}</title></head></html>`;
  await using server = await site((request, response) => {
    const [, status, title = ""] = /^\/(\d+)\/(.*)$/.exec(decodeURI(request.url ?? "")) ?? [];
    response.writeHead(Number(status)).end(notice(title));
  });
  const { blockNotice } = edgarAdapter;
  assert.ok(blockNotice !== undefined);
  for (const status of [200, 403])
    for (const title of [
      "Request Rate Threshold Exceeded",
      "Your Request Originates from an Undeclared Automated Tool",
    ]) {
      await using fetcher = newFetcher({ blockNotices: [blockNotice] });
      const error = await failure(get(fetcher, encodeURI(`${server.url}/${status}/${title}`)));
      assert.deepEqual([error.status, error.retryAfterMs], [status, 600_000], error.message);
      assert.match(error.message, /^blocked by the host \(HTTP \d+\): SEC\.gov \| /);
    }
});

test("an answer that only mentions a block is none", async () => {
  const told = "<p>Request Rate Threshold Exceeded, said the page of the undeclared automated tool.</p>";
  const pages = [
    `<html><head><title>Why scripts fail</title></head><body>${told}</body></html>`,
    `<rss><channel><title>Request Rate Threshold Exceeded</title></channel></rss>`,
    `<html><title>Request Rate Threshold Exceeded</title>${"<p>A long article.</p>".repeat(1_000)}</html>`,
  ];
  await using server = await site((request, response) => response.end(pages[Number(request.url?.slice(1))]));
  const { blockNotice } = edgarAdapter;
  assert.ok(blockNotice !== undefined);
  await using fetcher = newFetcher({ blockNotices: [blockNotice] });
  for (const at of pages.keys()) assert.equal((await get(fetcher, `${server.url}/${at}`)).status, "ok");
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
