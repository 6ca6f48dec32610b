import type { LogItem } from "../feed/item.ts";
import { latencyOf, streamItem } from "../feed/view.ts";

/** The body posted for an entry of the log. `timestamp` is when this version of the item was made. */
export function payloadOf({ seq, item }: LogItem, { locked, now }: { locked: boolean; now: Date }): Buffer {
  return Buffer.from(
    JSON.stringify({
      type: "feed.scored",
      timestamp: item.updated_at,
      data: streamItem(item, { locked }),
      seq,
      latency: latencyOf(item, now),
    }),
  );
}

/** The body of a test delivery. */
export function testPayload(endpointId: string, now: Date): Buffer {
  const timestamp = now.toISOString();
  return Buffer.from(JSON.stringify({ type: "webhook.test", timestamp, data: { webhook_id: endpointId } }));
}
