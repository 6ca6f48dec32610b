/** Events of texts through every door of the interface. */
import assert from "node:assert/strict";
import { problem } from "@tapewire/contract/errors/errors.ts";
import { type EventMention, feedItemDetail, feedList } from "@tapewire/contract/feeds.ts";
import { eventList } from "@tapewire/contract/reference.ts";
import { verdict } from "@tapewire/contract/score.ts";
import { streamItem } from "@tapewire/contract/stream.ts";
import { z } from "zod";
import { onAnyEngine } from "../../support/db.ts";
import { dictionary } from "../../support/dictionary.ts";
import { startReceivers, until } from "../../support/receiver.ts";
import { type Service, startService } from "../../support/service.ts";
import { connect } from "../../support/stream-connect.ts";
import { Reader } from "./reference/reader.ts";

const texts = [
  { external_id: "a", title: "Orbitex Robotics raises full-year guidance", symbols: ["DEMO:OBTX"] },
  { external_id: "b", title: "Halvorn Energy beats quarterly estimates", symbols: ["DEMO:HLVN"] },
  { external_id: "c", title: "Brandmoor wins $2 bln contract", symbols: ["DEMO:BRND"] },
  { external_id: "d", title: "A quiet notice about nothing", symbols: [] },
];
const pushed = texts.map((text, n) => ({ ...text, published_at: `2026-03-02T1${n}:00:00Z` }));

const kinds = (events: readonly EventMention[]) => events.map(({ name }) => name);

async function listed(service: Service, key: string, query: string) {
  const answer = await service.get(`/v1/feeds?${query}`, key);
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  return feedList.strict().parse(JSON.parse(text)).data;
}

onAnyEngine(
  "events on items: lists, single reads, filters and the list of kinds",
  async (context, engine) => {
    await using service = await startService(engine);
    const { key } = await service.key("pro");
    await service.push(...pushed);
    const all = await listed(service, key, "");
    const letter = new Map(all.map(({ id }, at) => [id, "dcba"[at]]));
    const found = async (query: string) =>
      (await listed(service, key, query)).map(({ id }) => letter.get(id)).join("");

    await context.test("an item names its events with role, symbol and words", async () => {
      const [quiet, , , raised] = all;
      assert.deepEqual([quiet?.event, quiet?.events], [null, []]);
      const { event, events } = raised ?? assert.fail();
      assert.equal(event, "guidance_raised");
      assert.deepEqual(kinds(events).slice(0, 1), ["guidance_raised"]);
      const { role, symbol, evidence } = events[0] ?? assert.fail();
      assert.deepEqual([role, symbol], ["subject", "DEMO:OBTX"]);
      assert.equal(evidence?.text, texts[0]?.title.slice(evidence?.start, evidence?.end));
      const single = await service.get(`/v1/feeds/${raised?.id}`, key);
      const detail = feedItemDetail.strict().parse(await single.json());
      assert.deepEqual([detail.event, detail.events], [event, events]);
    });

    await context.test("event, min_conviction and min_actionability_score filter", async () => {
      assert.equal(await found("event=guidance_raised"), "a");
      assert.equal(await found("event=Contract_Won,earnings_beat"), "cb");
      assert.equal(await found("event=earnings_miss"), "");
      assert.equal(await found("event=earnings_beat&symbol=DEMO:OBTX"), "");
      for (const [parameter, member] of [
        ["min_conviction", "sentiment_conviction"],
        ["min_actionability_score", "actionability_score"],
      ] as const) {
        const scores = all.map(({ scoring }) => scoring[member] ?? assert.fail());
        for (const bound of [0, ...scores, Math.max(...scores) + 1].filter((score) => score <= 100)) {
          const wanted = all.filter(({ scoring }) => (scoring[member] ?? -1) >= bound);
          assert.equal(await found(`${parameter}=${bound}`), wanted.map(({ id }) => letter.get(id)).join(""));
        }
        assert.ok(new Set(scores).size > 1, "the bounds tell items apart");
      }
    });

    await context.test("an unknown event and a bound out of range are 400 and named", async () => {
      const refused = async (query: string) => {
        const answer = await service.get(`/v1/feeds?${query}`, key);
        const { code, errors } = problem.parse(await answer.json());
        assert.deepEqual([answer.status, code], [400, "invalid_parameter"]);
        return errors?.map(({ name, detail }) => `${name}: ${detail}`);
      };
      assert.deepEqual(await refused("event=guidance_raised,junk"), [
        "event: 'junk' is not a kind of event that /v1/events lists",
      ]);
      for (const [name, value] of [
        ["event", ""],
        ["min_conviction", "101"],
        ["min_conviction", "-1"],
        ["min_actionability_score", "high"],
      ])
        assert.match((await refused(`${name}=${value}`))?.join() ?? "", new RegExp(`^${name}: `));
    });

    await context.test(
      "GET /v1/events lists every kind with its number of items, on every plan",
      async () => {
        const reader = new Reader(service, key);
        const { data } = await reader.read("/v1/events", eventList);
        assert.deepEqual(
          data.map(({ count: _, ...kind }) => kind).sort((a, b) => (a.name < b.name ? -1 : 1)),
          dictionary.events.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
        );
        for (const { name, count } of data.filter((kind) => kind.count > 0))
          assert.equal(count, await reader.found(`event=${name}`), name);
        assert.equal(data.find(({ name }) => name === "contract_won")?.count, 1);
        const free = await service.key("free");
        assert.equal((await service.get("/v1/events", free.key)).status, 200);
      },
    );

    await context.test("on the Free plan kinds are shown and the words are withheld", async () => {
      const free = await service.key("free");
      const answer = await service.get(`/v1/feeds/${all[3]?.id}`, free.key);
      const { event, events, scoring } = feedItemDetail.parse(await answer.json());
      assert.deepEqual([event, scoring.locked], ["guidance_raised", true]);
      assert.ok(events.length > 0 && events.every(({ evidence }) => evidence === null));
    });

    await context.test("both models name the events of a caller's text", async () => {
      for (const model of ["flash", "pro"]) {
        const artifact = { type: "news", title: texts[0]?.title, body: "Orders are strong." };
        const answer = await fetch(`${service.url}/v1/score`, {
          method: "POST",
          headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
          body: JSON.stringify({ artifact, options: { model } }),
        });
        const { event, events, model: ran } = verdict.strict().parse(await answer.json());
        assert.deepEqual([ran, event, events[0]?.name], [model, "guidance_raised", "guidance_raised"]);
      }
    });
  },
);

