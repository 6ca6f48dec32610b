import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { postgresUrl } from "../support/db.ts";
import { noNats, startNats } from "../support/nats.ts";
import { until } from "../support/receiver.ts";
import { silentProxy } from "../support/silent-proxy.ts";
import { connect, notices, titles } from "../support/stream-connect.ts";
import { busOf, isConnected, received, startPair } from "./support.ts";

const skip = noNats || (postgresUrl === null && "no PostgreSQL at TEST_DATABASE_URL or 127.0.0.1:5432");

test("a NATS that is killed and started again under 120 pushes: none lost, none doubled", {
  skip,
}, async () => {
  await using nats = await startNats();
  await using pair = await startPair({ natsUrl: nats.url }, { isPolled: true });
  const { writer, reader } = pair;
  const { key } = await writer.key("quant");
  await using client = await connect(reader, key);
  await client.subscribe();
  const wanted = notices(120);
  const disturbing = (async () => {
    for (let round = 0; round < 2; round++) {
      await sleep(100);
      await nats.kill();
      await sleep(100);
      await nats.restart();
      await sleep(200);
    }
  })();
  for (const one of wanted) await writer.push(one);
  await disturbing;
  const seen = await client.feeds(120);
  assert.deepEqual(
    titles(seen),
    wanted.map(({ title }) => title),
  );
  await client.settle();
  await Promise.all([writer, reader].map(isConnected));
  const before = await received(reader, "entries");
  const [next = { title: "" }] = notices(1);
  await writer.push(next);
  assert.equal((await client.next("feed")).data.title, next.title);
  await until(async () => (await received(reader, "entries")) > before, "entries come by NATS again");
});

test("a service starts and delivers while its NATS is away, and finds it later", { skip }, async () => {
  await using nats = await startNats();
  await nats.kill();
  await using pair = await startPair({ natsUrl: nats.url }, { isPolled: true, isConnected: false });
  const { writer, reader } = pair;
  const { key } = await writer.key("quant");
  await using client = await connect(reader, key);
  await client.subscribe();
  const wanted = notices(3);
  for (const one of wanted) await writer.push(one);
  assert.deepEqual(
    titles(await client.feeds(3)),
    wanted.map(({ title }) => title),
  );
  assert.deepEqual(await busOf(reader), { name: "nats", connected: false });
  await nats.restart();
  await Promise.all([writer, reader].map(isConnected));
});

test("two installations on one NATS do not hear each other", { skip }, async () => {
  await using nats = await startNats();
  await using one = await startPair({ natsUrl: nats.url });
  await using other = await startPair({ natsUrl: nats.url });
  const { key } = await one.writer.key("quant");
  await using client = await connect(one.reader, key);
  await client.subscribe();
  const [mine = { title: "" }, theirs = { title: "" }] = notices(2);
  await other.writer.push(theirs);
  await one.writer.push(mine);
  assert.equal((await client.next("feed")).data.title, mine.title);
  await until(async () => (await received(one.reader, "entries")) >= 1, "the entry of its own");
  assert.equal(await received(one.reader, "entries"), 1);
});

test("credentials are used, and those of the URL are in no log", { skip }, async () => {
  await using nats = await startNats(['authorization { user: quillmere, password: "p@ss/word" }']);
  const lines: string[] = [];
  const url = nats.url.replace("//", `//quillmere:${encodeURIComponent("p@ss/word")}@`);
  await using _ = await startPair({ natsUrl: url }, { lines });
  assert.deepEqual(
    lines.filter((line) => /nats/i.test(line)),
    [],
  );
  const refused: string[] = [];
  const wrong = nats.url.replace("//", "//quillmere:not-the-secret@");
  await using __ = await startPair({ natsUrl: wrong }, { lines: refused, isConnected: false });
  await until(() => refused.some((line) => line.includes("NATS is not connected")), "a line that says so");
  assert.ok(
    refused.some((line) => /authorization/i.test(line)),
    refused.join(""),
  );
  for (const line of [...lines, ...refused]) assert.doesNotMatch(line, /not-the-secret|p%40ss|p@ss/);
});

test("a NATS that does not permit to publish is no bus, and the log says why", { skip }, async () => {
  const user =
    '{ user: quillmere, password: secret, permissions: { publish: "other.>", subscribe: "tapewire.>" } }';
  await using nats = await startNats([`authorization { users: [${user}] }`]);
  const lines: string[] = [];
  const natsUrl = nats.url.replace("//", "//quillmere:secret@");
  await using pair = await startPair({ natsUrl }, { lines, isConnected: false, isPolled: true });
  await until(async () => {
    await pair.writer.push(...notices(1));
    return lines.some((line) => line.includes("Permissions Violation"));
  }, "a line that says so");
});

test("entries reach the other process in messages of 3 KB too, the larger ones by the table", {
  skip,
}, async () => {
  await using nats = await startNats(["max_payload: 3072"]);
  await using pair = await startPair({ natsUrl: nats.url });
  const { writer, reader } = pair;
  const { key } = await writer.key("quant");
  await using client = await connect(reader, key);
  await client.subscribe();
  // A title of 1,000 characters of three bytes each fills a message by itself.
  const wanted = notices(40).map((one, n) =>
    n % 10 === 4 ? { ...one, title: `${one.title} ${"\u20ac".repeat(950)}` } : one,
  );
  for (let from = 0; from < 40; from += 8) await writer.push(...wanted.slice(from, from + 8));
  assert.deepEqual(
    titles(await client.feeds(40)),
    wanted.map(({ title }) => title),
  );
  assert.ok((await received(reader, "entries")) > 0);
  assert.ok((await received(reader, "position")) > 0);
});

test("a NATS that falls silent, without a word, costs latency only", { skip }, async () => {
  await using nats = await startNats();
  await using proxy = await silentProxy(nats.url);
  await using pair = await startPair({ natsUrl: proxy.url }, { isPolled: true });
  const { writer, reader } = pair;
  const { key } = await writer.key("quant");
  await using client = await connect(reader, key);
  await client.subscribe();
  const wanted = notices(60);
  for (const one of wanted.slice(0, 20)) await writer.push(one);
  await proxy.silence();
  for (const one of wanted.slice(20, 40)) await writer.push(one);
  assert.deepEqual(
    titles(await client.feeds(40)),
    wanted.slice(0, 40).map(({ title }) => title),
  );
  await proxy.forward();
  proxy.cut();
  for (const one of wanted.slice(40)) await writer.push(one);
  assert.deepEqual(
    titles(await client.feeds(20)),
    wanted.slice(40).map(({ title }) => title),
  );
  await client.settle();
  await Promise.all([writer, reader].map(isConnected));
});
