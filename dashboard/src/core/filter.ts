import { eventLabel } from "./event-labels.ts";
import { signed, words } from "./format.ts";
import type { Filters } from "./types.ts";

export { matches } from "tapewire";

/** One axis of a filter that is a list of values: its name in an address, in a subscription, and to people. */
export interface Axis {
  readonly param: string;
  readonly label: string;
  /** One of its values to people. */
  readonly said: (value: string) => string;
  readonly read: (filter: Filters) => readonly string[] | undefined;
  readonly write: (values: readonly string[] | undefined) => Filters;
  /** Whether webhooks have it. */
  readonly isOnWebhooks: boolean;
}

const list = (
  param: string,
  label: string,
  name: "symbols" | "exchanges" | "aggregators" | "providers" | "event",
): Axis => ({
  param,
  label,
  said: name === "event" ? eventLabel : String,
  read: (filter) => filter[name] ?? undefined,
  write: (values) => (values === undefined ? {} : { [name]: [...values] }),
  isOnWebhooks: name !== "aggregators" && name !== "providers",
});

export const dimensions = ["corp_activity", "market", "market_country", "economic_category"] as const;
export type Dimension = (typeof dimensions)[number];
const dimensionLabels: Readonly<Record<Dimension, string>> = {
  corp_activity: "Corporate activity",
  market: "Market",
  market_country: "Country",
  economic_category: "Economy",
};

const tag = (dimension: Dimension): Axis => ({
  param: dimension,
  label: dimensionLabels[dimension],
  said: words,
  read: (filter) => filter.tags?.[dimension] ?? undefined,
  write: (values) => (values === undefined ? {} : { tags: { [dimension]: [...values] } }),
  isOnWebhooks: true,
});

export const axes: readonly Axis[] = [
  list("symbol", "Symbol", "symbols"),
  list("exchange", "Exchange", "exchanges"),
  list("aggregator", "Source", "aggregators"),
  list("provider", "Provider", "providers"),
  list("event", "Event", "event"),
  ...dimensions.map(tag),
];

const bounds = ["sentiment_min", "sentiment_max", "min_conviction", "min_actionability_score"] as const;
export type Bound = (typeof bounds)[number];
export const boundLabels: Readonly<Record<Bound, string>> = {
  sentiment_min: "Sentiment ≥",
  sentiment_max: "Sentiment ≤",
  min_conviction: "Conviction ≥",
  min_actionability_score: "Actionability ≥",
};

/** The interface counts sentiment from 0 to 10, the screens as scores do: from −5 to +5. */
export const isSentiment = (name: Bound): boolean => name.startsWith("sentiment");
export const neutral = 5;

const join = (parts: readonly Filters[]): Filters => {
  const tags = Object.assign({}, ...parts.map((part) => part.tags ?? {}));
  const all: Filters = Object.assign({}, ...parts);
  return Object.keys(tags).length === 0 ? withoutTags(all) : { ...all, tags };
};

function withoutTags({ tags: _, ...rest }: Filters): Filters {
  return rest;
}

/** The filter that an address holds. What does not read well is left out. */
export function filterOf(params: Readonly<Record<string, string | undefined>>): Filters {
  const lists = axes.map((axis) => {
    const values = (params[axis.param] ?? "").split(",").filter((value) => value.trim() !== "");
    return axis.write(values.length === 0 ? undefined : values.map((value) => value.trim()));
  });
  const numbers = bounds.map((name): Filters => {
    const text = params[name] ?? "";
    return /^\d{1,3}$/.test(text) ? { [name]: Number(text) } : {};
  });
  const flag = params.actionability;
  const isGiven = flag === "true" || flag === "false";
  return join([
    ...lists,
    ...numbers,
    isGiven ? { actionability: flag === "true" } : {},
    params.story_copies === "false" ? { story_copies: false } : {},
    withTitle({}, params.q ?? ""),
  ]);
}

