import type { z } from "zod";
import type { ClientFrame, clientFrame, Latency, ReplayPage, ServerFrame, StreamItem } from "../stream.ts";
import { actionabilityComment, item as judgedItem, sentimentComment } from "./judged-item.ts";
import { exampleTimes, exampleFilters as filters } from "./values.ts";

const sentAt = "2026-03-02T14:30:02.171Z";
const cursor = (seq: number) => `39518285.${seq}`;

const item: StreamItem = {
  ...judgedItem,
  scoring: {
    locked: false,
    actionability: true,
    actionability_score: 75,
    actionability_comment: actionabilityComment,
    sentiment_score: 9,
    sentiment_short: 4,
    sentiment_long: 3,
    sentiment_conviction: 92,
    sentiment_comment: sentimentComment,
    model: judgedItem.scoring.model,
  },
};
const lockedItem: StreamItem = {
  ...item,
  scoring: {
    locked: true,
    message: "Scores are part of the paid plans; this account is on Free.",
    actionability: null,
    actionability_score: null,
    actionability_comment: null,
    sentiment_score: null,
    sentiment_short: null,
    sentiment_long: null,
    sentiment_conviction: null,
    sentiment_comment: null,
    model: null,
  },
};
const latency: Latency = {
  source_time: exampleTimes.published,
  received_time: exampleTimes.seen,
  scored_time: exampleTimes.scored,
  publish_time: sentAt,
  source_to_publish_ms: 2171,
  receive_to_publish_ms: 46,
};
const feed = {
  type: "feed",
  snapshot: false,
  count: 17,
  cursor: cursor(48213),
  seq: 48213,
  latency,
} as const;

/** The live item as a replay has it. */
export const replayed: ReplayPage["data"][number] = {
  cursor: cursor(48213),
  seq: 48213,
  logged_at: exampleTimes.scored,
  latency: {
    ...latency,
    publish_time: exampleTimes.scored,
    source_to_publish_ms: 2163,
    receive_to_publish_ms: 38,
  },
  data: item,
};

interface Example<Frame> {
  /** One line, without a full stop. */
  readonly says: string;
  readonly frame: Frame;
}
type Sent = z.input<ReturnType<typeof clientFrame>>;

/** What clients send, by type. */
export const clientExamples: {
  readonly [Type in ClientFrame["type"]]: readonly Example<Sent & { type: Type }>[];
} = {
  subscribe: [
    { says: "All items from now on", frame: { type: "subscribe" } },
    {
      says: "The latest five matching items, then live items",
      frame: { type: "subscribe", filters, snapshot: 5, id: "s1" },
    },
    {
      says: "Matching items after a cursor, then live items",
      frame: { type: "subscribe", filters, after: cursor(48190), id: "s2" },
    },
  ],
  unsubscribe: [{ says: "Stop delivery", frame: { type: "unsubscribe", id: "u1" } }],
  ping: [{ says: "Ask for the newest cursor", frame: { type: "ping" } }],
};

/** What the server sends, by type. */
export const serverExamples: {
  readonly [Type in ServerFrame["type"]]: readonly Example<ServerFrame & { type: Type }>[];
} = {
  welcome: [
    {
      says: "A plan without a daily cap",
      frame: { type: "welcome", tier: "pro", limits: { realtime_feeds_per_day: null, scored_feed: true } },
    },
    {
      says: "The Free plan",
      frame: { type: "welcome", tier: "free", limits: { realtime_feeds_per_day: 50, scored_feed: false } },
    },
  ],
  subscribed: [
    {
      says: "A snapshot is granted",
      frame: { type: "subscribed", filters, cursor: cursor(48212), resumed: false, snapshot: 5, id: "s1" },
    },
    {
      says: "Resumed from the cursor",
      frame: { type: "subscribed", filters, cursor: cursor(48190), resumed: true, snapshot: 0, id: "s2" },
    },
    {
      says: "The cursor is unknown: live items only, earlier ones were missed",
      frame: {
        type: "subscribed",
        filters: {},
        cursor: cursor(48212),
        resumed: false,
        reason: "cursor_unknown",
        oldest: cursor(0),
        snapshot: 0,
      },
    },
  ],
  unsubscribed: [
    {
      says: "Delivery stopped after the item with this cursor",
      frame: { type: "unsubscribed", cursor: cursor(48213), id: "u1" },
    },
  ],
  feed: [
    { says: "A live item", frame: { ...feed, data: item } },
    {
      says: "An item of a snapshot: it has the cursor of the subscribed frame",
      frame: {
        ...feed,
        snapshot: true,
        count: 16,
        cursor: cursor(48212),
        seq: 48120,
        data: { ...item, seq: 48120 },
      },
    },
    { says: "A live item on the Free plan", frame: { ...feed, data: lockedItem } },
  ],
  quota_exceeded: [
    {
      says: "The daily cap is reached",
      frame: {
        type: "quota_exceeded",
        limit: 50,
        message: "The plan's daily cap of 50 live items is reached. Delivery resumes at 00:00 UTC.",
      },
    },
  ],
  pong: [{ says: "The reply to a ping", frame: { type: "pong", cursor: cursor(48213), time: sentAt } }],
  heartbeat: [
    {
      says: "No matching item, but the stream works",
      frame: { type: "heartbeat", cursor: cursor(48213), time: sentAt },
    },
  ],
  error: [
    {
      says: "An invalid frame is refused; the subscription stays",
      frame: {
        type: "error",
        code: "invalid_frame",
        message: "filters.symbol: unknown member",
        id: "s1",
        fatal: false,
      },
    },
    {
      says: "The key was revoked",
      frame: { type: "error", code: "key_revoked", message: "The key is no longer valid", fatal: true },
    },
    {
      says: "A restart",
      frame: {
        type: "error",
        code: "restarting",
        message: "The server stops or restarts. Reconnect with the cursor.",
        retry_after_ms: 3817,
        fatal: true,
      },
    },
  ],
};
