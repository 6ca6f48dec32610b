import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import {
  replayResult,
  retraction,
  type SourceHealth,
  sourceHealthList,
  sourceProbe,
} from "@tapewire/contract/admin.ts";
import { feedList } from "@tapewire/contract/feeds.ts";
import { sourceDetail, sourceList } from "@tapewire/contract/reference.ts";
import { anyEngine } from "../../support/db.ts";
import { listenLocally } from "../../support/http.ts";
import { temporaryFolder, writeSources } from "../../support/process.ts";
import { type Service, startService } from "../../support/service.ts";

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
type Feed = Awaited<ReturnType<typeof startFeed>>;

/** One service reads a feed for each test: a start takes longer than all of them. */
const ids = [
  "edited",
  "twins",
  "overrun",
  "watched",
  "replayed",
  "corrected",
  "withdrawn",
  "headlines",
] as const;
type Id = (typeof ids)[number];
const started = { stack: new AsyncDisposableStack(), feeds: new Map<Id, Feed>(), key: "" };
const services: Service[] = [];

async function start(): Promise<void> {
  const { stack, feeds } = started;
  const folder = stack.use(temporaryFolder());
  for (const id of ids) feeds.set(id, stack.use(await startFeed()));
  const common = { provider: "brandmoor", format: "feed", interval_s: 1, requests_per_s: 100 };
  const off = { ...common, id: "old", name: "brandmoor-old", url: "http://127.0.0.1:9/", enabled: false };
  const sources = ids.map((id) => {
    return { ...common, id, name: `brandmoor-${id}`, url: feedOf(id).url, headline_only: id === "headlines" };
  });
  const sourcesFile = writeSources(folder.path, [...sources, off]);
  const service = stack.use(await startService(anyEngine, { sourcesFile }));
  services.push(service);
  started.key = (await service.key("pro")).key;
}
after(() => started.stack.disposeAsync());

function feedOf(id: Id): Feed {
  const feed = started.feeds.get(id);
  assert.ok(feed !== undefined);
  return feed;
}

function running(): Service {
  const [service] = services;
  assert.ok(service !== undefined);
  return service;
}

async function health(id: string): Promise<SourceHealth> {
  const answer = sourceHealthList.parse(await (await running().admin("GET", "/admin/v1/sources")).json());
  const found = answer.data.find((one) => one.id === id);
  assert.ok(found !== undefined);
  return found;
}

async function until(id: Id, done: (source: SourceHealth) => boolean): Promise<SourceHealth> {
  for (;;) {
    const now = await health(id);
    if (done(now)) return now;
    await delay(30);
  }
}

async function itemsOf(id: Id) {
  const path = `/v1/feeds?aggregator=brandmoor-${id}`;
  return feedList.parse(await (await running().get(path, started.key)).json()).data;
}

