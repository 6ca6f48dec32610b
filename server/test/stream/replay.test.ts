import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { problem } from "@tapewire/contract/errors/errors.ts";
import { type ReplayPage, replayPage } from "@tapewire/contract/stream.ts";
import WebSocket from "ws";
import { anyEngine } from "../support/db.ts";
import { until } from "../support/receiver.ts";
import { type Service, startService } from "../support/service.ts";
import { connect, notice, notices } from "../support/stream-connect.ts";

/** What differs between the moment of sending and the log: the count, and the time of sending with what follows from it. */
const sending = /"(publish_time|source_to_publish_ms|receive_to_publish_ms)":(?:"[^"]*"|-?\d+)/g;
const unsent = (text: string) => text.replaceAll(sending, '"$1":0');
const frameHead = /^\{"type":"feed","snapshot":false,"count":\s*\d+,/;

const lastTitle = "The last of the day";

/** A client that keeps the texts of the frames. */
async function recording(service: Service, key: string, filters: object = {}) {
  const texts: string[] = [];
  const socket = new WebSocket(service.app.wsUrl, {
    headers: { authorization: `Bearer ${key}` },
    perMessageDeflate: false,
  });
  const subscribed = new Promise<void>((resolve) => {
    socket.on("message", (data) => {
      const text = data.toString();
      if (text.startsWith('{"type":"feed"')) texts.push(unsent(text.replace(frameHead, "{")));
      if (text.startsWith('{"type":"subscribed"')) resolve();
    });
  });
  await once(socket, "open");
  socket.send(JSON.stringify({ type: "subscribe", filters }));
  await subscribed;
  return {
    texts,
    [Symbol.dispose]: () => socket.terminate(),
  };
}

async function pageText(service: Service, key: string, query: string): Promise<string> {
  const response = await service.get(`/v1/replay?${query}`, key);
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return text;
}

/** A replay read to its end, as one list of entries. */
async function replayed(service: Service, key: string, query = ""): Promise<ReplayPage["data"]> {
  const entries: ReplayPage["data"] = [];
  for (const asked = new URLSearchParams(query); ; ) {
    const page = replayPage.parse(JSON.parse(await pageText(service, key, String(asked))));
    entries.push(...page.data);
    if (page.next_cursor === null) return entries;
    assert.equal(page.next_cursor, page.cursor);
    asked.set("after", page.next_cursor);
  }
}

/** A day of a feed: new items, revisions of some, a withdrawal, a rescore. */
async function aDay(service: Service): Promise<void> {
  const items = notices(150, { source: "wire", symbols: ["DEMO:OBTX"] });
  const earnings = notices(60, { source: "other", title: "Orbitex Robotics raises full-year guidance" }).map(
    (item, n) => ({ ...item, title: `${item.title} ${n}` }),
  );
  const ids = await service.push(...items.slice(0, 100));
  await service.push(...earnings);
  await service.push(...items.slice(20, 50).map((item) => ({ ...item, title: `${item.title}, corrected` })));
  const gone = await service.admin("DELETE", `/admin/v1/items/${ids[7]?.id}`);
  assert.equal(gone.status, 200);
  await service.push(...items.slice(100));
  const rescored = await service.admin("POST", "/admin/v1/rescore", {
    since: "2020-01-01T00:00:00Z",
    model: "pro",
  });
  assert.equal(rescored.status, 200);
  await service.push(notice({ source: "wire", symbols: ["DEMO:OBTX"], title: lastTitle }));
}

test("a replay is what a live subscriber got", async (context) => {
  await using service = await startService(anyEngine);
  const { key } = await service.key("pro");
  using all = await recording(service, key);
  const filters = { symbols: ["OBTX"], aggregators: ["wire"], sentiment_min: 5 };
  using some = await recording(service, key, filters);
  await aDay(service);
  for (const { texts } of [all, some])
    await until(() => texts.at(-1)?.includes(lastTitle) === true, "the last item");
  const entries = await replayed(service, key);
  const seqs = (of: ReplayPage["data"]) => of.map(({ seq }) => seq);

  await context.test("byte for byte, but for the count and the times of sending", async () => {
    assert.equal(all.texts.length, 242);
    const text = await pageText(service, key, "limit=1000");
    const [, list = ""] = /^\{"data":\[(.*)\],"cursor":"[^"]*","next_cursor":null\}$/s.exec(text) ?? [];
    assert.equal(unsent(list.replaceAll(/"logged_at":"[^"]*",/g, "")), all.texts.join(","));
    const statuses = new Set(entries.map(({ data }) => data.status));
    assert.deepEqual([...statuses].sort(), ["published", "retracted", "revised"]);
  });
  await context.test("through filters too", async () => {
    const query = "symbol=OBTX&aggregator=wire&sentiment_min=5";
    const got = await replayed(service, key, `${query}&limit=7`);
    assert.ok(got.length > 100 && got.length < entries.length, `${got.length}`);
    assert.deepEqual(
      got.map(({ cursor }) => cursor),
      some.texts.map((text) => JSON.parse(text).cursor),
    );
  });
  await context.test("by provider, as a stream has it, in any case", async () => {
    const theirs = entries.filter(({ data }) => data.provider_id === "other");
    assert.equal(theirs.length, 60);
    assert.deepEqual(seqs(await replayed(service, key, "provider=Other,nobody")), seqs(theirs));
  });
  await context.test("in pages of any size, and the same each time", async () => {
    for (const limit of [1, 7, 100, 241, 242, 243])
      assert.deepEqual(await replayed(service, key, `limit=${limit}`), entries, `limit ${limit}`);
  });
  await context.test("spans that meet at a time or at a cursor make the whole", async () => {
    for (const at of [0, 1, 99, 130, 200, 241]) {
      const { logged_at, cursor } = entries[at] ?? assert.fail();
      const before = await replayed(service, key, `until=${logged_at}&limit=100`);
      const behind = await replayed(service, key, `since=${logged_at}&limit=100`);
      assert.deepEqual(seqs([...before, ...behind]), seqs(entries));
      assert.deepEqual(seqs(await replayed(service, key, `until=${cursor}`)), seqs(entries.slice(0, at + 1)));
      assert.deepEqual(seqs(await replayed(service, key, `after=${cursor}`)), seqs(entries.slice(at + 1)));
    }
    assert.deepEqual(await replayed(service, key, "since=2999-01-01T00:00:00Z"), []);
    assert.deepEqual(await replayed(service, key, "until=2000-01-01T00:00:00Z"), []);
    const ends = await replayed(service, key, `after=${entries[9]?.cursor}&until=${entries[3]?.cursor}`);
    assert.deepEqual(ends, []);
  });
  await context.test("cursors that cannot be used are refused by name", async () => {
    const { cursor } = entries.at(-1) ?? assert.fail();
    const [epoch = "", seq] = cursor.split(".");
    const ahead = `${epoch}.${Number(seq) + 1}`;
    const cases: [query: string, status: number, code: string, name: string][] = [
      ["after=x", 400, "invalid_cursor", "after"],
      ["after=", 400, "invalid_parameter", "after"],
      [`after=other.${seq}`, 400, "cursor_unknown", "after"],
      [`after=${ahead}`, 400, "cursor_unknown", "after"],
      [`until=other.${seq}`, 400, "cursor_unknown", "until"],
      ["until=x", 400, "invalid_parameter", "until"],
      ["limit=1001", 400, "invalid_parameter", "limit"],
      ["since=2026-03-02T00:00:00Z&until=2026-03-01T00:00:00Z", 400, "invalid_parameter", "since"],
    ];
    for (const [query, status, code, name] of cases) {
      const response = await service.get(`/v1/replay?${query}`, key);
      const body = problem.parse(await response.json());
      assert.deepEqual([response.status, body.code, body.errors?.[0]?.name], [status, code, name], query);
    }
  });
  await context.test("plans below pro do not have it", async () => {
    const starter = await service.key("starter");
    const response = await service.get("/v1/replay", starter.key);
    const { code, detail } = problem.parse(await response.json());
    assert.deepEqual([response.status, code], [403, "plan_required"]);
    assert.match(detail, /it needs the pro plan or higher/);
  });
  await context.test("and a stream goes on behind it without a gap", async () => {
    const text = await pageText(service, key, "limit=1000");
    const { cursor } = replayPage.parse(JSON.parse(text));
    const next = notice({ source: "next" });
    await service.push(next);
    await using client = await connect(service, key);
    assert.equal((await client.subscribe({ after: cursor })).resumed, true);
    assert.equal((await client.next("feed")).data.title, next.title);
    const { cursor: reached, data } = replayPage.parse(
      JSON.parse(await pageText(service, key, `after=${cursor}`)),
    );
    assert.deepEqual([data.length, data[0]?.data.title], [1, next.title]);
    assert.notEqual(reached, cursor);
  });
});
