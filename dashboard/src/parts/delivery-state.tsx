import { shortTime, words } from "../core/format.ts";
import type { WebhookDelivery } from "../core/types.ts";

const toneOf: Readonly<Record<string, string>> = {
  delivered: "good",
  due: "warm",
  failed: "bad",
  expired: "bad",
};

/** How a delivery stands: how often it failed so far, and when it is tried again. */
export function DeliveryState({ of: delivery }: { of: WebhookDelivery }) {
  return <span class={`status ${toneOf[delivery.status] ?? ""}`}>{stateWords(delivery)}</span>;
}

function stateWords({ status, attempts, next_attempt_at: next }: WebhookDelivery): string {
  if (status !== "due") return words(status);
  const failed = attempts.filter(({ ok }) => !ok).length;
  const atMs = Date.parse(next ?? "");
  const when = atMs > Date.now() ? shortTime(atMs) : "soon";
  return failed === 0 ? `Queued, sent ${when}` : `Failed ${failed}×, retry ${when}`;
}
