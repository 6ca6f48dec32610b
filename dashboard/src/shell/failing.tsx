import { now } from "../core/clock.ts";
import { useGet } from "../core/load.ts";
import type { WebhookWithoutSecret } from "../core/types.ts";
import type { SourceList } from "../operator/types.ts";

export interface EndpointList {
  readonly data: readonly WebhookWithoutSecret[];
}

/** Nothing arrives there, and its owner can put it right. */
export const isFailing = ({ status, failing_since }: WebhookWithoutSecret): boolean =>
  status === "auto_disabled" || (status === "enabled" && failing_since !== null);

const beganAtMs = Date.now();
const lookEveryMs = 60_000;

/** Looked at when the first rows are there. */
const useLater = <T extends object>(path: string) =>
  useGet<T>(now.value - beganAtMs > 2_500 ? path : null, {}, lookEveryMs).data;

/** How many webhooks fail. */
export const FailingWebhooks = () => (
  <Failing count={useLater<EndpointList>("/v1/webhooks")?.data.filter(isFailing).length} />
);

/** All sources that are read, where each of them fails: nothing comes in. */
export function FailingSources() {
  const read = useLater<SourceList>("/admin/v1/sources")?.data.filter(({ enabled }) => enabled);
  return <Failing count={read?.every(({ status }) => status === "failing") ? read.length : 0} />;
}

function Failing({ count: failing = 0 }: { count: number | undefined }) {
  if (failing === 0) return null;
  return (
    <span class="unread num bad">
      {failing}
      <span class="unseen"> failing</span>
    </span>
  );
}
