import assert from "node:assert/strict";
import { once } from "node:events";
import { createConnection } from "node:net";
import { after, before, describe, test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { anyEngine } from "../support/db.ts";
import { type Service, startService } from "../support/service.ts";
import { refusal } from "../support/stream-client.ts";
import { connect, connectAgain, notice, notices } from "../support/stream-connect.ts";
import { opcodes, RawStream } from "../support/stream-raw.ts";

describe("limits of a stream", () => {
  const now = { at: new Date("2026-03-02T12:00:00Z") };
  // A day's end comes when the test says so.
  const sleepers = new Set<() => void>();
  const clock = {
    now: () => now.at,
    sleep: (ms: number, signal?: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        const wakeAtMs = now.at.getTime() + ms;
        const wake = () => {
          if (now.at.getTime() < wakeAtMs && ms > 60_000) return;
          sleepers.delete(wake);
          resolve();
        };
        sleepers.add(wake);
        signal?.addEventListener("abort", () => {
          sleepers.delete(wake);
          reject(signal.reason);
        });
        if (signal?.aborted === true) reject(signal.reason);
        // Short waits are of loops that only have to go on.
        if (ms <= 60_000) setTimeout(wake, 20);
      }),
  };
  const moveTo = (time: string) => {
    now.at = new Date(time);
    for (const wake of [...sleepers]) wake();
  };
  let service: Service;
  let key = "";
  before(async () => {
    service = await startService(anyEngine, { clock });
    key = (await service.key("enterprise")).key;
  });
  after(() => service[Symbol.asyncDispose]());

  test("on Free items are locked; 50 a day, one quota_exceeded, silence; after 00:00 UTC delivery goes on", async () => {
    const free = await service.key("free");
    await using client = await connect(service, free.key);
    await client.subscribe();
    await service.push(...notices(55, { symbols: ["DEMO:OBTX"] }));
    const frames = await client.feeds(50);
    assert.deepEqual(
      frames.map(({ count }) => count),
      Array.from({ length: 50 }, (_, index) => index + 1),
    );
    for (const { data } of frames) {
      const { locked, message, ...scores } = data.scoring;
      assert.equal(locked, true);
      assert.match(message ?? "", /Free/);
      assert.deepEqual([...new Set(Object.values(scores))], [null]);
    }
    const exceeded = await client.next("quota_exceeded");
    assert.equal(exceeded.limit, 50);
    assert.match(exceeded.message, /00:00 UTC/);
    await service.push(...notices(3));
    await client.settle();
    moveTo("2026-03-02T23:59:59.999Z");
    await service.push(notice());
    await client.settle();
    moveTo("2026-03-03T00:00:00.000Z");
    // It goes on from the tip: what was missed is not made up for.
    await client.settle();
    const next = notice();
    await service.push(next);
    const frame = await client.next("feed");
    assert.deepEqual([frame.data.title, frame.count], [next.title, 1]);
  });

  test("on Free a filter on scores matches nothing: withheld scores are null, and a filter must not tell them", async () => {
    const free = await service.key("free");
    await using client = await connect(service, free.key);
    await service.push(notice());
    await client.subscribe({ filters: { sentiment_min: 0 }, snapshot: 10 });
    await service.push(notice());
    await client.settle();
    await client.subscribe({ filters: { actionability: false } });
    await service.push(notice());
    await client.settle();
    // Without scores asked for it gets the next, and that is its first of the day.
    await client.subscribe({ filters: {} });
    const last = notice();
    await service.push(last);
    const frame = await client.next("feed");
    assert.deepEqual([frame.data.title, frame.count, frame.snapshot], [last.title, 1, false]);
  });

  test("an account that moves to a larger plan at its cap gets items the same day", async () => {
    const { key, account_id } = await service.key("free");
    {
      await using client = await connect(service, key);
      await client.subscribe();
      await service.push(...notices(51));
      await client.feeds(50);
      await client.next("quota_exceeded");
    }
    await service.admin("PATCH", `/admin/v1/accounts/${account_id}`, { plan: "pro" });
    await using client = await connect(service, key);
    await client.subscribe();
    const next = notice();
    await service.push(next);
    const frame = await client.next("feed");
    assert.deepEqual([frame.data.title, frame.count], [next.title, 51]);
  });

  test("an account that moves to a smaller plan above its cap gets no more that day", async () => {
    const { key, account_id } = await service.key("pro");
    {
      await using client = await connect(service, key);
      await client.subscribe();
      await service.push(...notices(60));
      await client.feeds(60);
    }
    await service.admin("PATCH", `/admin/v1/accounts/${account_id}`, { plan: "free" });
    await using client = await connectAgain(service, key);
    await client.subscribe();
    await service.push(notice());
    assert.equal((await client.next("quota_exceeded")).limit, 50);
  });

  test("on Free 50 snapshot items a day are granted, free of the cap of live items", async () => {
    const { key } = await service.key("free");
    await using client = await connect(service, key);
    assert.equal((await client.subscribe({ snapshot: 40 })).snapshot, 40);
    const frames = await client.feeds(40);
    assert.ok(frames.every(({ data, snapshot }) => snapshot && data.scoring.locked));
    assert.equal((await client.subscribe({ snapshot: 40 })).snapshot, 10);
    await client.feeds(10);
    assert.equal((await client.subscribe({ snapshot: 40 })).snapshot, 0);
    await service.push(notice());
    assert.equal((await client.next("feed")).count, 1);
  });

  test("an expired key gets an error frame and 4501", async () => {
    const expires_at = new Date(now.at.getTime() + 60_000).toISOString();
    const answer = await service.admin("POST", "/admin/v1/keys", { plan: "pro", expires_at });
    const created: unknown = await answer.json();
    assert.ok(typeof created === "object" && created !== null && "key" in created);
    await using client = await connect(service, String(created.key));
    moveTo(expires_at);
    assert.equal((await client.next("error")).code, "key_revoked");
    assert.equal((await client.closed).code, 4501);
  });

  test("three bad frames close 4500, a binary one is bad", async () => {
    await using client = await connect(service, key);
    client.sendRaw("{");
    client.sendRaw(Buffer.from('{"type":"ping"}'));
    client.send({ type: "nonsense" });
    const errors = [await client.next("error"), await client.next("error"), await client.next("error")];
    assert.deepEqual(
      errors.map(({ fatal }) => fatal),
      [false, false, true],
    );
    assert.equal((await client.closed).code, 4500);
  });

  test("a frame of 64 KiB is read, one over it closes 1009", async () => {
    await using client = await connect(service, key);
    client.sendRaw(" ".repeat(64 * 1024));
    assert.match((await client.next("error")).message, /not JSON/);
    client.sendRaw(" ".repeat(64 * 1024 + 1));
    assert.equal((await client.closed).code, 1009);
  });

  test("a revoked key gets an error frame and 4501, its account's other key stays", async () => {
    const first = await service.key("pro");
    const answer = await service.admin("POST", "/admin/v1/keys", { account_id: first.account_id });
    const second: unknown = await answer.json();
    assert.ok(typeof second === "object" && second !== null && "key" in second);
    await using ended = await connect(service, first.key);
    await using kept = await connect(service, String(second.key));
    await service.admin("DELETE", `/admin/v1/keys/${first.id}`);
    const error = await ended.next("error");
    assert.deepEqual([error.code, error.fatal], ["key_revoked", true]);
    assert.equal((await ended.closed).code, 4501);
    await kept.settle();
  });

  test("a change of plan gets an error frame and 4503", async () => {
    const { key: pro, account_id } = await service.key("pro");
    await using client = await connect(service, pro);
    await service.admin("PATCH", `/admin/v1/accounts/${account_id}`, { name: "another name" });
    await service.admin("PATCH", `/admin/v1/accounts/${account_id}`, { plan: "quant" });
    const error = await client.next("error");
    assert.deepEqual([error.code, error.fatal], ["plan_changed", true]);
    assert.equal((await client.closed).code, 4503);
  });

  test("a second connection on Free is refused with 429 until the first has ended", async () => {
    const free = await service.key("free");
    const first = await connect(service, free.key);
    for (let i = 0; i < 2; i++) {
      const { status, headers, problem } = await refusal(service.app.wsUrl, { key: free.key });
      assert.deepEqual([status, problem.code], [429, "too_many_connections"]);
      assert.deepEqual(problem["violated-policies"], ["streams"]);
      assert.match(String(headers.ratelimit), /^"minute";/);
    }
    await first.close();
    await using again = await connectAgain(service, free.key);
    await again.settle();
  });

  test("upgrades that are refused or broken off do not use up the connections of a plan", async () => {
    const free = await service.key("free");
    for (let i = 0; i < 5; i++) {
      const { status } = await service.get("/v1/stream", free.key);
      assert.equal(status, 426);
      await brokenUpgrade(service.url, free.key);
      // The first of them is looked up in the database: it goes while its key is not yet known.
      await service.admin("PATCH", `/admin/v1/accounts/${free.account_id}`, { name: `name ${i}` });
    }
    await using client = await connectAgain(service, free.key);
    await client.settle();
  });

  test("floods of pongs, of fragments, or behind a close end the connection", async () => {
    const pongs = Array.from({ length: 2_000 }, () => ({ opcode: opcodes.pong, payload: "pong" }));
    const nothing = Array.from({ length: 2_000 }, () => ({ opcode: opcodes.continuation, fin: false }));
    for (const [first, flood] of [
      [[], pongs],
      [[{ opcode: opcodes.text, payload: "{", fin: false }], nothing],
      [Array.from({ length: 3 }, () => ({ opcode: opcodes.text, payload: "no JSON" })), pongs],
    ] as const) {
      await using client = await RawStream.connect(service.app.wsUrl, key);
      client.send(...first);
      const { socket } = client;
      while (!socket.destroyed) {
        client.send(...flood);
        assert.ok(socket.bytesWritten < 16 * 1024 * 1024, "all of it is taken");
        if (!socket.writableNeedDrain) await nextTurn();
        else await Promise.race([once(socket, "drain"), once(socket, "close")]).catch(() => {});
      }
    }
  });

  test("a stop tells clients when to come back and refuses new ones with 503 until they are gone", async () => {
    await using client = await RawStream.connect(service.app.wsUrl, key);
    assert.equal((await client.json()).type, "welcome");
    const stopped = service.app[Symbol.asyncDispose]();
    const error = await client.json();
    assert.deepEqual([error.type, error.code, error.fatal], ["error", "restarting", true]);
    assert.ok(Number(error.retry_after_ms) >= 0);
    const { status, headers, problem } = await refusal(service.app.wsUrl, { key });
    assert.deepEqual([status, problem.code], [503, "not_ready"]);
    assert.ok(Number(headers["retry-after"]) > 0);
    const last = await client.next();
    assert.equal(last?.payload.readUInt16BE(0), 1012);
    assert.match(last?.payload.subarray(2).toString() ?? "", /^cursor=[0-9a-z]+\.\d+$/);
    client.socket.destroy();
    await stopped;
  });
});

/** Asks for an upgrade, and is gone before the answer. */
async function brokenUpgrade(url: string, key: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = createConnection(Number(port), hostname);
  await once(socket, "connect");
  const head = [
    "GET /v1/stream HTTP/1.1",
    "Host: x",
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
    `Authorization: Bearer ${key}`,
  ];
  socket.on("error", () => {});
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.write(`${head.join("\r\n")}\r\n\r\n`, () => socket.resetAndDestroy());
  await closed;
}
