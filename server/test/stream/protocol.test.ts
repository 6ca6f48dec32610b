import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { constants, deflateRawSync, inflateRawSync } from "node:zlib";
import { problem } from "@tapewire/contract/errors/errors.ts";
import { anyEngine } from "../support/db.ts";
import { rawAnswer } from "../support/http.ts";
import { type Service, startService } from "../support/service.ts";
import { notice } from "../support/stream-connect.ts";
import { closing, opcodes, RawStream, type SentFrame } from "../support/stream-raw.ts";

const { continuation, text, binary, close, ping, pong } = opcodes;
const pingFrame = '{"type":"ping"}';

/** As a message travels under permessage-deflate (RFC 7692, 7.2.1). */
function deflated(payload: string | Buffer): Buffer {
  return deflateRawSync(payload, { finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, -4);
}

describe("WebSocket protocol", () => {
  let service: Service;
  let key = "";
  before(async () => {
    service = await startService(anyEngine);
    key = (await service.key("enterprise")).key;
  });
  after(() => service[Symbol.asyncDispose]());

  /** A connection with its welcome read. */
  const connect = async (extensions?: string) => {
    const raw = await RawStream.connect(service.app.wsUrl, key, extensions);
    assert.match(raw.head, /^HTTP\/1\.1 101 /);
    assert.equal((await raw.json()).type, "welcome");
    return raw;
  };

  test("a message in fragments is one message, control frames may come between", async () => {
    await using raw = await connect();
    raw.send(
      { opcode: text, payload: pingFrame.slice(0, 4), fin: false },
      { opcode: ping, payload: "between" },
      { opcode: continuation, payload: "", fin: false },
      { opcode: continuation, payload: pingFrame.slice(4) },
    );
    const answer = await raw.next();
    assert.deepEqual([answer?.opcode, answer?.payload.toString()], [pong, "between"]);
    assert.equal((await raw.json()).type, "pong");
  });

  test("a ping is answered with its payload, an unasked pong with nothing", async () => {
    await using raw = await connect();
    for (const payload of [Buffer.alloc(0), Buffer.from([0, 255, 128]), Buffer.alloc(125, 7)]) {
      raw.send({ opcode: pong, payload: "unasked" }, { opcode: ping, payload });
      const answer = await raw.next();
      assert.equal(answer?.opcode, pong);
      assert.deepEqual(answer?.payload, payload);
    }
  });

  test("a close is answered with its code, and the connection ends", async () => {
    for (const payload of [Buffer.alloc(0), closing(1000), closing(1001, "away"), closing(4999, "é")]) {
      await using raw = await connect();
      raw.send({ opcode: close, payload });
      assert.equal(await raw.closeCode(), payload.length === 0 ? null : payload.readUInt16BE(0));
      assert.equal(await raw.next(), null);
    }
  });

  const tooBig = 64 * 1024 + 1;
  const violations: [sentence: string, code: number, frames: SentFrame[]][] = [
    ["a frame that is not masked", 1002, [{ opcode: text, payload: pingFrame, masked: false }]],
    ["a reserved opcode", 1002, [{ opcode: 3 }]],
    ["a reserved control opcode", 1002, [{ opcode: 11 }]],
    ["a reserved bit", 1002, [{ opcode: text, payload: pingFrame, rsv: 2 }]],
    ["compression that was not agreed on", 1002, [{ opcode: text, payload: deflated(pingFrame), rsv: 4 }]],
    ["a ping of 126 bytes", 1002, [{ opcode: ping, payload: Buffer.alloc(126) }]],
    ["a ping in fragments", 1002, [{ opcode: ping, fin: false }]],
    ["a continuation of nothing", 1002, [{ opcode: continuation, payload: pingFrame }]],
    [
      "a message inside another",
      1002,
      [
        { opcode: text, fin: false },
        { opcode: text, payload: pingFrame },
      ],
    ],
    ["a close with half a code", 1002, [{ opcode: close, payload: Buffer.from([3]) }]],
    ...[0, 999, 1004, 1005, 1006, 1015, 2999, 5000].map((code): [string, number, SentFrame[]] => [
      `a close with ${code}`,
      1002,
      [{ opcode: close, payload: closing(code) }],
    ]),
    [
      "a close whose reason is no UTF-8",
      1007,
      [{ opcode: close, payload: closing(1000, Buffer.from([0xff])) }],
    ],
    ["text that is no UTF-8", 1007, [{ opcode: text, payload: Buffer.from([0x22, 0xc3, 0x28, 0x22]) }]],
    [
      "a surrogate, split over fragments",
      1007,
      [
        { opcode: text, payload: Buffer.from([0xed]), fin: false },
        { opcode: continuation, payload: Buffer.from([0xa0, 0x80]) },
      ],
    ],
    ["a message over 64 KiB", 1009, [{ opcode: text, payload: Buffer.alloc(tooBig, 32) }]],
    ["a binary one over 64 KiB", 1009, [{ opcode: binary, payload: Buffer.alloc(tooBig) }]],
    ["a length over 64 KiB, before its bytes come", 1009, [{ opcode: text, lengthTold: 1n << 40n }]],
    [
      "fragments of over 64 KiB together",
      1009,
      [
        { opcode: text, payload: Buffer.alloc(40_000, 32), fin: false },
        { opcode: continuation, payload: Buffer.alloc(tooBig - 40_000, 32) },
      ],
    ],
  ];
  for (const [sentence, code, frames] of violations)
    test(`${sentence} closes ${code}`, async () => {
      await using raw = await connect();
      raw.send(...frames);
      assert.equal(await raw.closeCode(), code);
    });

  test("a client may compress; what it packs counts as unpacked", async () => {
    const cases = [
      [deflated(`${pingFrame}${" ".repeat(60_000)}`), "pong"],
      [deflated(Buffer.alloc(tooBig, 32)), 1009],
      [deflated(Buffer.alloc(16 * 1024 * 1024)), 1009],
      [Buffer.from([0xff, 0xff, 0xff]), 1007],
    ] as const;
    for (const [payload, wanted] of cases) {
      await using raw = await connect("permessage-deflate; client_max_window_bits");
      assert.match(raw.head, /Sec-WebSocket-Extensions: permessage-deflate/);
      raw.send({ opcode: text, payload, rsv: 4 });
      assert.equal(wanted === "pong" ? (await raw.json()).type : await raw.closeCode(), wanted);
    }
  });

  test("a client that cannot unpack what the server packs is sent it plain", async () => {
    const offers = ["permessage-deflate; server_max_window_bits=9", "x-unknown; a=1", undefined];
    for (const offer of offers) {
      await using raw = await connect(offer);
      assert.doesNotMatch(raw.head, /Sec-WebSocket-Extensions/i, offer);
      raw.sendJson({ type: "subscribe" });
      assert.equal((await raw.json()).type, "subscribed");
      await service.push(notice());
      const frame = await raw.next();
      assert.deepEqual([frame?.opcode, frame?.rsv], [text, 0]);
    }
    await using either = await connect(`${offers[0]}, permessage-deflate`);
    assert.match(either.head, /Sec-WebSocket-Extensions: permessage-deflate/);
    assert.doesNotMatch(either.head, /server_max_window_bits/);
    either.sendJson({ type: "subscribe" });
    await either.json();
    const pushed = notice();
    await service.push(pushed);
    const unpack = (payload: Buffer) =>
      inflateRawSync(Buffer.concat([payload, Buffer.from([0, 0, 255, 255])]), {
        finishFlush: constants.Z_SYNC_FLUSH,
      });
    assert.match(JSON.stringify(await either.json(unpack)), new RegExp(`"${pushed.title}"`));
  });

  test("a handshake that is none is refused, and costs no connection", async () => {
    const target = "GET /v1/stream HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket";
    const good = ["Sec-WebSocket-Version: 13", `Sec-WebSocket-Key: ${Buffer.alloc(16).toString("base64")}`];
    const cases: [sent: string, status: number, named: string | undefined][] = [
      [[target, ...good, "Sec-WebSocket-Extensions: ;;"].join("\r\n"), 400, "Sec-WebSocket-Extensions"],
      [[target, good[0]].join("\r\n"), 400, "Sec-WebSocket-Key"],
      [[target, good[1], "Sec-WebSocket-Version: 12"].join("\r\n"), 400, "Sec-WebSocket-Version"],
      [[target.replace("GET", "POST"), ...good].join("\r\n"), 405, undefined],
    ];
    for (const [sent, status, named] of cases) {
      const answer = await rawAnswer(
        service.url,
        `${sent}\r\nAuthorization: Bearer ${key}\r\nContent-Length: 0\r\n\r\n`,
      );
      const [head = "", body = ""] = answer.split("\r\n\r\n");
      const found = problem.parse(JSON.parse(body));
      assert.match(head, new RegExp(`^HTTP/1\\.1 ${status} `));
      assert.match(head, new RegExp(`X-Request-Id: ${found.request_id}`));
      assert.equal(found.errors?.[0]?.name, named);
      assert.equal(/Sec-WebSocket-Version: 13/.test(head), named === "Sec-WebSocket-Version");
    }
    await using raw = await connect();
    assert.match(raw.head, /^HTTP\/1\.1 101 .*\r\nX-Request-Id: [0-9a-f-]{36}\r\n/s);
  });

  test("pings that nobody reads the answers of do not pile up", async () => {
    await using raw = await connect();
    raw.socket.pause();
    const flood = { opcode: ping, payload: Buffer.alloc(125) };
    const burst = Array.from({ length: 1_000 }, () => flood);
    const ended = new Promise((resolve) => raw.socket.once("close", resolve));
    for (let bursts = 0; bursts < 400 && !raw.socket.destroyed; bursts++) {
      raw.send(...burst);
      await new Promise((resolve) => setImmediate(resolve));
    }
    raw.socket.resume();
    await ended;
  });
});
