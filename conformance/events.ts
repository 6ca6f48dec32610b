import assert from "node:assert/strict";
import { feedList } from "@tapewire/contract/feeds.ts";
import { planNames } from "@tapewire/contract/plans.ts";
import { type EventList, eventList } from "@tapewire/contract/reference.ts";
import { verdict } from "@tapewire/contract/score.ts";
import { news } from "./artifacts.ts";
import { eventually } from "./eventually.ts";
import type { Seeded } from "./items.ts";
import type { Live } from "./live.ts";
import type { Section } from "./section.ts";

const named = ({ all }: Seeded) => new Set(all.flatMap(({ events }) => events.map(({ name }) => name)));

/** The list, once it counts the run's items: a service may refresh it only every few seconds. */
const list = (live: Live, items: Seeded): Promise<EventList["data"]> =>
  eventually(async () => {
    const { data } = (await live.get("/v1/events")).read(eventList);
    for (const name of named(items)) {
      const own = items.all.filter(({ events }) => events.some((event) => event.name === name)).length;
      const told = data.find((kind) => kind.name === name)?.count ?? 0;
      assert.ok(told >= own, `${name}: ${told} < ${own}`);
    }
    return data;
  });

export const events: Section = {
  name: "GET /v1/events",
  rules: {
    "200 is {data} of the kinds, each once, with group, label, meaning and count": async (live, items) => {
      const data = await list(live, items);
      assert.equal(new Set(data.map(({ name }) => name)).size, data.length);
      for (const { name, group, label, meaning } of data) {
        assert.match(name, /^[a-z][a-z0-9_]*$/);
        assert.ok(group !== "" && label !== "" && meaning !== "", name);
      }
    },
    "items name kinds of the list, the leading one first, at most 8": async (live, items) => {
      const kinds = new Set((await list(live, items)).map(({ name }) => name));
      assert.ok(named(items).has("guidance_raised"));
      for (const { event, events: told } of items.all) {
        assert.equal(event, told[0]?.name ?? null);
        assert.ok(told.length <= 8 && told.every(({ name }) => kinds.has(name)));
      }
    },
    "symbol of an event is one of the item's symbols, or null": async (_, items) => {
      for (const { events: told, symbols } of items.all)
        for (const { symbol } of told)
          assert.ok(symbol === null || symbols.some((one) => one.symbol === symbol), symbol ?? "");
    },
    "evidence of an event quotes the title at its offsets": async (_, items) => {
      const quotes = items.all.flatMap(({ title, events: told }) =>
        told.flatMap(({ evidence }) => (evidence === null ? [] : [{ ...evidence, title: title ?? "" }])),
      );
      assert.ok(quotes.length > 0);
      for (const { text, start, end, title } of quotes)
        if (end <= title.length) assert.equal(title.slice(start, end), text);
    },
    "an item that was not scored has no events": async (_, items) => {
      for (const { event, events: told } of items.all.filter(({ scoring }) => scoring.model === null))
        assert.deepEqual([event, told], [null, []]);
    },
    "filters accept every kind": async (live, items) => {
      const names = (await list(live, items)).map(({ name }) => name);
      for (let start = 0; start < names.length; start += 50) {
        const query = { event: names.slice(start, start + 50).join(","), limit: 1 };
        (await live.get("/v1/feeds", { query })).read(feedList);
      }
    },
    "a verdict names the events of its text, of both models": async (live) => {
      for (const model of ["flash", "pro"]) {
        const body = { artifact: news, options: { model } };
        const told = (await live.call("POST", "/v1/score", { body })).read(verdict);
        assert.equal(told.event, told.events[0]?.name ?? null);
      }
    },
    "on every plan": async (live) => {
      for (const plan of planNames) await live.get("/v1/events", { key: await live.key(plan) });
    },
  },
};
