import assert from "node:assert/strict";
import { createHmac, randomBytes } from "node:crypto";
import { test } from "node:test";
import { systemClock } from "../../../src/runtime/clock.ts";
import { signingKey } from "../../../src/webhooks/send/sign.ts";
import { Targets } from "../../../src/webhooks/targets.ts";
import { answering, newSender, outgoing, reply, startReceiver, until } from "./receiver.ts";

const short = { totalMs: 300, connectMs: 200, resolveMs: 100 };

test("posts the body as it is, with the headers of Standard Webhooks, once", async () => {
  await using receiver = await startReceiver(answering("200 OK", "thanks"));
  const now = new Date("2026-03-01T12:00:00.900Z");
  await using sender = newSender({ clock: { ...systemClock, now: () => now }, userAgent: "Tapewire/1.2.3" });
  const raw = randomBytes(32);
  const body = Buffer.from('{"title":"Crédit 決算 🚀"}');
  const url = `http://127.0.0.1:${receiver.port}/hook/é?a=1&b=%20`;
  const keys = [signingKey(`whsec_${raw.toString("base64")}`)];
  const attempt = await sender.send({ url, keys, id: "msg_7", body });
  assert.deepEqual(
    { ...attempt, ms: 0 },
    { ok: true, status: 200, error: null, ms: 0, retryAfterMs: null, gone: false, response: "thanks" },
  );
  const [head = "", sent = ""] = (receiver.requests[0] ?? "").split("\r\n\r\n");
  const signature = createHmac("sha256", raw).update("msg_7.1772366400.").update(body).digest("base64");
  assert.deepEqual(head.split("\r\n").sort(), [
    "POST /hook/%C3%A9?a=1&b=%20 HTTP/1.1",
    "connection: keep-alive",
    `content-length: ${body.length}`,
    "content-type: application/json",
    `host: 127.0.0.1:${receiver.port}`,
    "user-agent: Tapewire/1.2.3",
    "webhook-id: msg_7",
    `webhook-signature: v1,${signature}`,
    "webhook-timestamp: 1772366400",
  ]);
  assert.ok(Buffer.from(sent, "latin1").equals(body));
  assert.equal(receiver.requests.length, 1);
});

test("2xx alone is success; 410 is for ever; 429 and 503 say when", async () => {
  const hint = ["retry-after: 90"];
  const answers = [
    ["204 No Content", true, null],
    ["202 Accepted", true, null],
    ["302 Found", false, null],
    ["400 Bad Request", false, null],
    ["410 Gone", false, null],
    ["429 Too Many Requests", false, 90_000],
    ["500 Internal Server Error", false, null],
    ["503 Service Unavailable", false, 90_000],
  ] as const;
  await using receiver = await startReceiver(({ socket, index }) =>
    socket.write(
      index === 0 ? "HTTP/1.1 204 No Content\r\n\r\n" : reply(answers[index]?.[0] ?? "", "", hint),
    ),
  );
  await using sender = newSender();
  for (const [status, ok, retryAfterMs] of answers) {
    const attempt = await sender.send(outgoing(`http://127.0.0.1:${receiver.port}/`));
    assert.deepEqual(
      { ...attempt, ms: 0 },
      {
        ok,
        status: Number(status.slice(0, 3)),
        error: null,
        ms: 0,
        retryAfterMs,
        gone: status === "410 Gone",
        response: null,
      },
    );
  }
  assert.equal(receiver.connections, 1, "the connection is kept");
});

test("Retry-After as a date; nonsense says nothing", async () => {
  const hints = ["Sun, 01 Mar 2026 12:01:00 GMT", "soon", "-5"];
  await using receiver = await startReceiver(({ socket, index }) =>
    socket.write(reply("429 Too Many Requests", "", [`retry-after: ${hints[index]}`])),
  );
  const clock = { ...systemClock, now: () => new Date("2026-03-01T12:00:00Z") };
  await using sender = newSender({ clock });
  const told = [];
  for (const _ of hints)
    told.push((await sender.send(outgoing(`http://127.0.0.1:${receiver.port}/`))).retryAfterMs);
  assert.deepEqual(told.slice(0, 2), [60_000, null]);
});

