import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { after, before, describe, test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { problem } from "@tapewire/contract/errors/errors.ts";
import { anyEngine } from "../../support/db.ts";
import { rawAnswer } from "../../support/http.ts";
import { type Service, startService } from "../../support/service.ts";
import { type Raw, type RawCall, rawCall } from "./answers/raw-call.ts";

describe("answers", () => {
  let service: Service;
  let key = "";
  before(async () => {
    service = await startService(anyEngine);
    key = (await service.key("enterprise")).key;
    const title = "Orbitex Robotics raises full-year guidance";
    for (const n of [1, 2, 3]) await service.push({ title: `${title} ${n}`, body: `${title}. `.repeat(20) });
  });
  after(() => service[Symbol.asyncDispose]());

  const call = (path: string, options: RawCall = {}): Promise<Raw> =>
    rawCall(service.url + path, {
      ...options,
      headers: { authorization: `Bearer ${key}`, ...options.headers },
    });
  const sendRaw = (text: string) => rawAnswer(service.url, text);

  const reads = ["/v1/feeds", "/v1/sources", "/v1/tags", "/openapi.json"];

  test("every GET has an ETag, and is 304 without a body to whoever names it", async () => {
    for (const path of reads) {
      const { status, headers, body } = await call(path);
      assert.equal(status, 200, path);
      assert.match(headers.etag ?? "", /^W\/"[\w-]{22}"$/, path);
      const strong = headers.etag?.slice(2);
      for (const named of [headers.etag, strong, "*", `"x,y", ${headers.etag}`, `"a",${strong} , W/"b"`]) {
        const again = await call(path, { headers: { "if-none-match": named } });
        assert.deepEqual([again.status, again.body.length], [304, 0], `${path} ${named}`);
        assert.equal(again.headers.etag, headers.etag);
        assert.equal(again.headers["content-type"], undefined);
        assert.equal(again.headers.vary, headers.vary);
      }
      for (const named of ['"x"', `"x${strong?.slice(1)}`, 'W/""']) {
        const again = await call(path, { headers: { "if-none-match": named } });
        assert.deepEqual([again.status, again.body], [200, body], `${path} ${named}`);
      }
    }
  });

  test("the ETag changes with the answer, and is one for all its encodings", async () => {
    const one = await call("/v1/feeds?limit=1");
    const two = await call("/v1/feeds?limit=2", { headers: { "accept-encoding": "gzip" } });
    assert.notEqual(one.headers.etag, two.headers.etag);
    assert.equal((await call("/v1/feeds?limit=2")).headers.etag, two.headers.etag);
  });

  test("an error has no ETag, and nobody keeps it", async () => {
    const { status, headers } = await call("/v1/feeds?limit=0", { headers: { "if-none-match": "*" } });
    assert.equal(status, 400);
    assert.equal(headers.etag, undefined);
    assert.equal(headers["cache-control"], "no-store");
  });

  test("what a key may read is kept by its client alone, and asked for again; secrets by nobody", async () => {
    assert.equal((await call("/v1/feeds")).headers["cache-control"], "private, no-cache");
    const headers = { authorization: `Bearer ${service.adminToken}` };
    assert.equal((await call("/admin/v1/keys", { headers })).headers["cache-control"], "no-store");
  });

  test("above 1 KB an answer is compressed as the client likes it best", async () => {
    const plain = await call("/v1/feeds");
    const cases: [accepted: string | undefined, coding: string | undefined][] = [
      [undefined, undefined],
      ["", undefined],
      ["identity", undefined],
      ["gzip", "gzip"],
      ["br", "br"],
      ["gzip, deflate, br, zstd", "br"],
      ["br;q=0.5, gzip;q=0.8", "gzip"],
      ["GZIP ; Q=0.7", "gzip"],
      ["br;q=0, gzip;q=0", undefined],
      ["*", "br"],
      ["*;q=0.1, br;q=0", "gzip"],
      ["gzip;q=0.5, identity", undefined],
      ["zstd", undefined],
      ["gzip;q=nonsense", undefined],
      ["identity;q=0", undefined],
    ];
    for (const [accepted, coding] of cases) {
      const headers = accepted === undefined ? {} : { "accept-encoding": accepted };
      const answer = await call("/v1/feeds", { headers });
      assert.equal(answer.headers["content-encoding"], coding, accepted);
      assert.match(answer.headers.vary ?? "", /accept-encoding/i);
      assert.equal(answer.headers["content-length"], String(answer.body.length));
      const opened =
        coding === "br"
          ? brotliDecompressSync(answer.body)
          : coding === "gzip"
            ? gunzipSync(answer.body)
            : answer.body;
      assert.deepEqual(opened, plain.body, accepted);
      if (coding !== undefined) assert.ok(answer.body.length < plain.body.length / 2);
    }
    const small = await call("/v1/sources", { headers: { "accept-encoding": "gzip" } });
    assert.equal(small.headers["content-encoding"], undefined);
    assert.match(small.headers.vary ?? "", /accept-encoding/i);
  });

  test("HEAD tells what GET would, without the body", async () => {
    for (const path of [...reads, "/v1/feeds?limit=0", "/nope"])
      for (const accepted of ["identity", "gzip"]) {
        const headers = { "accept-encoding": accepted };
        const [get, head] = [await call(path, { headers }), await call(path, { headers, method: "HEAD" })];
        assert.deepEqual([head.status, head.body.length], [get.status, 0], path);
        for (const name of ["content-length", "content-type", "content-encoding", "etag", "cache-control"])
          assert.equal(head.headers[name], get.headers[name], `${path} ${name}`);
      }
    const { headers } = await call("/v1/feeds");
    const known = await call("/v1/feeds", { method: "HEAD", headers: { "if-none-match": headers.etag } });
    assert.equal(known.status, 304);
  });

  test("a page of any origin may use every endpoint of /v1: OPTIONS says so without a key", async () => {
    const cases: [path: string, methods: string][] = [
      ["/v1/feeds", "GET, HEAD"],
      ["/v1/feeds/17", "GET, HEAD"],
      ["/v1/score", "POST"],
    ];
    for (const [path, methods] of cases) {
      const { status, headers, body } = await call(path, {
        method: "OPTIONS",
        headers: {
          authorization: "",
          origin: "https://page.example",
          "access-control-request-method": "GET",
          "access-control-request-headers":
            "authorization,idempotency-key,if-none-match,content-type,last-event-id",
        },
      });
      assert.deepEqual([status, body.length], [204, 0], path);
      assert.equal(headers["access-control-allow-methods"], methods);
      assert.equal(headers["access-control-allow-origin"], "*");
      for (const name of [
        "Authorization",
        "Content-Type",
        "Idempotency-Key",
        "If-None-Match",
        "Last-Event-ID",
      ])
        assert.ok(headers["access-control-allow-headers"]?.split(", ").includes(name), name);
      assert.ok(headers["x-request-id"] !== undefined);
    }
    const exposed = (await call("/v1/feeds")).headers["access-control-expose-headers"]?.split(", ") ?? [];
    for (const name of [
      "X-Request-Id",
      "X-Page-Limit",
      "RateLimit",
      "X-RateLimit-Reset",
      "Retry-After",
      "ETag",
    ])
      assert.ok(exposed.includes(name), name);
    const closed = await call("/admin/v1/keys", { method: "OPTIONS" });
    assert.deepEqual([closed.status, closed.headers["access-control-allow-origin"]], [405, undefined]);
    assert.equal((await call("/v1/nope", { method: "OPTIONS" })).status, 404);
  });

  test("a body that nobody asked for is ignored, and the connection serves on", async () => {
    for (const headers of [{ "content-length": "11" }, { "transfer-encoding": "chunked" }])
      assert.equal((await call("/v1/feeds", { headers, body: '{"limit":0}' })).status, 200);
    const twice = `GET /livez HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello`;
    const answer = await sendRaw(`${twice}${twice.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n")}`);
    assert.equal(answer.match(/HTTP\/1\.1 200 /g)?.length, 2);
  });

  test("a missing body is 400; a compressed one is 415", async () => {
    const score = (headers: object, body = "") => call("/v1/score", { method: "POST", headers, body });
    const missing = await score({});
    assert.equal(missing.status, 400);
    assert.match(missing.body.toString(), /invalid_body.*missing/);
    const headers = { "content-type": "application/json", "content-encoding": "gzip" };
    assert.equal((await score(headers, "x")).status, 415);
  });

  test("a client that asks before it sends is told to go on, or why not to", async () => {
    const post = (length: number, token: string) =>
      [
        "POST /admin/v1/accounts HTTP/1.1",
        "Host: x",
        `Authorization: Bearer ${token}`,
        "Content-Type: application/json",
        `Content-Length: ${length}`,
        "Expect: 100-continue",
        "",
        "",
      ].join("\r\n");
    const refusals: [length: number, token: string, status: number][] = [
      [10, "wrong", 401],
      [2 ** 21, service.adminToken, 413],
    ];
    for (const [length, token, status] of refusals)
      assert.match(await sendRaw(post(length, token)), new RegExp(`^HTTP/1.1 ${status} `));
    const { port, hostname } = new URL(service.url);
    const body = JSON.stringify({ name: "asked first", plan: "pro" });
    const socket = connect(Number(port), hostname);
    socket.write(post(body.length, service.adminToken));
    assert.match(String((await once(socket, "data"))[0]), /^HTTP\/1.1 100 Continue\r\n\r\n$/);
    socket.write(body);
    assert.match(String((await once(socket, "data"))[0]), /^HTTP\/1.1 201 /);
    socket.destroy();
  });

  test("two Authorization headers are none; a whole URL as target is that path", async () => {
    const bearer = `Authorization: Bearer ${key}`;
    const get = (target: string, ...lines: string[]) =>
      sendRaw([`GET ${target} HTTP/1.1`, "Host: x", "Connection: close", ...lines, "", ""].join("\r\n"));
    assert.match(await get("/v1/feeds", bearer), /^HTTP\/1.1 200 /);
    assert.match(await get("/v1/feeds", bearer, bearer), /^HTTP\/1.1 401 /);
    assert.match(await get("http://elsewhere.example/v1/feeds?limit=1", bearer), /^HTTP\/1.1 200 /);
    assert.match(await get("/v1/../v1/feeds", bearer), /^HTTP\/1.1 404 /);
    assert.match(await get("/v1/feeds/%", bearer), /^HTTP\/1.1 400 /);
    assert.match(await get("/v1/feeds?limit=%", bearer), /^HTTP\/1.1 400 /);
    const unknown = await get("/v1/feeds", bearer, "Expect: the-unexpected");
    assert.match(unknown, /^HTTP\/1.1 200 /);
  });

  test("an upgrade that is only offered, as by clients of HTTP/2, is passed over", async () => {
    const headers = { connection: "Upgrade, HTTP2-Settings", upgrade: "h2c", "http2-settings": "AAMAAABk" };
    assert.equal((await call("/v1/feeds?limit=1", { headers })).status, 200);
    const body = JSON.stringify({ artifact: { type: "news", title: "Orders rise", body: "By 12%." } });
    const json = { ...headers, "content-type": "application/json" };
    assert.equal((await call("/v1/score", { method: "POST", headers: json, body })).status, 200);
  });

  test("nonsense behind a whole request is not answered in its place", async () => {
    const body = JSON.stringify({ name: "before the nonsense", plan: "pro" });
    const lines = [
      "POST /admin/v1/accounts HTTP/1.1",
      "Host: x",
      `Authorization: Bearer ${service.adminToken}`,
      "Content-Type: application/json",
      `Content-Length: ${body.length}`,
    ];
    const answer = await sendRaw(`${lines.join("\r\n")}\r\n\r\n${body}NONSENSE\r\n\r\n`);
    assert.doesNotMatch(answer, /^HTTP\/1\.1 4/);
  });

  test("what is refused before it is read whole is a problem document with an id, too", async () => {
    for (const text of [
      "nonsense\r\n\r\n",
      "GET /v1/feeds HTTP/1.1\r\n\r\n",
      `GET /v1/feeds?symbol=${"A".repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
      `GET /v1/feeds HTTP/1.1\r\nHost: x\r\nX: ${"A".repeat(20_000)}\r\n\r\n`,
      "POST /v1/score HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n",
    ]) {
      const answer = await sendRaw(text.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"));
      const [head = "", body = ""] = answer.split("\r\n\r\n");
      assert.match(head, /^HTTP\/1.1 4\d\d /, text.slice(0, 40));
      const { status, request_id } = problem.parse(JSON.parse(body));
      assert.match(head, new RegExp(`^HTTP/1.1 ${status} `));
      assert.match(head, new RegExp(`X-Request-Id: ${request_id}`, "i"));
    }
  });

  test("an id that the client names does not become ours", async () => {
    const { headers } = await call("/livez", { headers: { "x-request-id": "of-the-client" } });
    assert.match(headers["x-request-id"]?.toString() ?? "", /^[0-9a-f-]{36}$/);
  });

  test("the server survives clients that leave at any moment, and counts them as no failure", async () => {
    const { port, hostname } = new URL(service.url);
    const whole = `GET /v1/feeds HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`;
    for (let length = 1; length <= whole.length; length += 7) {
      const socket = connect(Number(port), hostname);
      await once(socket, "connect");
      socket.write(whole.slice(0, length));
      socket.destroy();
      await once(socket, "close");
    }
    assert.equal((await call("/v1/feeds")).status, 200);
  });
});
