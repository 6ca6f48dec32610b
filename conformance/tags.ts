import assert from "node:assert/strict";
import { planNames } from "@tapewire/contract/plans.ts";
import { tagDimensionValues, tagList } from "@tapewire/contract/reference.ts";
import { tagDimensions } from "@tapewire/contract/tags.ts";
import { eventually } from "./eventually.ts";
import type { Live } from "./live.ts";
import type { Section } from "./section.ts";

/** The list, once it counts the run's items: a service may refresh it only every few seconds. */
const list = (live: Live) =>
  eventually(async () => {
    const { data } = (await live.get("/v1/tags")).read(tagList);
    const countries = data.find(({ dimension }) => dimension === "market_country")?.values ?? [];
    for (const code of ["DE", "JP"])
      assert.ok(
        countries.some(({ value }) => value === code),
        `no item of the run is about ${code}`,
      );
    return data;
  });

export const tags: Section = {
  name: "GET /v1/tags",
  rules: {
    "200 is {data} of the four dimensions, each value with its label": async (live) => {
      const data = await list(live);
      assert.deepEqual(data.map(({ dimension }) => dimension).sort(), [...tagDimensions].sort());
      for (const { label, values } of data) {
        assert.ok(label.length > 0 && values.length > 0);
        assert.ok(values.every((value) => value.value.length > 0 && value.label.length > 0));
        assert.equal(new Set(values.map(({ value }) => value)).size, values.length);
      }
    },
    "market_country has only countries that currently have data": async (live) => {
      const countries = (await list(live)).find(({ dimension }) => dimension === "market_country");
      assert.ok(countries?.values.every(({ count }) => count > 0));
      assert.ok(
        countries?.values.every(({ value }) => value !== "BV"),
        "Bouvet Island has no markets",
      );
    },
    "count is the number of items with the value": async (live, items) => {
      for (const { dimension, values } of await list(live))
        for (const value of new Set(items.all.flatMap((item) => item.tags[dimension] ?? []))) {
          const own = items.all.filter((item) => item.tags[dimension]?.includes(value)).length;
          const told = values.find((one) => one.value === value)?.count ?? 0;
          assert.ok(told >= own, `${dimension} ${value}: ${told} < ${own}`);
        }
    },
    "filters accept every value": async (live) => {
      for (const { dimension, values } of await list(live))
        for (const { value } of values)
          await live.get("/v1/feeds", { query: { [dimension]: value, limit: 1 } });
    },
    "{dimension}: 200 is the same as in the list": async (live) => {
      await eventually(async () => {
        for (const entry of await list(live))
          assert.deepEqual((await live.get(`/v1/tags/${entry.dimension}`)).read(tagDimensionValues), entry);
      });
    },
    "{dimension}: 400 for an unknown dimension": async (live) => {
      for (const dimension of ["colour", "MARKET", "market%20country", "%00", "x".repeat(300)])
        await live.refuses("invalid_parameter", "GET", `/v1/tags/${dimension}`, { fields: ["dimension"] });
    },
    "on every plan": async (live) => {
      for (const plan of planNames)
        for (const path of ["/v1/tags", "/v1/tags/market"])
          await live.get(path, { key: await live.key(plan) });
    },
  },
};