test("the start of an answer is kept as text that can be stored", async () => {
  const bodies = [`\u0000a\u0007b\tc\n${"é".repeat(2_000)}`, "", "ok"];
  await using receiver = await startReceiver(({ socket, index }) =>
    socket.write(reply("500 Oh", bodies[index])),
  );
  await using sender = newSender();
  const url = `http://127.0.0.1:${receiver.port}/`;
  const { response } = await sender.send(outgoing(url));
  assert.equal(response, `\ufffda\ufffdb\tc\n${"é".repeat(508)}`);
  assert.ok(Buffer.byteLength(bodies[0] ?? "") > 1_024);
  assert.equal((await sender.send(outgoing(url))).response, null);
  assert.equal((await sender.send(outgoing(url))).response, "ok");
});

test("of an answer from a range that the operator has opened the status is told, and no text", async () => {
  const closed = new Targets({ opened: ["127.0.0.0/8", "1.1.1.0/24"] });
  const all = ["1.0.0.1", "2606:4700::1", "127.0.0.1", "::ffff:127.0.0.1", "10.0.0.1", "1.1.1.1", ""];
  assert.deepEqual(all.filter(closed.shown), ["1.0.0.1", "2606:4700::1"]);

  await using receiver = await startReceiver(answering("200 OK", "what only this machine may read"));
  await using sender = newSender({ isShown: () => false });
  // The second comes over the connection that was kept.
  for (let sent = 0; sent < 2; sent += 1) {
    const attempt = await sender.send(outgoing(`http://127.0.0.1:${receiver.port}/`));
    assert.deepEqual([attempt.ok, attempt.status, attempt.response], [true, 200, null]);
  }
});

test("compressed answers stay as they are", async () => {
  await using receiver = await startReceiver(
    answering("200 OK", "\u001f no gzip at all", ["content-encoding: gzip"]),
  );
  await using sender = newSender();
  const attempt = await sender.send(outgoing(`http://127.0.0.1:${receiver.port}/`));
  assert.deepEqual([attempt.ok, attempt.response], [true, "\ufffd no gzip at all"]);
});

test("an endless body is cut, and the status counts", async () => {
  let written = 0;
  await using receiver = await startReceiver(({ socket }) => {
    socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
    const more = () => {
      while (!socket.destroyed && socket.write(`1000\r\n${"x".repeat(4_096)}\r\n`)) written += 4_096;
    };
    socket.on("drain", more);
    more();
  });
  await using sender = newSender();
  const attempt = await sender.send(outgoing(`http://127.0.0.1:${receiver.port}/`));
  assert.deepEqual([attempt.ok, attempt.status, attempt.response], [true, 200, "x".repeat(1_024)]);
  await until(() => receiver.open === 0);
  assert.ok(written < 8 * 1024 * 1024, `${written} bytes were taken`);
});

test("interim answers and chunk extensions without end are cut", async () => {
  const interim = "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n".repeat(1_000);
  const floods: readonly (readonly [string, string])[] = [
    ["", interim],
    ["HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1", ";name=value".repeat(4_000)],
  ];
  for (const [head, more] of floods) {
    let written = 0;
    await using receiver = await startReceiver(({ socket }) => {
      socket.write(head);
      const go = () => {
        while (!socket.destroyed && socket.write(more)) written += more.length;
      };
      socket.on("drain", go);
      go();
    });
    await using sender = newSender();
    const { ok, status, error } = await sender.send(outgoing(`http://127.0.0.1:${receiver.port}/`));
    const ended = { ok, status, error };
    if (head === "") assert.deepEqual(ended, { ok: false, status: null, error: "bad_answer" });
    else assert.deepEqual(ended, { ok: true, status: 200, error: null });
    await until(() => receiver.open === 0);
    assert.ok(written < 8 * 1024 * 1024, `${written} bytes were taken`);
  }
});

