import type { WebhookFormat } from "@tapewire/contract/webhooks.ts";
import type { LogItem } from "../../feed/item.ts";
import { latencyOf, streamItem } from "../../feed/view.ts";
import { chatMessage, chatTest } from "./chat-messages.ts";

/** How an endpoint gets its items. */
export interface BodyForm {
  /** Scores are withheld. */
  readonly locked: boolean;
  readonly format: WebhookFormat;
}

/** The body posted for an entry of the log. `timestamp` is when this version of the item was made. */
export function payloadOf(
  { seq, item }: LogItem,
  { locked, format, now }: BodyForm & { readonly now: Date },
): Buffer {
  const data = streamItem(item, { locked });
  if (format !== "tapewire") return encoded(chatMessage(format, data));
  return encoded({
    type: "feed.scored",
    timestamp: item.updated_at,
    data,
    seq,
    latency: latencyOf(item, now),
  });
}

/** The body of a test delivery. */
export function testPayload(
  { id, format }: { readonly id: string; readonly format: WebhookFormat },
  now: Date,
): Buffer {
  const timestamp = now.toISOString();
  return encoded(
    format === "tapewire"
      ? { type: "webhook.test", timestamp, data: { webhook_id: id } }
      : chatTest(format, timestamp),
  );
}

const encoded = (body: object) => Buffer.from(JSON.stringify(body));
