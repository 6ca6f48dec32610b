import type { CallOptions, Tapewire } from "tapewire";
import { z } from "zod";
import { line, most } from "../wording/clean.ts";
import { present } from "../wording/item.ts";
import { fitting } from "../wording/results.ts";
import { tool } from "./define.ts";

const dimensions = ["corp_activity", "market", "market_country", "economic_category"] as const;
const kinds = ["symbols", "sources", "providers", "events", ...dimensions] as const;
type Kind = (typeof kinds)[number];

interface Value {
  readonly value: string;
  readonly label?: string;
  readonly items?: number;
}

/** Symbols are searched by the service, which has too many to list. */
const symbolsRead = 50;

export const listValues = tool({
  name: "list_values",
  bucket: "reference",
  title: "List values of filters",
  description: "Values that filters take, those with most items first.",
  input: z.strictObject({
    kind: z.enum(kinds),
    q: z.string().min(1).max(100).optional().describe("part of the value or its label"),
  }),
  output: z.object({
    values: z.array(
      z.object({ value: z.string(), label: z.string().optional(), items: z.number().optional() }),
    ),
    total: z.number(),
    truncated: z.boolean().describe("narrow by q"),
  }),
  run: async ({ kind, q }, { tapewire }, signal) => {
    const found = await read[kind](tapewire, q, { signal });
    const matching = kind === "symbols" ? found : found.filter((one) => holds(one, q ?? ""));
    return fitting(matching, (values) => {
      const truncated = values.length < matching.length;
      const head = `${matching.length} ${kind}${truncated ? `, the first ${values.length}: narrow by q` : ""}`;
      return {
        data: { values, total: matching.length, truncated },
        lines: [
          head,
          ...values.map(({ value, label = "" }) => (label === "" ? value : `${value}: ${label}`)),
        ],
      };
    });
  },
});

type Read = (tapewire: Tapewire, q: string | undefined, call: CallOptions) => Promise<Value[]>;

const tagValues =
  (dimension: (typeof dimensions)[number]): Read =>
  async ({ tags }, _, call) =>
    byItems(
      (await tags.get(dimension, call)).values.map(({ value, label, count }) => entry(value, label, count)),
    );

const read: Readonly<Record<Kind, Read>> = {
  symbols: async ({ symbols }, q, call) =>
    (await symbols.list({ ...present({ q }), limit: symbolsRead }, call)).data.map(({ symbol, name }) =>
      entry(symbol, name),
    ),
  sources: async ({ sources }, _, call) => (await sources.list(call)).data.map((name) => entry(name, null)),
  providers: async ({ providers }, _, call) =>
    byItems((await providers.list(call)).data.map(({ id, name, feed_count }) => entry(id, name, feed_count))),
  events: async ({ events }, _, call) =>
    byItems((await events.list(call)).data.map(({ name, meaning, count }) => entry(name, meaning, count))),
  corp_activity: tagValues("corp_activity"),
  market: tagValues("market"),
  market_country: tagValues("market_country"),
  economic_category: tagValues("economic_category"),
};

const entry = (value: string, label: string | null, items?: number): Value => ({
  value: line(value, most.name),
  ...(label === null ? {} : { label: line(label, most.name) }),
  ...(items === undefined ? {} : { items }),
});

const byItems = (values: readonly Value[]): Value[] =>
  values.toSorted((a, b) => (b.items ?? 0) - (a.items ?? 0));

const holds = ({ value, label = "" }: Value, q: string): boolean =>
  `${value} ${label}`.toLowerCase().includes(q.toLowerCase());
