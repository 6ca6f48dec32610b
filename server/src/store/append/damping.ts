import type { NewItem } from "../../feed/item.ts";
import type { CurrentVersion } from "./versions.ts";

/** How often a version may return; a correction that was taken back and made again is news. */
const returns = 2;
/** Digests stored; a source that alternates between more than half as many versions is bounded only by mostRevisions. */
const keptKeys = 8;
/** A version that returns later than this counts again: the source has settled, and is followed. */
const dampedMs = 6 * 3_600_000;

/**
 * Whether a source alternates between versions of an item, as a source does whose servers disagree. Pushes are never
 * damped: they are the operator's own.
 */
export function isDamped(before: CurrentVersion, { contentKey, completes, item }: NewItem): boolean {
  if (completes || before.sourceId === null || contentKey === before.contentKey) return false;
  if (before.pastKeys.filter((key) => key === contentKey).length < returns) return false;
  return Date.parse(item.scraped_at) - Date.parse(before.item.updated_at) < dampedMs;
}

/** Digests of the earlier versions, once the source says this. */
export function pastKeysOf(before: CurrentVersion, contentKey: string | null): readonly string[] {
  if (before.contentKey === null || contentKey === null || contentKey === before.contentKey)
    return before.pastKeys;
  return [...before.pastKeys, before.contentKey].slice(-keptKeys);
}
