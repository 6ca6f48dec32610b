import assert from "node:assert/strict";
import { sourceHealthList } from "@tapewire/contract/admin.ts";
import { problem } from "@tapewire/contract/errors/errors.ts";
import { feedList } from "@tapewire/contract/feeds.ts";
import { retention } from "@tapewire/contract/operator/retention.ts";
import { replayPage } from "@tapewire/contract/stream.ts";
import { z } from "zod";
import { systemClock } from "../../../src/runtime/clock.ts";
import { createDatabase, type EngineName, onAnyEngine, seedDataDir } from "../../support/db.ts";
import { temporaryFolder, writeSources } from "../../support/process.ts";
import { startReceivers, until } from "../../support/receiver.ts";
import { type Service, startService } from "../../support/service.ts";
import { site } from "../../support/sites.ts";
import { connect, notice, titles } from "../../support/stream-connect.ts";

const dayMs = 86_400_000;
/** The service later, beside one of today: a month that is kept, one that is not, and none in doubt. */
const aheadMs = 95 * dayMs;

const entry = (title: string, at: Date | null) =>
  `<item><title>${title}</title><guid>urn:${title}</guid>${at === null ? "" : `<pubDate>${at.toUTCString()}</pubDate>`}</item>`;

/** A feed that lists its archive; what it lists can be set. */
async function archive() {
  const state = { items: "" };
  const server = await site((_, response) => {
    response.setHeader("content-type", "application/rss+xml");
    response.end(`<rss version="2.0"><channel><title>Archive</title>${state.items}</channel></rss>`);
  });
  return { state, url: server.url, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

async function place(engine: EngineName, folder: string) {
  if (engine === "pglite") await seedDataDir(folder);
  const database = engine === "postgres" ? await createDatabase() : null;
  return {
    settings: { dataDir: folder, databaseUrl: database?.url ?? null },
    [Symbol.asyncDispose]: async () => database?.[Symbol.asyncDispose](),
  };
}

const listed = async (service: Service, key: string) =>
  feedList
    .parse(await (await service.get("/v1/feeds?limit=50", key)).json())
    .data.map(({ title }) => title)
    .sort();

const health = async (service: Service) =>
  sourceHealthList.parse(await (await service.admin("GET", "/admin/v1/sources")).json()).data[0];

onAnyEngine(
  "a service deletes what has passed beside its readers; a source that lists it again brings nothing back",
  async (_, engine) => {
    using folder = temporaryFolder();
    await using database = await place(engine, folder.path);
    await using feed = await archive();
    await using receivers = await startReceivers({});
    const now = systemClock.now();
    const later = new Date(now.getTime() + aheadMs);
    feed.state.items = [
      entry("Dated", new Date(now.getTime() - 3_600_000)),
      entry("Undated", null),
      entry("Older", new Date(now.getTime() - 90 * dayMs)),
    ].join("");
    const source = {
      id: "archive",
      name: "archive",
      url: feed.url,
      format: "feed",
      interval_s: 5,
      provider: "archive",
    };
    const options = {
      ...database.settings,
      sourcesFile: writeSources(folder.path, [source]),
      webhookAllow: ["127.0.0.0/8"],
      demo: "off",
    } as const;
    let before: Service | null = await startService(engine, options);
    await using stack = new AsyncDisposableStack();
    stack.defer(async () => before?.[Symbol.asyncDispose]());
    const { key } = await before.key("enterprise");
    const first = before;
    await until(async () => (await listed(first, key)).length === 3, "the archive is read");
    const [pushed] = await before.push(notice({ title: "Pushed" }));
    const answer = await fetch(`${before.url}/v1/webhooks`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ url: receivers.url("/") }),
    });
    const { id } = z.object({ id: z.string() }).parse(await answer.json());
    const cursor = await (async () => {
      await using client = await connect(first, key);
      await client.subscribe();
      await first.push(notice({ title: "Last" }));
      const [frame] = await client.feeds(1);
      return frame?.cursor ?? "";
    })();
    const [epoch = "", last = ""] = cursor.split(".");
    await before[Symbol.asyncDispose]();
    before = null;

    const clock = { ...systemClock, now: () => new Date(systemClock.now().getTime() + aheadMs) };
    await using service = await startService(engine, { ...options, clock, keepMonths: 1 });
    const plan = async () =>
      retention.parse(await (await service.admin("GET", "/admin/v1/retention")).json());
    await until(
      async () => (await plan()).state === "idle" && (await plan()).kept_since !== null,
      "all is deleted",
    );
    assert.deepEqual(
      (await plan()).months.filter(({ deletes }) => deletes),
      [],
    );
    const fresh = new Date(later.getTime() - 3_600_000);
    feed.state.items += entry("Fresh", fresh);
    await until(async () => (await health(service))?.too_old === 3, "what comes again is counted");
    await until(async () => (await listed(service, key)).length === 1, "the new item is read");
    assert.deepEqual(await listed(service, key), ["Fresh"]);

    assert.equal((await service.get(`/v1/feeds/${pushed?.id}`, key)).status, 404);
    await using client = await connect(service, key);
    const { resumed, reason, oldest = "" } = await client.subscribe({ after: `${epoch}.1` });
    assert.deepEqual([resumed, reason, oldest], [false, "cursor_expired", cursor]);
    const page = replayPage.parse(await (await service.get(`/v1/replay?after=${oldest}`, key)).json());
    assert.deepEqual(titles(page.data), ["Fresh"]);
    const call = (path: string, body: object) =>
      fetch(`${service.url}/v1/webhooks/${id}/${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    const refused = problem.parse(await (await call("replay", { from: Number(last) })).json());
    assert.deepEqual([refused.code, refused.errors?.[0]?.name], ["invalid_body", "from"]);
    assert.equal((await call("replay", { from: "2020-01-01T00:00:00Z" })).status, 202);
    await until(
      () => receivers.at("/").filter(({ body }) => body.includes("Fresh")).length >= 2,
      "it is sent again",
    );

    const [old, again] = await service.push(
      notice({ published_at: now.toISOString() }),
      notice({ title: "Pushed now" }),
    );
    assert.equal(again?.status, "created");
    assert.equal(old?.status, "rejected");
    assert.match(
      old?.error ?? "",
      /^published_at: the item is older than what is kept, which begins at \d{4}-\d\d-01T/,
    );
  },
);
