/** The input for measuring deliveries: bodies of 2 KB, and endpoints of which an item matches all, or one in twenty. */
import type { PushItem } from "@tapewire/contract/admin.ts";
import type { WebhookFilters } from "@tapewire/contract/filter.ts";
import { itemIdOf, type NewItem } from "../server/src/feed/item.ts";
import { payloadOf } from "../server/src/webhooks/body/payload.ts";
import { newItem } from "../server/test/support/items.ts";
import { itemAt, symbolOf } from "./rest-items.ts";

export const bodyBytes = 2_048;
/** From this number on endpoints have filters. */
const filteredFrom = 1_000;
/** Groups of endpoints with the same symbol in their filters. */
const groups = 20;
const total = 1_000_000;
const longestTitle = 960;

const symbolOfGroup = (group: number) => `BENCH:G${String.fromCharCode(65 + group)}`;

/** Number of items that together reach each endpoint once. */
export const itemsOnceAround = (endpoints: number) => (endpoints < filteredFrom ? 1 : groups);

export const matchesPerItem = (endpoints: number) => endpoints / itemsOnceAround(endpoints);

/** Filters on the symbol of the endpoint's group and others, so that no two filters are equal. */
export function filterOf(endpoint: number, endpoints: number): WebhookFilters {
  if (endpoints < filteredFrom) return {};
  const others = Array.from({ length: 9 }, (_, k) => symbolOf((endpoint * 9 + k) % 5_000).symbol);
  return { symbols: [symbolOfGroup(endpoint % groups), ...others] };
}

/** Endpoints that the n-th item reaches. */
export function endpointsOf(n: number, endpoints: number): number[] {
  const step = itemsOnceAround(endpoints);
  return Array.from({ length: matchesPerItem(endpoints) }, (_, k) => k * step + (n % step));
}

/** The endpoint of a request, by its head. */
export function endpointIndex(head: string): number {
  return Number.parseInt(head.slice("POST /e/".length, "POST /e/".length + 8), 10);
}

/** Items for the log as if scored just now, distinguished by n. */
export function itemsForLog(from: number, count: number, now: Date): NewItem[] {
  return Array.from({ length: count }, (_, k) => itemForLog(from + k, now.toISOString()));
}

function itemForLog(n: number, at: string): NewItem {
  const { title, scoring, tags } = itemAt(n, total);
  const uniqueId = `guid:bench:${n}`;
  const made = newItem({ uniqueId, publishedAt: at, symbols: [symbolOfGroup(n % groups)], tags });
  const item = { ...made.item, title: `${title} ${n}`, scoring: { ...scoring, scored_at: at } };
  const missing =
    bodyBytes - payloadOf(logItem(item), { locked: false, format: "tapewire", now: new Date(at) }).length;
  return { ...made, item: { ...item, title: filled(item.title ?? "", missing) } };
}

function logItem(item: NewItem["item"]) {
  return { seq: 100_000, item: { ...item, seq: 100_000 }, doc: "" };
}

function filled(text: string, missing: number): string {
  return `${text}${" filler".repeat(Math.ceil(Math.max(0, missing) / 7)).slice(0, Math.max(0, missing))}`;
}

/** The n-th item to push; its title, and so the delivered body, contains n. */
export function itemToPush(n: number): PushItem {
  const title = filled(`(no. ${n}) ${itemAt(n, total).title}`, 2_000).slice(0, longestTitle);
  const { symbol } = { symbol: symbolOfGroup(n % groups) };
  return {
    ...{ type: "news", body: "", source: "push", tags: [], symbols: [symbol] },
    ...{ title, external_id: `bench-${n}` },
  };
}

/** The n of `itemToPush`. */
export function pushedNumber(body: Buffer): number {
  const at = body.indexOf("(no. ");
  return Number.parseInt(body.toString("latin1", at + 5, at + 15), 10);
}

/** When the body was encoded (epoch). */
export function encodedAtMs(body: Buffer): number {
  const name = '"publish_time":"';
  const at = body.lastIndexOf(name) + name.length;
  return Date.parse(body.toString("latin1", at, at + "2026-01-01T00:00:00.000Z".length));
}

/** Bodies and ids as the service makes them, for a sender without the service. */
export function preparedDeliveries(count: number): { readonly id: string; readonly body: string }[] {
  const now = new Date();
  return itemsForLog(0, count, now).map(({ item }, n) => ({
    id: `msg_${itemIdOf(item.unique_id).replaceAll("-", "")}_${n + 1}`,
    body: payloadOf(logItem(item), { locked: false, format: "tapewire", now }).toString(),
  }));
}
