import assert from "node:assert/strict";
import type { IncomingMessage, ServerResponse } from "node:http";
import { test } from "node:test";
import { ConnectionError, Tapewire, TapewireError, TimeoutError } from "tapewire";
import { listenLocally } from "../../server/test/support/http.ts";

type Reply = (response: ServerResponse, request: IncomingMessage) => void;
const ok: Reply = (response) => void response.end('{"data":[]}');
const status =
  (code: number, headers: Record<string, string> = {}): Reply =>
  (response) =>
    void response.writeHead(code, headers).end("<html>proxy</html>");
const hangUp: Reply = (response) => void response.destroy();

/** Answers each request in turn; the last reply goes on. Notes what came. */
async function scripted(...replies: Reply[]) {
  const seen: IncomingMessage[] = [];
  const server = await listenLocally((request, response) => {
    const reply = replies[Math.min(seen.length, replies.length - 1)];
    seen.push(request);
    reply?.(response, request);
  });
  return {
    ...server,
    seen,
    client: (options = {}) => new Tapewire({ baseUrl: server.origin, key: "k", ...options }),
  };
}
const artifact = { type: "news", title: "t", body: "b" } as const;

for (const [name, reply] of [
  ["a broken connection", hangUp],
  ...[408, 429, 502, 503, 504].map((code) => [String(code), status(code, { "retry-after": "0" })] as const),
] as const)
  test(`a GET is sent again after ${name}`, async () => {
    await using server = await scripted(reply, ok);
    assert.deepEqual(await server.client().webhooks.list(), { data: [] });
    assert.equal(server.seen.length, 2);
  });

test("two repeats and no more; a response of a proxy has a code too", async () => {
  await using server = await scripted(status(502, { "retry-after": "0" }));
  await assert.rejects(server.client().webhooks.list().withResponse(), (error) => {
    assert.ok(error instanceof TapewireError);
    assert.deepEqual([error.code, error.problem, error.retryAfterMs], ["http_502", null, 0]);
    return true;
  });
  assert.equal(server.seen.length, 3);
});

for (const code of [400, 401, 403, 404, 409, 500])
  test(`${code} is no failure that passes`, async () => {
    await using server = await scripted(status(code));
    await assert.rejects(server.client().me(), { status: code });
    assert.equal(server.seen.length, 1);
  });

test("a wait of more than a minute is the caller's", async () => {
  await using server = await scripted(status(429, { "retry-after": "3600" }));
  await assert.rejects(server.client().me(), { status: 429, retryAfterMs: 3_600_000 });
  assert.equal(server.seen.length, 1);
});

test("a POST is repeated only with an Idempotency-Key, the same each time", async () => {
  await using server = await scripted(hangUp, ok);
  const tw = server.client();
  await tw.score(artifact);
  const [first, second] = server.seen.map(({ headers }) => headers["idempotency-key"]);
  assert.match(first?.toString() ?? "", /^[\w-]{10,}$/);
  assert.equal(first, second);
  await using other = await scripted(hangUp, ok);
  await assert.rejects(other.client().webhooks.test("id"), ConnectionError);
  assert.equal(other.seen.length, 1);
});

/** What the service says of a repeat while the first call with its key is at work. */
const running: Reply = (response) =>
  void response
    .writeHead(409, { "retry-after": "1" })
    .end(
      '{"code":"idempotency_conflict","detail":"The first call with this Idempotency-Key is still running"}',
    );

test("a call that is still at work is waited for, and its answer comes: these repeats do not count", async () => {
  await using server = await scripted(hangUp, running, running, ok);
  assert.deepEqual(await server.client({ maxRetries: 1 }).score(artifact), { data: [] });
  assert.equal(new Set(server.seen.map(({ headers }) => headers["idempotency-key"])).size, 1);
  assert.equal(server.seen.length, 4);
});

test("a call that is at work for longer than one more time limit is told", async () => {
  await using server = await scripted(running);
  const refused = { status: 409, code: "idempotency_conflict", retryAfterMs: 1_000 };
  await assert.rejects(server.client({ timeoutMs: 1_900 }).score(artifact), refused);
  assert.equal(server.seen.length, 2);
});

test("the time limit covers the body", async () => {
  await using server = await scripted((response) => void response.writeHead(200).write('{"data"'));
  const tw = server.client({ timeoutMs: 50, maxRetries: 1 });
  await assert.rejects(tw.webhooks.list(), TimeoutError);
  assert.equal(server.seen.length, 2);
});

test("a time limit of Infinity is none", async () => {
  await using server = await scripted((response) => void setImmediate(() => response.end('{"data":[]}')));
  assert.deepEqual(await server.client({ timeoutMs: Number.POSITIVE_INFINITY }).webhooks.list(), {
    data: [],
  });
});

test("an abort ends a request, and a wait between two", async () => {
  await using silent = await scripted(() => stopper.abort(new Error("enough")));
  let stopper = new AbortController();
  await assert.rejects(silent.client().me({ signal: stopper.signal }), /enough/);
  await using busy = await scripted((response) => {
    response.writeHead(503, { "retry-after": "30" }).end();
    setImmediate(() => stopper.abort(new Error("enough again")));
  });
  stopper = new AbortController();
  await assert.rejects(busy.client().me({ signal: stopper.signal }), /enough again/);
  await assert.rejects(busy.client().me({ signal: stopper.signal }), /enough again/);
  assert.equal(busy.seen.length, 1);
});

test("a key is asked for at every request, and once more when it was refused", async () => {
  await using server = await scripted(status(401), ok);
  const asked: (string | undefined)[] = [];
  const key = (refused?: string) => {
    asked.push(refused);
    return refused === undefined ? "old" : "new";
  };
  await server.client({ key }).webhooks.list();
  assert.deepEqual(asked, [undefined, "old"]);
  assert.deepEqual(
    server.seen.map(({ headers }) => headers.authorization),
    ["Bearer old", "Bearer new"],
  );
  await using closed = await scripted(status(401));
  await assert.rejects(closed.client({ key }).me(), { status: 401 });
  assert.equal(closed.seen.length, 2);
});

test("a page that is not JSON is told", async () => {
  await using server = await scripted(status(200));
  await assert.rejects(server.client().me(), /not JSON: is baseUrl the address/);
});

test("no address is refused at once", () => {
  assert.throws(() => new Tapewire({ baseUrl: "localhost:8080" }), /http\(s\) address, not 'localhost:8080'/);
});