onAnyEngine("events on streams and webhooks", async (context, engine) => {
  await using receivers = await startReceivers({});
  await using service = await startService(engine, { webhookAllow: ["127.0.0.0/8"], demo: "off" });
  const { key } = await service.key("enterprise");
  const call = (path: string, body: object) =>
    fetch(service.url + path, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const filters = { event: ["Contract_Won", "earnings_miss"], min_conviction: 0, min_actionability_score: 1 };
  const made = await call("/v1/webhooks", { url: receivers.url("/"), filters });
  assert.equal(made.status, 201);
  const kept = { ...filters, event: ["contract_won", "earnings_miss"] };
  assert.deepEqual(z.object({ filters: z.unknown() }).parse(await made.json()).filters, kept);

  await context.test("an unknown event is refused by name, on both", async () => {
    const answer = await call("/v1/webhooks", { url: receivers.url("/"), filters: { event: ["junk"] } });
    const { code, errors } = problem.parse(await answer.json());
    assert.deepEqual([answer.status, code], [400, "invalid_body"]);
    assert.match(errors?.[0]?.name ?? "", /^filters\.event/);
    await using client = await connect(service, key);
    client.send({ type: "subscribe", filters: { event: ["junk"] }, id: "s1" });
    const refusal = await client.next("error");
    assert.deepEqual([refusal.code, refusal.id], ["invalid_frame", "s1"]);
    assert.match(refusal.message, /^filters\.event.*'junk' is not a kind of event/);
  });

  await using stream = await connect(service, key);
  assert.deepEqual((await stream.subscribe({ filters })).filters, kept);
  await using free = await connect(service, (await service.key("free")).key);
  await free.subscribe({ filters: { event: ["contract_won"] } });
  await using everything = await connect(service, key);
  await everything.subscribe();
  await service.push(...pushed);

  await context.test(
    "a matching item comes with its events, both comments, the long direction and the model",
    async () => {
      const { data } = await stream.next("feed");
      assert.deepEqual([data.title, data.event], ["Brandmoor wins $2 bln contract", "contract_won"]);
      const item = (await listed(service, key, "event=contract_won"))[0] ?? assert.fail();
      const { model_version: _, scored_at: __, ...scoring } = item.scoring;
      assert.deepEqual(data, { ...item, scoring });
      assert.ok(typeof scoring.sentiment_comment === "string" && typeof scoring.sentiment_long === "number");
      assert.equal(typeof scoring.actionability_comment, "string");
      await stream.settle();

      await until(() => receivers.at("/").length === 1, "the webhook is delivered");
      const payload = JSON.parse(receivers.at("/")[0]?.body ?? "");
      assert.deepEqual(streamItem.strict().parse(payload.data), data);
      assert.equal((await everything.feeds(4)).length, 4);
    },
  );

  await context.test("on the Free plan the kind is shown, the words and scores are not", async () => {
    const { data } = await free.next("feed");
    assert.equal(data.event, "contract_won");
    assert.ok(data.events.every(({ evidence }) => evidence === null));
    assert.deepEqual(
      [data.scoring.locked, data.scoring.sentiment_long, data.scoring.sentiment_comment, data.scoring.model],
      [true, null, null, null],
    );
  });

  await context.test(
    "server-sent events take the filters of the list, and a snapshot obeys them",
    async () => {
      const answer = await service.get("/v1/stream/sse?event=earnings_beat&min_conviction=0&snapshot=5", key);
      const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader() ?? assert.fail();
      let told = "";
      while (!told.includes("event: feed")) told += (await reader.read()).value ?? assert.fail(told);
      await reader.cancel();
      assert.match(told, /"title":"Halvorn Energy beats quarterly estimates"/);
      const wrong = await service.get("/v1/stream/sse?event=junk", key);
      assert.deepEqual([wrong.status, problem.parse(await wrong.json()).errors?.[0]?.name], [400, "event"]);
    },
  );
});
