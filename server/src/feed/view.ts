import type { FeedItem, FeedItemDetail, ItemDetail, Scoring } from "@tapewire/contract/feeds.ts";
import type { Latency, StreamItem } from "@tapewire/contract/stream.ts";
import type { LogItem } from "./item.ts";

const upgradeMessage = "Scores are withheld on the Free plan. Upgrade to a paid plan to see them.";

/** The stored JSON of an item: everything but its seq is encoded before the log is locked. */
export function encodeDoc(seq: number, encodedItem: string): string {
  return `{"seq":${seq},${encodedItem.slice(1)}`;
}

/** The stored JSON of an item of any version: items from before events were found have none. */
export function wholeDoc(stored: string): string {
  // Unescaped quotes are the document's own, so this finds the member and no text.
  return stored.includes('"events":[') ? stored : `${stored.slice(0, -1)},"event":null,"events":[]}`;
}

/** The JSON of a single read: the stored item with its stored detail. */
export function joinDetail(doc: string, detail: string): string {
  return `${doc.slice(0, -1)},${detail.slice(1)}`;
}

/** The scoring of an item that was not judged. */
export const unscored: Scoring = {
  actionability: null,
  actionability_score: null,
  actionability_comment: null,
  sentiment_score: null,
  sentiment_short: null,
  sentiment_long: null,
  sentiment_conviction: null,
  sentiment_comment: null,
  model: null,
  model_version: null,
  scored_at: null,
  locked: false,
};

const lockedScoring: Scoring = { ...unscored, locked: true, message: upgradeMessage };

/** Kinds of events are facts of the text, like tags, and stay; the words that a score follows from are withheld. */
function lockedVerdict({ events }: Pick<FeedItem, "events">): Pick<FeedItem, "scoring" | "events"> {
  return { scoring: lockedScoring, events: events.map((event) => ({ ...event, evidence: null })) };
}

/** A single read for plans without scores: every score, comment and span that reveals one is withheld. */
export function lockDetail(item: FeedItem & ItemDetail): FeedItemDetail {
  return {
    ...item,
    ...lockedVerdict(item),
    sub_scores: null,
    analysis: item.analysis.map((entry) => ({
      ...entry,
      sentiment_short: null,
      sentiment_long: null,
      sentiment_conviction: null,
      sentiment_score: null,
      sentiment_comment: null,
      evidence: [],
    })),
  };
}

/** The item as the stream carries it: the scoring has the stream's members only. */
export function streamItem(item: FeedItem, { locked }: { locked: boolean }): StreamItem {
  const { scoring: shown, events } = locked ? lockedVerdict(item) : item;
  return {
    ...item,
    events,
    scoring: {
      locked: shown.locked,
      ...(shown.message === undefined ? {} : { message: shown.message }),
      actionability: shown.actionability,
      actionability_score: shown.actionability_score,
      actionability_comment: shown.actionability_comment,
      sentiment_score: shown.sentiment_score,
      sentiment_short: shown.sentiment_short,
      sentiment_long: shown.sentiment_long,
      sentiment_conviction: shown.sentiment_conviction,
      sentiment_comment: shown.sentiment_comment,
      model: shown.model,
    },
  };
}

/** The members of a feed frame that are the same for every client: a stream and a replay carry the same. */
export function feedMembers(
  { seq, item }: LogItem,
  { cursor, publishedAt, locked }: { cursor: string; publishedAt: Date; locked: boolean },
): { cursor: string; seq: number; latency: Latency; data: StreamItem } {
  return { cursor, seq, latency: latencyOf(item, publishedAt), data: streamItem(item, { locked }) };
}

/**
 * When an entry was logged, as its document tells: neither before its version was made nor before it was scored. The
 * commit follows within milliseconds.
 */
export function loggedAt({ updated_at, scoring }: Pick<FeedItem, "updated_at" | "scoring">): Date {
  const { scored_at } = scoring;
  return new Date(scored_at !== null && scored_at > updated_at ? scored_at : updated_at);
}

/** Telemetry of one item at the moment it is published. */
export function latencyOf(item: FeedItem, publishedNow: Date): Latency {
  const since = (time: string) => publishedNow.getTime() - new Date(time).getTime();
  return {
    source_time: item.source_time,
    received_time: item.scraped_at,
    scored_time: item.scoring.scored_at,
    publish_time: publishedNow.toISOString(),
    source_to_publish_ms: item.source_time === null ? null : since(item.source_time),
    receive_to_publish_ms: since(item.scraped_at),
  };
}
