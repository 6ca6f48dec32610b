import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { routeTable } from "@tapewire/contract/routes/routes.ts";
import { type Answered, Tapewire, TapewireError } from "tapewire";
import { anyEngine } from "../../server/test/support/db.ts";
import { dictionary } from "../../server/test/support/dictionary.ts";
import { type Service, startService } from "../../server/test/support/service.ts";
import { notices } from "../../server/test/support/stream-connect.ts";
import { collect } from "./support/collect.ts";

/** Fixed paths first: `/v1/webhooks/stats` is also of the form `/v1/webhooks/{id}`. */
const routes = Object.values(routeTable(dictionary))
  .filter((route) => route.auth === "key" && !("responseType" in route))
  .sort((a, b) => Number(a.path.includes("{")) - Number(b.path.includes("{")));
const patternOf = (path: string) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`);

describe("REST", () => {
  let service: Service;
  let tw: Tapewire;
  const called = new Set<string>();
  before(async () => {
    service = await startService(anyEngine);
    const { key } = await service.key("enterprise");
    /** Notes the route, and checks that its response is the one that the contract describes. */
    const noting: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      const { pathname } = new URL(String(input));
      const route = routes.find(
        ({ method, path }) => method === init?.method && patternOf(path).test(pathname),
      );
      assert.ok(route, `${init?.method} ${pathname}`);
      if (response.ok) route.response.parse(await response.clone().json());
      called.add(`${route.method} ${route.path}`);
      return response;
    };
    tw = new Tapewire({ baseUrl: `${service.url}/`, key, fetch: noting });
    await service.push(...notices(25, { symbols: ["DEMO:OBTX"], tags: ["stock"] }));
  });
  after(() => service[Symbol.asyncDispose]());

  test("a list goes through all pages, newest first, each item once", async () => {
    const all = await collect(tw.feeds.list({ limit: 4, symbol: ["OBTX", "DEMO:NONE"] }));
    const whole = await tw.feeds.page({ limit: 100, market: "stock", since: new Date(0) });
    assert.equal(all.length, 25);
    assert.deepEqual(all, whole.items);
    assert.deepEqual([whole.cursor, whole.next], [null, undefined]);
  });

  test("a page leads to the next one", async () => {
    const first = await tw.feeds.page({ limit: 20 });
    const second = await first.next?.();
    assert.deepEqual([first.items.length, second?.items.length, second?.next], [20, 5, undefined]);
  });

  test("a list that is left reads no further than one page ahead", async () => {
    const before = await tw.usage();
    for await (const item of tw.feeds.list({ limit: 1 })) if (item.seq > 0) break;
    const after = await tw.usage();
    assert.ok(after.today.requests - before.today.requests <= 3, "one page, one ahead, and the usage itself");
  });

  test("a single read, as of a time too, tells its response", async () => {
    const [item] = (await tw.feeds.page({ limit: 1 })).items;
    const { data, response, requestId, rateLimit } = await tw.feeds.get(item?.id ?? "").withResponse();
    assert.equal(data.id, item?.id);
    assert.equal(response.status, 200);
    assert.equal(requestId, response.headers.get("x-request-id"));
    assert.ok(rateLimit !== null && rateLimit.limit > 0 && rateLimit.remaining < rateLimit.limit);
    const past = tw.feeds.get(item?.id ?? "", { asOf: new Date(Date.UTC(2001, 0)) });
    await assert.rejects(past, { name: "TapewireError", status: 404, code: "not_found" });
  });

  test("a text is scored, alone and in a batch", async () => {
    const artifact = { type: "news", title: "Obtex raises its outlook", body: "Obtex raises it." } as const;
    const verdict = await tw.score(artifact, { model: "pro", detailed: true, sentiment: "always" });
    assert.ok(verdict.detailed_analysis !== undefined && verdict.model === "pro");
    const { data } = await tw.scoreBatch([artifact, { ...artifact, title: " " }]);
    assert.deepEqual(
      data.map((one) => ("verdict" in one ? "verdict" : one.error.code)),
      ["verdict", "invalid_body"],
    );
  });

  test("an idempotency key of the caller's makes a repeat free", async () => {
    const artifact = { type: "ugc", title: "Obtex rises", body: "Obtex rises." } as const;
    const ask = () => tw.score(artifact, { idempotencyKey: "desk-1" });
    const [first, second] = [await ask(), await ask()];
    assert.equal(first.id, second.id);
    assert.equal(first.usage.used, second.usage.used);
  });

  test("an endpoint is created, read, changed, tested, operated and deleted", async () => {
    const hook = await tw.webhooks.create({
      url: "https://receiver.invalid/",
      filters: { symbols: ["OBTX"] },
    });
    assert.match(hook.secret, /^whsec_/);
    assert.equal((await tw.webhooks.get(hook.id)).secret, hook.secret);
    assert.equal((await tw.webhooks.list()).data[0]?.id, hook.id);
    assert.equal((await tw.webhooks.update(hook.id, { description: "desk" })).description, "desk");
    assert.equal((await tw.webhooks.test(hook.id)).ok, false);
    assert.notEqual((await tw.webhooks.rotate(hook.id)).secret, hook.secret);
    assert.equal((await tw.webhooks.stats(hook.id, { hours: 2 })).hours.length, 2);
    assert.deepEqual(await tw.webhooks.recover(hook.id, { since: new Date() }), { queued: 0 });
    const resent = tw.webhooks.resend(hook.id, `msg_${"0".repeat(32)}_1`);
    await assert.rejects(resent, { code: "not_found" });
    await assert.rejects(tw.webhooks.delivery(hook.id, `msg_${"0".repeat(32)}_1`), { code: "not_found" });
    assert.equal((await tw.webhooks.allStats({ hours: 1 })).data[0]?.id, hook.id);
    const started = await tw.webhooks.replay(hook.id, { from: 1, to: 3 });
    assert.deepEqual([started.from_seq, started.to_seq], [1, 3]);
    assert.ok(Array.isArray(await collect(tw.webhooks.deliveries(hook.id, { status: "failed" }))));
    assert.deepEqual(await tw.webhooks.delete(hook.id), { id: hook.id, deleted: true });
    await assert.rejects(tw.webhooks.get(hook.id), { status: 404 });
  });

  test("reference data, the account and its use", async () => {
    assert.equal((await tw.symbols.list({ limit: 3 })).data.length, 3);
    assert.equal((await tw.symbols.get("DEMO:OBTX")).feed_count, 25);
    const [source = ""] = (await tw.sources.list()).data;
    assert.equal((await tw.sources.get(source)).name, source);
    const [provider] = (await tw.providers.list()).data;
    assert.equal((await tw.providers.get(provider?.id ?? "")).id, provider?.id);
    assert.equal((await tw.tags.list()).data.length, 4);
    assert.equal((await tw.tags.get("market")).dimension, "market");
    assert.ok((await tw.events.list()).data.length > 0);
    assert.equal((await collect(tw.replay({ speed: "max" }))).length, 25);
    assert.equal((await tw.me()).tier, "enterprise");
    assert.equal((await tw.usage({ days: 2 })).data.length, 2);
  });

  test("an error names the fields and the request", async () => {
    const refused: Promise<Answered<unknown>> = tw
      .request("GET /v1/feeds", { query: { limit: 0, sentiment_min: 11 } })
      .withResponse();
    await assert.rejects(refused, (error) => {
      assert.ok(error instanceof TapewireError);
      assert.deepEqual([error.status, error.code], [400, "invalid_parameter"]);
      assert.deepEqual(error.fields.map(({ name }) => name).sort(), ["limit", "sentiment_min"]);
      assert.equal(error.requestId, error.problem?.request_id);
      return true;
    });
  });

  test("counts over time have the filters of the list", async () => {
    const { totals, series } = await tw.feeds.stats({ by: "source", interval: "day", symbol: ["OBTX"] });
    assert.equal(totals.items, (await tw.feeds.page({ limit: 100, symbol: ["OBTX"] })).items.length);
    assert.equal(
      series.flatMap(({ points }) => points.map(([, items]) => items)).reduce((a, b) => a + b, 0),
      totals.items,
    );
  });

  test("one item: its text, its scores, a new verdict", async () => {
    const [item] = (await tw.feeds.page({ limit: 1 })).items;
    const id = item?.id ?? "";
    assert.equal((await tw.feeds.text(id)).title, item?.title);
    const { data } = await tw.feeds.scores(id);
    assert.equal(data[0]?.scoring.actionability_score, item?.scoring.actionability_score);
    const verdict = await tw.feeds.score(id, { model: "flash" });
    assert.equal(verdict.model, "flash");
  });

  test("symbols are found by the beginning of a name", async () => {
    const { data } = await tw.symbols.list({ q: "appl" });
    assert.ok(data.some(({ short_symbol: ticker }) => ticker === "AAPL"));
  });

  test("every route of a key was called, and its response was as described", () => {
    const missing = routes.map(({ method, path }) => `${method} ${path}`).filter((name) => !called.has(name));
    assert.deepEqual(missing, []);
  });
});
