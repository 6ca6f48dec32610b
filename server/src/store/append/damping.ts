import type { NewItem } from "../../feed/item.ts";
import type { CurrentVersion } from "./versions.ts";

/** A version may come back so often; a correction that was taken back and made again is news. */
const returns = 2;
/** Digests kept: a source that turns among more versions than half of them runs into the most revisions of an item. */
const keptKeys = 8;
/** What comes back later counts again: a source that has come to rest is followed. */
const dampedMs = 6 * 3_600_000;

/**
 * Whether a source turns back and forth between versions of an item, as one does that is answered by several servers
 * which disagree. A push is the operator's own word, as often as it is said.
 */
export function isDamped(before: CurrentVersion, { contentKey, completes, item }: NewItem): boolean {
  if (completes || before.sourceId === null || contentKey === before.contentKey) return false;
  if (before.pastKeys.filter((key) => key === contentKey).length < returns) return false;
  return Date.parse(item.scraped_at) - Date.parse(before.item.updated_at) < dampedMs;
}

/** What the source said before, once it says this. */
export function pastKeysOf(before: CurrentVersion, contentKey: string | null): readonly string[] {
  if (before.contentKey === null || contentKey === null || contentKey === before.contentKey)
    return before.pastKeys;
  return [...before.pastKeys, before.contentKey].slice(-keptKeys);
}
