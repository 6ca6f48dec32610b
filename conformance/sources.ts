import assert from "node:assert/strict";
import { planNames } from "@tapewire/contract/plans.ts";
import { sourceDetail, sourceList } from "@tapewire/contract/reference.ts";
import type { Section } from "./section.ts";

export const sources: Section = {
  name: "GET /v1/sources",
  rules: {
    "200 is {data} of distinct aggregator names": async (live, items) => {
      const { data } = (await live.get("/v1/sources")).read(sourceList);
      assert.equal(new Set(data).size, data.length);
      for (const name of [...items.sources, items.bulk.source]) assert.ok(data.includes(name), name);
    },
    "{name}: 200 has the feed count and the latest": async (live, items) => {
      for (const name of items.sources) {
        const own = items.all.filter(({ source }) => source === name);
        const one = (await live.get(`/v1/sources/${name}`)).read(sourceDetail);
        assert.deepEqual([one.name, one.feed_count], [name, own.length]);
        assert.equal(one.latest_at, own[0]?.published_at);
        assert.equal(one.feeds_24h, 0, "the run's items are three days old");
      }
    },
    "{name}: every name of the list can be read and used as aggregator": async (live) => {
      const { data } = (await live.get("/v1/sources")).read(sourceList);
      for (const name of data.slice(0, 20)) {
        await live.get(`/v1/sources/${encodeURIComponent(name)}`);
        await live.get("/v1/feeds", { query: { aggregator: name, limit: 1 } });
      }
    },
    "{name}: 404 for an unknown source": async (live) => {
      for (const name of [live.name("nobody"), "x"])
        await live.refuses("not_found", "GET", `/v1/sources/${name}`);
    },
    "{name}: an invalid name is refused": async (live) => {
      for (const name of ["A%20B", "%00", "%F0%9F%A6%89", "a".repeat(300)]) {
        const { status } = await live.get(`/v1/sources/${name}`, { status: null });
        assert.ok(status === 400 || status === 404, `${name}: ${status}`);
      }
    },
    "on every plan": async (live) => {
      for (const plan of planNames) await live.get("/v1/sources", { key: await live.key(plan) });
    },
  },
};