test("an attempt ends in time, however slowly it is answered", async () => {
  const drip = (head: string, piece: string) => {
    return ({ socket }: { socket: import("node:net").Socket }) => {
      socket.write(head);
      const timer = setInterval(() => socket.write(piece), 20);
      socket.on("close", () => clearInterval(timer));
    };
  };
  const ends = async (answer: Parameters<typeof startReceiver>[0]) => {
    await using receiver = await startReceiver(answer);
    await using sender = newSender({ limits: short });
    const { ok, status, error } = await sender.send(outgoing(`http://127.0.0.1:${receiver.port}/`));
    await until(() => receiver.open === 0);
    assert.equal(receiver.requests.length, 1);
    return { ok, status, error };
  };
  const late = { ok: false, status: null, error: "timeout" };
  const [never, headers, interim, body] = await Promise.all([
    ends(() => {}),
    ends(drip("HTTP/1.1 200 OK\r\n", "x: y\r\n")),
    ends(drip("", "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n")),
    ends(drip("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n", "1\r\nx\r\n")),
  ]);
  assert.deepEqual([never, headers, interim], [late, late, late]);
  assert.deepEqual(body, { ok: true, status: 200, error: null }, "the status had come");
});

test("answers that are none have a code each", async () => {
  const ends = async (answer: Parameters<typeof startReceiver>[0]) => {
    await using receiver = await startReceiver(answer);
    await using sender = newSender({ limits: short });
    const { status, error } = await sender.send(outgoing(`http://127.0.0.1:${receiver.port}/`));
    assert.equal(receiver.connections, 1, "a fresh connection is not tried again");
    return status ?? error;
  };
  assert.equal(await ends(({ socket }) => socket.destroy()), "reset");
  assert.equal(await ends(({ socket }) => socket.resetAndDestroy()), "reset");
  assert.equal(await ends(({ socket }) => socket.end("HTTP/1.1 200 OK\r\ncontent-le")), "reset");
  assert.equal(await ends(({ socket }) => socket.write("220 mail.example.com ESMTP\r\n")), "bad_answer");
  assert.equal(await ends(({ socket }) => socket.write("HTTP/2 200\r\n\r\n")), "bad_answer");
  assert.equal(await ends(({ socket }) => socket.write("HTTP/1.1 100 Continue\r\n\r\n")), "bad_answer");
  assert.equal(
    await ends(({ socket }) => socket.write("HTTP/1.1 101 Switching\r\nupgrade: x\r\n\r\n")),
    "bad_answer",
  );
  const upgrade = "HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n";
  assert.equal(await ends(({ socket }) => socket.write(upgrade)), "bad_answer");
  assert.equal(await ends(answering("200 OK", "", [`x: ${"y".repeat(65_536)}`])), "headers_too_large");
  // The status was here before it broke.
  assert.equal(
    await ends(({ socket }) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf")),
    200,
  );
});

test("nothing that breaks a header or a URL is sent", async () => {
  await using receiver = await startReceiver(answering("200 OK"));
  await using sender = newSender();
  const origin = `http://127.0.0.1:${receiver.port}`;
  for (const path of ["/a\r\nx: y", "/a b", "/\u0000", "\\@example.com", "/\ud800"]) {
    const { error } = await sender.send(outgoing(`${origin}${path}`));
    assert.equal(error, "invalid_url", JSON.stringify(path));
  }
  for (const url of ["", "ftp://127.0.0.1/", "file:///etc/passwd", `http://a:b@127.0.0.1:${receiver.port}/`])
    assert.equal((await sender.send(outgoing(url))).error, "invalid_url");
  await assert.rejects(sender.send(outgoing(origin, { id: "msg_1\r\nhost: evil" })), RangeError);
  assert.equal(receiver.connections, 0);
});

test("a sender that is disposed says so, of what was under way as well", async () => {
  await using receiver = await startReceiver(() => {});
  const sender = newSender();
  const url = `http://127.0.0.1:${receiver.port}/`;
  const underWay = sender.send(outgoing(url));
  // Nothing answers the handshake.
  const connecting = sender.send(outgoing(`https://127.0.0.1:${receiver.port}/`));
  await until(() => receiver.requests.length === 1 && receiver.connections === 2);
  await sender[Symbol.asyncDispose]();
  assert.equal((await underWay).error, "stopped");
  assert.equal((await connecting).error, "stopped");
  await until(() => receiver.open === 0);
  assert.equal((await sender.send(outgoing(url))).error, "stopped");
});
