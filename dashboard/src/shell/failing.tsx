import { now } from "../core/clock.ts";
import { useGet } from "../core/load.ts";
import type { WebhookWithoutSecret } from "../core/types.ts";

export interface EndpointList {
  readonly data: readonly WebhookWithoutSecret[];
}

/** Nothing arrives there, and its owner can put it right. */
export const isFailing = ({ status, failing_since }: WebhookWithoutSecret): boolean =>
  status === "auto_disabled" || (status === "enabled" && failing_since !== null);

const beganAtMs = Date.now();
const lookEveryMs = 60_000;

/** How many webhooks fail; looked at when the first rows are there. */
export function Failing() {
  const hooks = useGet<EndpointList>(now.value - beganAtMs > 2_500 ? "/v1/webhooks" : null, {}, lookEveryMs);
  const failing = hooks.data?.data.filter(isFailing).length ?? 0;
  if (failing === 0) return null;
  return (
    <span class="unread num bad">
      {failing}
      <span class="unseen"> failing</span>
    </span>
  );
}
