import assert from "node:assert/strict";
import { problem } from "@tapewire/contract/errors/errors.ts";
import { feedItem, feedList } from "@tapewire/contract/feeds.ts";
import { replayPage } from "@tapewire/contract/stream.ts";
import { deliveryList } from "@tapewire/contract/webhook-deliveries.ts";
import { sql as query } from "kysely";
import pg from "pg";
import { z } from "zod";
import { partitioned } from "../../src/store/log/partitions.ts";
import { createDatabase, onBothEngines, onPostgres, testDb } from "../support/db.ts";
import { startProcess } from "../support/index-process.ts";
import { startReceivers, until } from "../support/receiver.ts";
import { type Service, startService } from "../support/service.ts";
import { connect, notice, titles } from "../support/stream-connect.ts";

const created = z.object({ id: z.string() });
const dayOf = { jan: "2026-01-05T10:00:00Z", feb: "2026-02-05T10:00:00Z", mar: "2026-03-05T10:00:00Z" };
const item = (month: keyof typeof dayOf) => notice({ published_at: dayOf[month], source: month });

/** Titles of the items of an event source, once there are so many. */
async function events(service: Service, key: string, cursor: string, count: number): Promise<string[]> {
  const stop = new AbortController();
  const headers = { authorization: `Bearer ${key}`, "last-event-id": cursor };
  const { body } = await fetch(`${service.url}/v1/stream/sse`, { headers, signal: stop.signal });
  let text = "";
  const decoder = new TextDecoder();
  const found = () => [...text.matchAll(/event: feed\ndata: (.*)\n\n/g)].map(([, data = ""]) => data);
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (found().length >= count) break;
  }
  stop.abort();
  return found().map((data) => JSON.parse(data).data.title);
}

async function replayFinds(service: Service, key: string, kept: readonly (string | null)[], epoch: string) {
  const refused = await service.get(`/v1/replay?after=${epoch}.1`, key);
  const { code, detail } = problem.parse(await refused.json());
  assert.deepEqual([refused.status, code], [410, "cursor_expired"]);
  assert.match(detail, new RegExp(`The oldest cursor is ${epoch}\\.2$`));
  for (const query of [`after=${epoch}.2`, "since=2020-01-01T00:00:00Z", ""]) {
    const page = replayPage.parse(await (await service.get(`/v1/replay?${query}`, key)).json());
    assert.deepEqual([titles(page.data), page.next_cursor], [kept, null], query);
  }
}

/** What every reader is to find of the log, in order: its entries that are kept. */
async function readersFind(service: Service, key: string, kept: readonly (string | null)[], epoch: string) {
  await using client = await connect(service, key);
  const { resumed, reason, oldest = "" } = await client.subscribe({ after: `${epoch}.1` });
  assert.deepEqual([resumed, reason, oldest], [false, "cursor_expired", `${epoch}.2`]);
  assert.equal((await client.subscribe({ after: oldest })).resumed, true);
  assert.deepEqual(titles(await client.feeds(kept.length)), kept);
  await client.settle();
  assert.deepEqual(await events(service, key, `${epoch}.3`, kept.length - 1), kept.slice(1));
  await replayFinds(service, key, kept, epoch);
  const list = feedList.parse(await (await service.get("/v1/feeds?limit=2", key)).json());
  const rest = await service.get(`/v1/feeds?limit=2&cursor=${list.next_cursor}`, key);
  const shown = [...list.data, ...feedList.parse(await rest.json()).data].map(({ title }) => title);
  assert.deepEqual(shown.sort(), [...kept].sort());
}