/** Each has a feed of its own; most of their time they wait for its next poll. */
describe("operations on a source", { concurrency: true }, () => {
  before(start);

  test("an edited entry becomes a revision, and the item stays where it was", async () => {
    const { state } = feedOf("edited");
    state.entries = [entry(1, "Brandmoor sees profit of $4 million", minutesAgo(9))];
    const items = () => itemsOf("edited");
    while ((await items()).length === 0) await delay(30);
    const [first] = await items();
    state.entries = [entry(1, "Brandmoor sees profit of $5 million", minutesAgo(9))];
    while ((await items())[0]?.status !== "revised") await delay(30);
    const [second] = await items();
    assert.deepEqual(
      [second?.id, second?.published_at, second?.revision, second?.title],
      [first?.id, first?.published_at, 1, "Brandmoor sees profit of $5 million"],
    );
  });

  test("an entry that stands twice in a feed, and differently, is one item and revises nothing", async () => {
    const { state } = feedOf("twins");
    const at = minutesAgo(3);
    state.entries = [entry(1, "Brandmoor, one way", at, "So."), entry(1, "Brandmoor, one way", at, "Or so.")];
    await until("twins", ({ items }) => items === 1);
    const polls = state.polls;
    while (state.polls < polls + 3) await delay(30);
    const items = await itemsOf("twins");
    assert.deepEqual(
      items.map(({ revision }) => revision),
      [0],
    );
  });

  test("a window that held only new items is a gap, and the source's health tells it", async () => {
    const { state } = feedOf("overrun");
    const notice = (n: number) => entry(n, `Notice ${n}`, minutesAgo(60 - n));
    state.entries = [1, 2, 3, 4, 5, 6].map(notice);
    await until("overrun", ({ items }) => items === 6);
    state.entries = [7, 8, 9, 10, 11, 12].map(notice);
    const { gaps } = await until("overrun", (source) => source.items === 12 && source.gaps.length > 0);
    assert.equal(gaps.length, 1);
    assert.ok((gaps[0]?.from ?? "") < (gaps[0]?.to ?? ""));
    // The next window joins on to what is known: no gap.
    state.entries = [8, 9, 10, 11, 12, 13].map(notice);
    assert.equal((await until("overrun", ({ items }) => items === 13)).gaps.length, 1);
  });

  test("health, activity and probe tell how a source does, and what is the matter when it fails", async () => {
    const { state } = feedOf("watched");
    const service = running();
    state.entries = [
      entry(1, "Brandmoor opens a plant", minutesAgo(1)),
      entry(2, "Brandmoor hires", minutesAgo(5)),
    ];
    await until("watched", ({ items }) => items === 2);
    state.entries = [entry(3, "Brandmoor closes a plant", minutesAgo(0)), ...state.entries];
    const well = await until("watched", ({ items, lag_ms }) => items === 3 && lag_ms !== null);
    assert.deepEqual([well.status, well.advice, well.failures], ["ok", null, 0]);
    const { p50, p99 } = well.lag_ms ?? { p50: -1, p99: -1 };
    assert.ok(p50 >= 0 && p99 >= p50 && p99 < 600_000, `p50 ${p50}, p99 ${p99}`);

    const { key } = await service.key("free");
    const names = sourceList.parse(await (await service.get("/v1/sources", key)).json());
    assert.deepEqual(names.data, ids.map((id) => `brandmoor-${id}`).sort());
    const detail = sourceDetail.parse(await (await service.get("/v1/sources/brandmoor-watched", key)).json());
    assert.deepEqual(
      [detail.name, detail.feed_count, detail.feeds_24h, detail.status, detail.failures],
      ["brandmoor-watched", 3, 3, "ok", 0],
    );
    const old = sourceDetail.parse(await (await service.get("/v1/sources/brandmoor-old", key)).json());
    assert.deepEqual([old.status, old.feed_count, old.latest_at], ["disabled", 0, null]);
    assert.equal((await service.get("/v1/sources/nobody", key)).status, 404);
    assert.equal((await service.get("/v1/sources/NO", key)).status, 404);

    state.entries = [entry(4, "Brandmoor sells a plant", minutesAgo(0)), ...state.entries];
    const path = "/admin/v1/sources/watched/probe";
    const probe = sourceProbe.parse(await (await service.admin("POST", path)).json());
    assert.deepEqual([probe.ok, probe.items, probe.titles[0]], [true, 4, "Brandmoor sells a plant"]);
    assert.equal((await service.admin("POST", "/admin/v1/sources/nobody/probe")).status, 404);

    state.status = 403;
    const failing = await until("watched", ({ failures }) => failures >= 2);
    assert.equal(failing.status, "failing");
    assert.match(failing.advice ?? "", /HTTP 403.*TAPEWIRE_CONTACT/);
    assert.equal(sourceProbe.parse(await (await service.admin("POST", path)).json()).ok, false);
    assert.match((await health("old")).advice ?? "", /enabled/);
    state.status = 200;
    assert.equal((await until("watched", ({ failures }) => failures === 0)).advice, null);
  });

  test("kept answers are read again: what is known stays", async () => {
    const { state } = feedOf("replayed");
    state.entries = [entry(1, "Brandmoor one", minutesAgo(1)), entry(2, "Brandmoor two", minutesAgo(2))];
    await until("replayed", ({ items }) => items === 2);
    const replay = async (body: object) =>
      replayResult.parse(await (await running().admin("POST", "/admin/v1/replay", body)).json());
    const mine = { source: "replayed", since: new Date(Date.now() - 3_600_000).toISOString() };
    const again = await replay(mine);
    assert.deepEqual(
      [again.next, again.items, again.created, again.revised, again.unchanged, again.errors],
      [null, 2, 0, 0, 2, []],
    );
    assert.equal((await replay({ ...mine, dry_run: true })).unchanged, 2);
    assert.equal((await replay({ ...mine, source: "another" })).answers, 0);
    assert.equal((await replay({ since: new Date(Date.now() + 1_000).toISOString() })).answers, 0);
    assert.equal((await running().admin("POST", "/admin/v1/replay", { since: "yesterday" })).status, 400);
  });

  test("of a source that keeps headlines only neither text nor answer is stored", async () => {
    const { state } = feedOf("headlines");
    state.entries = [entry(1, "Brandmoor one", minutesAgo(1), "It cut its forecast for the year.")];
    await until("headlines", ({ items }) => items === 1);
    const polls = state.polls;
    while (state.polls < polls + 2) await delay(30);
    const [item] = await itemsOf("headlines");
    const detail = await (await running().get(`/v1/feeds/${item?.id}`, started.key)).text();
    assert.doesNotMatch(detail, /forecast/);
    const mine = { source: "headlines", since: new Date(Date.now() - 3_600_000).toISOString() };
    const answer = await running().admin("POST", "/admin/v1/replay", mine);
    assert.equal(replayResult.parse(await answer.json()).answers, 0);
  });

  test("a replay does not publish again what the source has corrected since", async () => {
    const { state } = feedOf("corrected");
    const at = minutesAgo(3);
    const titles = [
      "Brandmoor: trading paused",
      "Brandmoor: trading resumes",
      "Brandmoor: trading is normal",
    ];
    for (const [revision, title] of titles.entries()) {
      state.entries = [entry(1, title, at)];
      while ((await itemsOf("corrected"))[0]?.revision !== revision) await delay(30);
    }
    const [before] = await itemsOf("corrected");
    const mine = { source: "corrected", since: new Date(Date.now() - 3_600_000).toISOString() };
    for (const dry_run of [true, false]) {
      const answer = await running().admin("POST", "/admin/v1/replay", { ...mine, dry_run });
      const { answers, items, revised, unchanged, errors } = replayResult.parse(await answer.json());
      assert.deepEqual(
        { answers, items, revised, unchanged, errors },
        { answers: 3, items: 3, revised: 0, unchanged: 3, errors: [] },
      );
    }
    assert.deepEqual(await itemsOf("corrected"), [before]);
  });

  test("the operator withdraws an item, and its source does not bring it back", async () => {
    const { state } = feedOf("withdrawn");
    state.entries = [entry(1, "Brandmoor says something", minutesAgo(1))];
    await until("withdrawn", ({ items }) => items === 1);
    const [item] = await itemsOf("withdrawn");
    const path = `/admin/v1/items/${item?.id}`;
    const answer = retraction.parse(await (await running().admin("DELETE", path)).json());
    assert.equal(answer.status, "retracted");
    state.entries = [entry(1, "Brandmoor says it again", minutesAgo(1))];
    const polls = state.polls;
    while (state.polls < polls + 2) await delay(30);
    const [now] = await itemsOf("withdrawn");
    assert.deepEqual([now?.status, now?.title], ["retracted", "Brandmoor says something"]);
    const unknown = "/admin/v1/items/00000000-0000-5000-8000-000000000000";
    assert.equal((await running().admin("DELETE", unknown)).status, 404);
  });
});

test("copies of a story are left out where the caller asks so", async () => {
  const service = running();
  const story = {
    title: "Halvorn Biotech (NASDAQ: AAPL) halts its trial",
    published_at: new Date().toISOString(),
  };
  await service.push(
    { ...story, source: "wire-a", external_id: "1" },
    { ...story, source: "wire-b", external_id: "2" },
  );
  const list = async (query: string) =>
    feedList.parse(
      await (await service.get(`/v1/feeds?aggregator=wire-a,wire-b${query}`, started.key)).json(),
    ).data;
  assert.equal((await list("")).length, 2);
  assert.equal((await list("&story_copies=true")).length, 2);
  const [only, ...others] = await list("&story_copies=false");
  assert.deepEqual([others.length, only?.source, only?.story_id], [0, "wire-a", only?.id]);
  assert.equal((await service.get("/v1/feeds?story_copies=no", started.key)).status, 400);
});
