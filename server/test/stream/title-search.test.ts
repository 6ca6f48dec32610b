/** `q` in every way that a running service takes filters. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { problem } from "@tapewire/contract/errors/errors.ts";
import { feedStats } from "@tapewire/contract/feed-reads/stats.ts";
import { feedList } from "@tapewire/contract/feeds.ts";
import { z } from "zod";
import { anyEngine } from "../support/db.ts";
import { startReceivers, until } from "../support/receiver.ts";
import { type Service, startService } from "../support/service.ts";
import { StreamClient } from "../support/stream-client.ts";

const q = '"profit warning" -reminder';
const query = `q=${encodeURIComponent(q)}`;
const titled = (title: string, id = title) => ({
  title,
  external_id: id,
  source: "titles",
  published_at: "2026-03-04T14:30:00Z",
});
const passing = ["Profit warning of Halvorn", "Brandmoor's PROFIT-WARNING sinks shares"];
const failing = ["A warning about profit", "Reminder: profit warning of Halvorn"];

describe("q in lists, counts, streams, replays, feeds for readers and webhooks", () => {
  let receivers: Awaited<ReturnType<typeof startReceivers>>;
  let service: Service;
  let key = "";
  before(async () => {
    receivers = await startReceivers({ "/hook": () => 204 });
    service = await startService(anyEngine, { webhookAllow: ["127.0.0.0/8"] });
    key = (await service.key("enterprise")).key;
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    await receivers[Symbol.asyncDispose]();
  });
  const listed = async (text = query) =>
    feedList.parse(await (await service.get(`/v1/feeds?${text}`, key)).json()).data.map(({ title }) => title);
  const webhook = (filters: unknown, method = "POST") =>
    fetch(`${service.url}/v1/webhooks`, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ url: receivers.url("/hook"), filters }),
    });

  test("all of them find the same items", async () => {
    await using client = await StreamClient.connect(service.app.wsUrl, { key });
    await client.next("welcome");
    const { filters } = await client.subscribe({ filters: { q } });
    assert.equal(z.looseObject({ q: z.string() }).parse(filters).q, q);
    const made = z
      .object({ id: z.string(), filters: z.looseObject({ q: z.string() }) })
      .parse(await (await webhook({ q })).json());
    assert.equal(made.filters.q, q);
    for (const title of [...failing, ...passing]) await service.push(titled(title));

    const streamed = (await client.feeds(2)).map(({ data }) => data.title);
    assert.deepEqual(streamed, passing);
    assert.deepEqual((await listed()).toSorted(), passing.toSorted());
    const count = feedStats.parse(
      await (
        await service.get(
          `/v1/feeds/stats?${query}&since=2026-03-04T00:00:00Z&until=2026-03-05T00:00:00Z&by=source`,
          key,
        )
      ).json(),
    );
    assert.deepEqual(
      count.series.map((series) => [series.key, series.points.map(([, items]) => items)]),
      [["titles", [2]]],
    );
    const read = await (await service.get(`/v1/feeds.json?${query}`, key)).text();
    const replayed = await (
      await service.get(`/v1/replay?${query}&since=${encodeURIComponent("2020-01-01T00:00:00Z")}`, key)
    ).text();
    for (const text of [read, replayed]) {
      for (const title of passing) assert.ok(text.includes(title), `${title} in ${text}`);
      for (const title of failing) assert.ok(!text.includes(title), `${title} in ${text}`);
    }
    await until(() => receivers.at("/hook").length >= 2, "both items are delivered");
    const bodies = receivers.at("/hook").map(({ body }) => body.toString());
    for (const title of failing) assert.ok(!bodies.some((body) => body.includes(title)), title);
  });

  test("the title of the newest version counts", async () => {
    await service.push(titled("Nothing to see", "changes"));
    assert.ok(!(await listed()).includes("Another profit warning"));
    await service.push(titled("Another profit warning", "changes"));
    assert.ok((await listed()).includes("Another profit warning"));
    await service.push(titled("Nothing to see, again", "changes"));
    assert.equal((await listed()).length, passing.length);
  });

  test("a q without a word, or with too many, is refused by name", async () => {
    for (const path of ["/v1/feeds", "/v1/feeds/stats", "/v1/feeds.rss", "/v1/replay", "/v1/stream/sse"])
      for (const text of ["", "-", "a b c d e f g h i", "x".repeat(201)]) {
        const response = await service.get(`${path}?q=${encodeURIComponent(text)}`, key);
        const { errors } = problem.parse(await response.json());
        assert.ok(
          errors?.some(({ name }) => name === "q"),
          `${path} ${text}`,
        );
        assert.equal(response.status, 400);
      }
    const { errors } = problem.parse(await (await webhook({ q: "" })).json());
    assert.deepEqual(
      errors?.map(({ name }) => name),
      ["filters.q"],
    );
  });
});