onPostgres("where months were dropped from the log all its readers go on, and say what is gone", async () => {
  await using database = await createDatabase();
  await using receivers = await startReceivers({});
  const sql = new pg.Client({ connectionString: database.url });
  await sql.connect();
  await using stack = new AsyncDisposableStack();
  stack.defer(() => sql.end());
  const options = { databaseUrl: database.url, webhookAllow: ["127.0.0.0/8"], demo: "off" } as const;
  const before = stack.use(await startService("postgres", options));
  const { key } = await before.key("enterprise");
  const call = (service: Service, path: string, body: object) =>
    fetch(service.url + path, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const made = await call(before, "/v1/webhooks", { url: receivers.url("/") });
  const { id } = created.parse(await made.json());
  const delivered = () => receivers.at("/").map(({ body }) => JSON.parse(body).data.title);

  const months = ["jan", "jan", "mar", "feb", "feb", "mar", "jan", "mar"] as const;
  const items = months.map(item);
  for (const one of items) await before.push(one);
  const kept = items.flatMap(({ title }, at) => (months[at] === "mar" ? [title] : []));
  await until(() => delivered().length === 8, "all are delivered");
  const deliveries = `/v1/webhooks/${id}/deliveries`;
  const logged = async () => deliveryList.parse(await (await before.get(deliveries, key)).json()).data.length;
  await until(async () => (await logged()) === 8, "all are in the log of deliveries");
  const whole = feedList.parse(await (await before.get("/v1/feeds?limit=50", key)).json());
  const gone = whole.data.find(({ title }) => title === items[0]?.title);

  // Months are looked at every second: those of items pushed within it would come and go between two looks.
  await before[Symbol.asyncDispose]();
  const first = stack.use(await startService("postgres", options));

  for (const table of ["items", "item_bodies", "scores"]) {
    await sql.query(`drop table ${table}_202601`);
    await sql.query(`alter table ${table} detach partition ${table}_202602`);
  }
  // Those in memory go too, when the tables are looked at next.
  const count = async () =>
    feedList.parse(await (await first.get("/v1/feeds?limit=50", key)).json()).data.length;
  await until(async () => (await count()) === kept.length, "what was dropped is not listed");
  const {
    rows: [head],
  } = await sql.query("select epoch from log_head");
  const { epoch } = z.object({ epoch: z.string() }).parse(head);
  await readersFind(first, key, kept, epoch);
  assert.equal((await first.get(`/v1/feeds/${gone?.id}`, key)).status, 404);
  const dropped = await first.get(`${deliveries}/${receivers.at("/")[0]?.id}`, key);
  const { code } = problem.parse(await dropped.json());
  assert.deepEqual([dropped.status, code], [410, "retired"]);
  const rescored = await first.admin("POST", "/admin/v1/rescore", { since: dayOf.jan, model: "pro" });
  assert.equal(rescored.status, 200);

  const refused = await call(first, `/v1/webhooks/${id}/replay`, { from: 1, to: 8 });
  const { errors } = problem.parse(await refused.json());
  assert.deepEqual([refused.status, errors?.[0]?.name], [400, "from"]);
  assert.match(errors?.[0]?.detail ?? "", /up to 2 are no longer stored: the oldest is 3/);
  for (const from of [3, "2026-01-01T00:00:00Z"]) {
    const before = delivered().length;
    assert.ok((await call(first, `/v1/webhooks/${id}/replay`, { from, to: 8 })).ok);
    await until(() => delivered().length >= before + kept.length, "the range is replayed");
    assert.deepEqual(delivered().slice(before), kept);
    const ended = async () =>
      (await sql.query("select from webhook_endpoints where replay_seq is null")).rowCount === 1;
    await until(ended, "the replay ends");
  }

  // A late item of a month that is gone.
  const late = item("jan");
  await first.push(late);
  const told = delivered().length;
  await first.app[Symbol.asyncDispose]();
  await sql.query("update webhook_shards set cursor = 0");
  await sql.query("update webhook_endpoints set position = 0");
  const again = stack.use(await startService("postgres", options));
  await readersFind(again, key, [...kept, late.title], epoch);
  const [newest] = feedList.parse(await (await again.get("/v1/feeds?limit=1", key)).json()).data;
  const read = feedItem.parse(await (await again.get(`/v1/feeds/${newest?.id}`, key)).json());
  assert.equal(read.title, newest?.title);
  await until(() => delivered().length >= told + 4, "the log is caught up with");
  assert.deepEqual(delivered().slice(-4), [...kept, late.title]);
});

onBothEngines(
  "a month that was dropped and is made again at once has none of its former items",
  async (_, engine) => {
    await using db = await testDb(engine);
    await using process = await startProcess(db);
    const sizes = { cacheBytes: 1_000_000, bodyBytes: 1_000_000 };
    await using index = await process.open(sizes);
    await using keeper = process.keep(index, { foldEntries: 8, leastPerSegment: 1, segmentItems: 16 });
    const append = (month: keyof typeof dayOf, ...names: string[]) =>
      process.append(names.map((name) => ({ uniqueId: `guid:${name}`, publishedAt: dayOf[month] })));
    await append("jan", "1", "2", "3", "4");
    await append("mar", "5", "6", "7", "8");
    await until(async () => {
      await keeper.step();
      return index.stats().unfolded === 0;
    }, "items are in segments");
    for (const table of partitioned)
      await query`drop table ${query.table(`${table}_202601`)}`.execute(db.main);
    await append("jan", "late");
    await using later = await process.open(sizes);
    const { totals } = await later.counts(
      { tags: {} },
      {
        fromMs: Date.parse("2026-01-01T00:00:00Z"),
        untilMs: Date.parse("2026-04-01T00:00:00Z"),
        bucketMs: 86_400_000,
        by: null,
        top: 1,
        turn: () => {},
      },
    );
    assert.equal(totals[0], 5);
  },
);
