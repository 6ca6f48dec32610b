import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import {
  replayResult,
  retraction,
  type SourceHealth,
  sourceHealthList,
  sourceProbe,
} from "@tapewire/contract/admin.ts";
import { feedItemDetail, feedList } from "@tapewire/contract/feeds.ts";
import { sourceDetail, sourceList } from "@tapewire/contract/reference.ts";
import { listenLocally } from "../support/http.ts";
import { temporaryFolder, writeSources } from "../support/process.ts";
import { type Service, startService } from "../support/service.ts";

const minutesAgo = (n: number) => new Date(Date.now() - n * 60_000).toUTCString();
const entry = (n: number, title: string, at: string, text = "") =>
  `<item><title>${title}</title><guid isPermaLink="false">n-${n}</guid><pubDate>${at}</pubDate><description>${text}</description></item>`;
const rss = (entries: readonly string[]) =>
  `<rss version="2.0"><channel><title>t</title>${entries.join("")}</channel></rss>`;

/** A feed whose entries, or failure, the test sets. */
async function startFeed() {
  const state = { entries: [] as string[], status: 200, polls: 0 };
  const server = await listenLocally((_, response) => {
    state.polls += 1;
    response.writeHead(state.status, { "content-type": "application/rss+xml" }).end(rss(state.entries));
  });
  return { state, url: `${server.origin}/feed`, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

async function startReading(folder: string, url: string, more: object = {}): Promise<Service> {
  const source = {
    id: "notices",
    name: "brandmoor",
    provider: "brandmoor",
    format: "feed",
    url,
    interval_s: 1,
  };
  const off = { ...source, id: "old-notices", enabled: false };
  const sourcesFile = writeSources(folder, [{ ...source, requests_per_s: 100, ...more }, off]);
  return startService("pglite", { sourcesFile });
}

async function health(service: Service): Promise<SourceHealth> {
  const answer = sourceHealthList.parse(await (await service.admin("GET", "/admin/v1/sources")).json());
  const found = answer.data.find(({ id }) => id === "notices");
  assert.ok(found !== undefined);
  return found;
}

async function until(service: Service, done: (source: SourceHealth) => boolean): Promise<SourceHealth> {
  for (;;) {
    const now = await health(service);
    if (done(now)) return now;
    await delay(30);
  }
}

test("an edited entry becomes a revision, and the item stays where it was", async () => {
  await using feed = await startFeed();
  feed.state.entries = [entry(1, "Brandmoor sees profit of $4 million", minutesAgo(9))];
  using folder = temporaryFolder();
  await using service = await startReading(folder.path, feed.url);
  const { key } = await service.key("pro");
  const items = async () => feedList.parse(await (await service.get("/v1/feeds", key)).json()).data;
  while ((await items()).length === 0) await delay(30);
  const [first] = await items();
  feed.state.entries = [entry(1, "Brandmoor sees profit of $5 million", minutesAgo(9))];
  while ((await items())[0]?.status !== "revised") await delay(30);
  const [second] = await items();
  assert.deepEqual(
    [second?.id, second?.published_at, second?.revision, second?.title],
    [first?.id, first?.published_at, 1, "Brandmoor sees profit of $5 million"],
  );
});

test("a window that held only new items is a gap, and the source's health tells it", async () => {
  await using feed = await startFeed();
  feed.state.entries = [1, 2, 3, 4, 5, 6].map((n) => entry(n, `Notice ${n}`, minutesAgo(60 - n)));
  using folder = temporaryFolder();
  await using service = await startReading(folder.path, feed.url);
  await until(service, ({ items }) => items === 6);
  feed.state.entries = [7, 8, 9, 10, 11, 12].map((n) => entry(n, `Notice ${n}`, minutesAgo(30 - n)));
  const overrun = await until(service, ({ items }) => items === 12);
  const told = overrun.gaps.length > 0 ? overrun : await until(service, ({ gaps }) => gaps.length > 0);
  assert.equal(told.gaps.length, 1);
  assert.ok((told.gaps[0]?.from ?? "") < (told.gaps[0]?.to ?? ""));
  // The next window joins on to what is known: no gap.
  feed.state.entries = [8, 9, 10, 11, 12, 13].map((n) => entry(n, `Notice ${n}`, minutesAgo(30 - n)));
  assert.equal((await until(service, ({ items }) => items === 13)).gaps.length, 1);
});

test("health, activity and probe tell how a source does, and what is the matter when it fails", async () => {
  await using feed = await startFeed();
  feed.state.entries = [
    entry(1, "Brandmoor opens a plant", minutesAgo(1)),
    entry(2, "Brandmoor hires", minutesAgo(5)),
  ];
  using folder = temporaryFolder();
  await using service = await startReading(folder.path, feed.url);
  await until(service, ({ items }) => items === 2);
  feed.state.entries = [entry(3, "Brandmoor closes a plant", minutesAgo(0)), ...feed.state.entries];
  const well = await until(service, ({ items, lag_ms }) => items === 3 && lag_ms !== null);
  assert.deepEqual([well.status, well.advice, well.failures], ["ok", null, 0]);
  assert.ok((well.lag_ms?.p50 ?? -1) >= 0 && (well.lag_ms?.p99 ?? 0) < 120_000);

  const { key } = await service.key("free");
  const names = sourceList.parse(await (await service.get("/v1/sources", key)).json());
  assert.deepEqual(names.data, ["brandmoor"]);
  const detail = sourceDetail.parse(await (await service.get("/v1/sources/brandmoor", key)).json());
  assert.deepEqual(
    [detail.name, detail.feed_count, detail.feeds_24h, detail.status, detail.failures],
    ["brandmoor", 3, 3, "ok", 0],
  );
  assert.equal((await service.get("/v1/sources/nobody", key)).status, 404);
  assert.equal((await service.get("/v1/sources/NO", key)).status, 400);

  feed.state.entries = [entry(4, "Brandmoor sells a plant", minutesAgo(0)), ...feed.state.entries];
  const path = "/admin/v1/sources/notices/probe";
  const probe = sourceProbe.parse(await (await service.admin("POST", path)).json());
  assert.deepEqual([probe.ok, probe.items, probe.titles[0]], [true, 4, "Brandmoor sells a plant"]);
  assert.equal((await service.admin("POST", "/admin/v1/sources/nobody/probe")).status, 404);

  feed.state.status = 403;
  const failing = await until(service, ({ failures }) => failures >= 2);
  assert.equal(failing.status, "failing");
  assert.match(failing.advice ?? "", /HTTP 403.*TAPEWIRE_CONTACT/);
  assert.equal(sourceProbe.parse(await (await service.admin("POST", path)).json()).ok, false);
  const list = sourceHealthList.parse(await (await service.admin("GET", "/admin/v1/sources")).json());
  assert.match(list.data.find(({ id }) => id === "old-notices")?.advice ?? "", /enabled/);
  feed.state.status = 200;
  assert.equal((await until(service, ({ failures }) => failures === 0)).advice, null);
});

test("kept answers are read again: what was removed comes back, what is known stays", async () => {
  await using feed = await startFeed();
  feed.state.entries = [entry(1, "Brandmoor one", minutesAgo(1)), entry(2, "Brandmoor two", minutesAgo(2))];
  using folder = temporaryFolder();
  await using service = await startReading(folder.path, feed.url);
  await until(service, ({ items }) => items === 2);
  const replay = async (body: object) =>
    replayResult.parse(await (await service.admin("POST", "/admin/v1/replay", body)).json());
  const since = new Date(Date.now() - 3_600_000).toISOString();
  const again = await replay({ since });
  assert.deepEqual(
    [again.next, again.items, again.created, again.revised, again.unchanged, again.errors],
    [null, 2, 0, 0, 2, []],
  );
  assert.equal((await replay({ since, dry_run: true })).unchanged, 2);
  assert.equal((await replay({ since, source: "another" })).answers, 0);
  assert.equal((await replay({ since: new Date(Date.now() + 1_000).toISOString() })).answers, 0);
  assert.equal((await service.admin("POST", "/admin/v1/replay", { since: "yesterday" })).status, 400);
});

test("the operator withdraws an item, and its source does not bring it back", async () => {
  await using feed = await startFeed();
  feed.state.entries = [entry(1, "Brandmoor says something", minutesAgo(1))];
  using folder = temporaryFolder();
  await using service = await startReading(folder.path, feed.url);
  await until(service, ({ items }) => items === 1);
  const { key } = await service.key("pro");
  const [item] = feedList.parse(await (await service.get("/v1/feeds", key)).json()).data;
  const path = `/admin/v1/items/${item?.id}`;
  assert.deepEqual(retraction.parse(await (await service.admin("DELETE", path)).json()).status, "retracted");
  feed.state.entries = [entry(1, "Brandmoor says it again", minutesAgo(1))];
  const polls = feed.state.polls;
  while (feed.state.polls < polls + 2) await delay(30);
  const read = feedItemDetail.parse(await (await service.get(`/v1/feeds/${item?.id}`, key)).json());
  assert.deepEqual([read.status, read.title], ["retracted", "Brandmoor says something"]);
  const unknown = "/admin/v1/items/00000000-0000-5000-8000-000000000000";
  assert.equal((await service.admin("DELETE", unknown)).status, 404);
});

test("copies of a story are left out where the caller asks so", async () => {
  await using service = await startService("pglite");
  const { key } = await service.key("pro");
  const story = {
    title: "Halvorn Biotech (NASDAQ: AAPL) halts its trial",
    published_at: new Date().toISOString(),
  };
  await service.push(
    { ...story, source: "wire-a", external_id: "1" },
    { ...story, source: "wire-b", external_id: "2" },
  );
  const list = async (query: string) =>
    feedList.parse(await (await service.get(`/v1/feeds${query}`, key)).json()).data;
  assert.equal((await list("")).length, 2);
  assert.equal((await list("?story_copies=true")).length, 2);
  const [only, ...others] = await list("?story_copies=false");
  assert.deepEqual([others.length, only?.source, only?.story_id], [0, "wire-a", only?.id]);
  assert.equal((await service.get("/v1/feeds?story_copies=no", key)).status, 400);
});
