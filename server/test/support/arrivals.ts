import { type FeedItem, itemIdOf } from "../../src/feed/item.ts";
import { type Facts, newItem } from "./items.ts";

/** The items of the log after these facts came, one entry each: a new version keeps the place of its first. */
export function arrivals(facts: readonly Facts[]): FeedItem[] {
  const times = new Map<string, string>();
  return facts.map((one, at) => {
    const publishedAt = times.get(one.uniqueId) ?? one.publishedAt ?? "";
    times.set(one.uniqueId, publishedAt);
    const { item } = newItem({ ...one, publishedAt });
    return { seq: at + 1, ...item, story_id: one.story === null ? item.id : itemIdOf("guid:first:teller") };
  });
}
