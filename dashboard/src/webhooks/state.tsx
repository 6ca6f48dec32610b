import { now } from "../core/clock.ts";
import { Until } from "../parts/time.tsx";
import type { WebhookWithoutSecret } from "./types.ts";

export const isFailing = ({ status, failing_since }: WebhookWithoutSecret) =>
  status === "auto_disabled" || failing_since !== null;

/** How an endpoint does, in a word. */
export function EndpointState({
  hook,
  pausedUntil,
}: {
  hook: WebhookWithoutSecret;
  pausedUntil: string | null;
}) {
  if (hook.status === "auto_disabled") return <span class="status bad">Disabled by the service</span>;
  if (hook.status === "disabled") return <span class="status">Disabled</span>;
  if (pausedUntil !== null && Date.parse(pausedUntil) > now.value)
    return (
      <span class="status warm">
        Paused for <Until at={pausedUntil} />
      </span>
    );
  if (hook.failing_since !== null)
    return <span class="status bad">Failing{hook.last_status === null ? "" : ` (${hook.last_status})`}</span>;
  return <span class="status good">Delivering</span>;
}
