import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { parseFeed } from "@rowanmanning/feed-parser";
import { jsonFeed } from "@tapewire/contract/feed-reads/json-feed.ts";
import { parseJsonFeed, parseRssFeed } from "feedsmith";
import { z } from "zod";
import { anyEngine } from "../../support/db.ts";
import { type Service, startService } from "../../support/service.ts";

const headline = `Orbitex & Sons raise "full-year" guidance <again> ]]> \u{1F680}`;
const body = "Orbitex Robotics raised its guidance for the full year. Orders reached a record.";
const at = "2026-03-02T14:30:00.125Z";

const article = z.strictObject({
  title: z.string().min(1),
  date: z.iso.datetime(),
  author: z.string().min(1),
  excerpt: z.string(),
  body: z.string(),
});
const widgetsFile = z.strictObject({
  tapewire_newsfeed: z.object({
    type: z.string(),
    endpoint: z.string(),
    params: z.array(z.object({ paramName: z.string(), value: z.string() })),
  }),
});

describe("the list for feed readers", () => {
  let service: Service;
  let key: string;
  before(async () => {
    service = await startService(anyEngine);
    ({ key } = await service.key("pro"));
    const items = [1, 2, 3].map((nth) => ({
      external_id: `quiet-${nth}`,
      title: `Quiet notice ${nth}`,
      published_at: `2026-03-02T14:0${nth}:00Z`,
    }));
    await service.push(...items, {
      external_id: "loud",
      title: headline,
      body,
      link: "https://news.example.com/a?b=1&c=2",
      symbols: ["DEMO:OBTX"],
      published_at: at,
    });
  });
  after(() => service[Symbol.asyncDispose]());

  const read = async (path: string) => {
    const answer = await service.get(path, key);
    assert.equal(answer.status, 200, await answer.clone().text());
    return answer;
  };
  const readJson = async (path: string) => jsonFeed.parse(await (await read(path)).json());

  test("as RSS: two readers of feeds find title, link, id, time, symbols and the score's line", async () => {
    const answer = await read("/v1/feeds.rss");
    assert.equal(answer.headers.get("content-type"), "application/rss+xml; charset=utf-8");
    assert.equal(answer.headers.get("x-page-limit"), "200");
    const text = await answer.text();
    const list = z
      .object({ data: z.array(z.object({ id: z.string(), title: z.string().nullable() })) })
      .parse(await (await read("/v1/feeds")).json()).data;
    const ours = parseRssFeed(text);
    const theirs = parseFeed(text);
    assert.deepEqual(
      ours.items?.map(({ guid }) => guid?.value),
      list.map(({ id }) => id),
    );
    assert.deepEqual(
      theirs.items.map(({ id }) => id),
      list.map(({ id }) => id),
    );
    const [first] = ours.items ?? [];
    assert.equal(first?.title?.trim(), headline);
    assert.equal(first?.link?.trim(), "https://news.example.com/a?b=1&c=2");
    assert.equal(first?.pubDate, "Mon, 02 Mar 2026 14:30:00 GMT");
    assert.equal(theirs.items[0]?.url, "https://news.example.com/a?b=1&c=2");
    assert.ok(
      first?.categories?.some(({ name, domain }) => name === "DEMO:OBTX" && domain === "tapewire:symbol"),
    );
    assert.match(
      first?.description ?? "",
      /<p>Orbitex Robotics raised .*<p class="tapewire-verdict">Bullish \+\d \(conviction \d+\) · actionable \d+ · DEMO:OBTX<\/p>/,
    );
  });

  test("as JSON Feed 1.1, with times in milliseconds and the scores in an extension", async () => {
    const answer = await read("/v1/feeds.json");
    assert.equal(answer.headers.get("content-type"), "application/feed+json; charset=utf-8");
    const text = await answer.text();
    assert.equal(parseJsonFeed(text).items?.length, 4);
    const { items, feed_url } = jsonFeed.parse(JSON.parse(text));
    assert.equal(feed_url, `${service.url}/v1/feeds.json`);
    const [first] = items;
    assert.equal(first?.title, headline);
    assert.equal(first?.date_published, at);
    assert.ok(first?.summary !== undefined && body.startsWith(first.summary));
    assert.equal(first?._tapewire.actionability, true);
    assert.deepEqual(
      first?._tapewire.symbols.map(({ symbol }) => symbol),
      ["DEMO:OBTX"],
    );
  });

  test("takes the key from the query, and tells it in the address of the next page alone", async () => {
    const answer = await fetch(`${service.url}/v1/feeds.json?symbol=DEMO:OBTX&api_key=${key}`);
    assert.equal(answer.status, 200);
    const text = await answer.text();
    assert.equal(jsonFeed.parse(JSON.parse(text)).items.length, 1);
    assert.ok(!text.includes(key));
    for (const path of ["/v1/feeds.rss", "/v1/feeds.json", "/v1/feeds.json?api_key=tw_live_wrong"])
      assert.equal((await fetch(service.url + path)).status, 401, path);
    const list = await fetch(`${service.url}/v1/feeds?api_key=${key}`);
    assert.equal(list.status, 401, "the list itself takes no key in the query");
  });

  test("pages lead to older items by next_url and by rel=next", async () => {
    const found: string[] = [];
    let next: string | undefined = `${service.url}/v1/feeds.json?limit=2&api_key=${key}`;
    while (next !== undefined) {
      const page = jsonFeed.parse(await (await fetch(next)).json());
      found.push(...page.items.map(({ id }) => id));
      next = page.next_url;
    }
    assert.equal(found.length, 4);
    assert.equal(new Set(found).size, 4);
    const rss = parseRssFeed(
      await (await fetch(`${service.url}/v1/feeds.rss?limit=2&api_key=${key}`)).text(),
    );
    const link = rss.atom?.links?.find(({ rel }) => rel === "next")?.href ?? "";
    assert.deepEqual(
      parseRssFeed(await (await fetch(link)).text()).items?.map(({ guid }) => guid?.value),
      found.slice(2, 4),
    );
  });

  test("answers 304 while nothing is new, and holds what a plan and a query hold for the list", async () => {
    const first = await read("/v1/feeds.rss?limit=3");
    const etag = first.headers.get("etag") ?? "";
    const again = await fetch(`${service.url}/v1/feeds.rss?limit=3`, {
      headers: { authorization: `Bearer ${key}`, "if-none-match": etag },
    });
    assert.equal(again.status, 304);
    const free = await service.key("free");
    assert.equal((await service.get("/v1/feeds.rss", free.key)).status, 403);
    assert.equal((await service.get("/v1/feeds.json?limit=x", key)).status, 400);
    assert.equal((await service.get("/v1/feeds.json?cursor=wrong", key)).status, 400);
    const head = await fetch(`${service.url}/v1/feeds.rss?api_key=${key}`, { method: "HEAD" });
    assert.equal(head.status, 200);
    assert.equal(await head.text(), "");
  });

  test("an item keeps its id when it is revised, and begins with RETRACTED: when it is withdrawn", async () => {
    const [{ id = "" } = {}] = await service.push({
      external_id: "late",
      title: "First words",
      published_at: at,
    });
    await service.push({ external_id: "late", title: "Second words", published_at: at });
    const titleOf = async () =>
      (await readJson("/v1/feeds.json")).items.find((item) => item.id === id)?.title;
    assert.equal(await titleOf(), "Second words");
    assert.equal((await service.admin("DELETE", `/admin/v1/items/${id}`)).status, 200);
    assert.equal(await titleOf(), "RETRACTED: Second words");
  });

  test("OpenBB Workspace finds its widget without a key, and articles with one", async () => {
    const origin = "https://pro.openbb.co";
    const widgets = await fetch(`${service.url}/openbb/widgets.json`, { headers: { origin } });
    assert.equal(widgets.headers.get("access-control-allow-origin"), "*");
    const { tapewire_newsfeed: widget } = widgetsFile.parse(await widgets.json());
    assert.equal(widget.type, "newsfeed");
    const url = new URL(`${service.url}/openbb/${widget.endpoint}`);
    for (const { paramName, value } of widget.params) url.searchParams.set(paramName, value);
    const preflight = await fetch(url, {
      method: "OPTIONS",
      headers: {
        origin,
        "access-control-request-method": "GET",
        "access-control-request-headers": "authorization",
      },
    });
    assert.equal(preflight.status, 204);
    const answer = await fetch(url, { headers: { origin, authorization: `Bearer ${key}` } });
    assert.equal(answer.headers.get("access-control-allow-origin"), "*");
    const articles = z.array(article).parse(await answer.json());
    const found = articles.find(({ title }) => title === headline);
    assert.equal(found?.date, at);
    assert.match(found?.excerpt ?? "", /^Bullish \+\d/);
    assert.match(
      found?.body ?? "",
      /\[Read it at its source\]\(<https:\/\/news\.example\.com\/a\?b=1&c=2>\)$/,
    );
    url.searchParams.set("symbol", "DEMO:OBTX");
    url.searchParams.set("api_key", key);
    assert.equal(z.array(article).parse(await (await fetch(url)).json()).length, 1);
    assert.equal((await fetch(`${service.url}/openbb/newsfeed`)).status, 401);
  });
});
