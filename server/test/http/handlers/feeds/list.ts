import assert from "node:assert/strict";
import { feedList } from "@tapewire/contract/feeds.ts";
import type { Service } from "../../../support/service.ts";

/** Pushed in this order. Sentences name them by their letter; each tells apart some filter from another. */
export const items = [
  {
    external_id: "a",
    title: "Orbitex Robotics raises full-year guidance",
    symbols: ["DEMO:OBTX"],
    source: "wire-a",
    tags: ["earnings"],
    published_at: "2026-03-01T10:00:00Z",
  },
  {
    external_id: "b",
    title: "Northwind Harbor opens a picnic area",
    symbols: ["TEST:NWHB"],
    source: "wire-b",
    tags: ["gdp", "bond"],
    published_at: "2026-03-01T11:00:00Z",
  },
  {
    external_id: "c",
    title: "Umbral Castings cuts full-year guidance",
    symbols: ["OTHER:OBTX"],
    source: "wire-b",
    tags: ["earnings", "dividends"],
    published_at: "2026-03-01T12:00:00Z",
  },
  {
    external_id: "d",
    title: "A quiet notice about nothing",
    symbols: [],
    source: "wire-a",
    tags: ["labor", "dividends"],
    published_at: "2026-03-01T13:00:00+00:00",
  },
];

export type List = ReturnType<typeof listOf>;

/** A list, parsed by the contract, as the letters of its items. */
export function listOf(service: Service, key: string, names: ReadonlyMap<string, string>) {
  return async (query: string) => {
    const response = await service.get(`/v1/feeds?${query}`, key);
    const text = await response.text();
    assert.equal(response.status, 200, text);
    // strict: a member the contract does not name would be one that the docs do not name.
    const page = feedList.strict().parse(JSON.parse(text));
    return {
      page,
      found: page.data.map(({ id }) => names.get(id) ?? "?").join(""),
      headers: response.headers,
    };
  };
}
