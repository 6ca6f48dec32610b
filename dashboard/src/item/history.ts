import { get } from "../api.ts";
import { eventLabel } from "../core/event-labels.ts";
import { signed, words } from "../core/format.ts";
import { iso } from "../core/range.ts";
import type { FeedItemDetail } from "../core/types.ts";

/** Most versions that are read, and most requests for them. */
const mostVersions = 12;

/** A version of an item. */
export interface Version {
  readonly item: FeedItemDetail;
  /** The last time at which it was the newest; null: it still is. */
  readonly until: string | null;
}

/** When the version and the score that it has were both there. */
const sinceOf = ({ updated_at, scoring: { scored_at } }: FeedItemDetail): string =>
  scored_at !== null && scored_at > updated_at ? scored_at : updated_at;

/** The newest versions of an item, oldest first: each is what there was a moment before the next. */
export async function versionsOf(id: string, signal: AbortSignal): Promise<readonly Version[]> {
  const path = `/v1/feeds/${id}`;
  let item = await get<FeedItemDetail>(path, {}, signal);
  const found: Version[] = [{ item, until: null }];
  for (let asked = 1; item.revision > 0 && asked < mostVersions; asked++) {
    const until = iso(Date.parse(sinceOf(item)) - 1);
    const before = await get<FeedItemDetail>(path, { as_of: until }, signal);
    // A version that was scored again is found once more, with the score that it had before.
    if (before.revision !== item.revision) found.unshift({ item: before, until });
    item = before;
  }
  return found;
}

export interface Changed {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

const number = (value: number | null) => (value === null ? "—" : String(value));
const direction = (value: number | null) => (value === null ? "—" : signed(value));

const facts: readonly (readonly [name: string, of: (item: FeedItemDetail) => string])[] = [
  ["Title", ({ title }) => title ?? "—"],
  ["Status", ({ status }) => words(status)],
  ["Actionability", ({ scoring }) => number(scoring.actionability_score)],
  ["Short term", ({ scoring }) => direction(scoring.sentiment_short)],
  ["Long term", ({ scoring }) => direction(scoring.sentiment_long)],
  ["Conviction", ({ scoring }) => number(scoring.sentiment_conviction)],
  ["Event", ({ event }) => (event === null ? "none" : eventLabel(event))],
  ["Symbols", ({ symbols }) => symbols.map(({ symbol }) => symbol).join(", ") || "none"],
  ["Tags", ({ tags }) => Object.values(tags).flat().map(words).join(", ") || "none"],
  ["Summary", ({ summary }) => summary ?? "—"],
  ["Link", ({ link }) => link ?? "—"],
];

/** What the later version says otherwise. */
export function changesOf(before: FeedItemDetail, after: FeedItemDetail): readonly Changed[] {
  return facts
    .map(([name, of]) => ({ name, before: of(before), after: of(after) }))
    .filter((one) => one.before !== one.after);
}