/** The filter as members of an address or of a list request; null removes a member. */
export function paramsOf(filter: Filters): Record<string, string | null> {
  const text = (value: number | boolean | null | undefined) =>
    value === undefined || value === null ? null : String(value);
  return {
    ...Object.fromEntries(axes.map((axis) => [axis.param, axis.read(filter)?.join(",") ?? null])),
    ...Object.fromEntries(bounds.map((name) => [name, text(filter[name])])),
    actionability: text(filter.actionability),
    story_copies: filter.story_copies === false ? "false" : null,
    q: filter.q ?? null,
  };
}

/** The filter as a list request takes it: lists cannot be asked for providers, so their answers are sifted here. */
export const listParams = (filter: Filters): Record<string, string | null> => ({
  ...paramsOf(filter),
  provider: null,
});

/** Whether lists and counts know the whole filter. */
export const isListed = ({ providers }: Filters): boolean => !providers?.length;

/** The filter with other values on one axis; none removes it. */
export function withAxis(filter: Filters, axis: Axis, values: readonly string[]): Filters {
  const others = axes.filter((one) => one !== axis).map((one) => one.write(one.read(filter)));
  const { symbols: _s, exchanges: _e, aggregators: _a, providers: _p, event: _v, tags: _t, ...rest } = filter;
  return join([rest, ...others, axis.write(values.length === 0 ? undefined : values)]);
}

export function withBound(filter: Filters, bound: Bound, value: number | null): Filters {
  const { [bound]: _, ...rest } = filter;
  return value === null ? rest : { ...rest, [bound]: value };
}

/** @param text without a letter or digit: any title */
export function withTitle({ q: _, ...rest }: Filters, text: string): Filters {
  return /[\p{L}\p{N}]/u.test(text) ? { ...rest, q: text } : rest;
}

export const sameFilter = (a: Filters, b: Filters): boolean =>
  JSON.stringify(paramsOf(a)) === JSON.stringify(paramsOf(b));

export const isEmpty = (filter: Filters): boolean =>
  Object.values(paramsOf(filter)).every((value) => value === null);

/** What of a filter a webhook can have. */
export const onWebhooks = ({ aggregators: _a, providers: _p, ...rest }: Filters): Filters => rest;

export const cannot = (lost: string, who = "It"): string =>
  `${who} cannot filter by ${lost}: that part is left out.`;

/** What of a filter a webhook cannot have, in words; "": it can have all. */
export function notOnWebhooks(filter: Filters): string {
  const lost = axes.filter((axis) => !axis.isOnWebhooks && axis.read(filter) !== undefined);
  const labels = lost.map(({ label }) => label.toLowerCase());
  return labels.length > 0 ? cannot(labels.join(" and "), "Webhooks") : "";
}

export interface Chip {
  readonly text: string;
  readonly without: Filters;
}

/** The filter in words, each with what is left when it is taken away. */
export function chipsOf(filter: Filters): readonly Chip[] {
  const { actionability, story_copies, q } = filter;
  const chip = (text: string | false, without: () => Filters) =>
    text === false ? [] : [{ text, without: without() }];
  return [
    ...chip(typeof q === "string" && `Title: ${q}`, () => withTitle(filter, "")),
    ...axes.flatMap((axis) => {
      const values = axis.read(filter);
      const named = (all: readonly string[]) =>
        all.length > 3 ? `${all.slice(0, 2).join(", ")} +${all.length - 2}` : all.join(", ");
      return chip(values !== undefined && `${axis.label}: ${named(values.map(axis.said))}`, () =>
        withAxis(filter, axis, []),
      );
    }),
    ...bounds.flatMap((name) => {
      const value = filter[name];
      const shown = (given: number) => (isSentiment(name) ? signed(given - neutral) : given);
      return chip(typeof value === "number" && `${boundLabels[name]} ${shown(value)}`, () =>
        withBound(filter, name, null),
      );
    }),
    ...chip(actionability !== undefined && (actionability ? "Actionable" : "Not actionable"), () =>
      without(filter, "actionability"),
    ),
    ...chip(story_copies === false && "No copies", () => without(filter, "story_copies")),
  ];
}

/** The filter without one of its members. */
const without = ({ ...rest }: Filters, name: keyof Filters): Filters => {
  delete rest[name];
  return rest;
};

/** The filter in one line; "": every item. */
export const wordsOf = (filter: Filters): string =>
  chipsOf(filter)
    .map(({ text }) => text)
    .join(" · ");
