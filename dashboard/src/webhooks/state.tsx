import { now } from "../core/clock.ts";
import { span } from "../core/format.ts";
import type { WebhookWithoutSecret } from "../core/types.ts";
import { Until } from "../parts/time.tsx";

const isAhead = (at: string | null): at is string => at !== null && Date.parse(at) > now.value;

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
  const isFailing = hook.failing_since !== null;
  if (!isFailing && !isAhead(pausedUntil)) return <span class="status good">Delivering</span>;
  return (
    <span class={`status ${isFailing ? "bad" : "warm"}`}>
      <span>
        {isFailing ? "Failing" : "Waiting"}
        {hook.last_status && ` (${hook.last_status})`}
        {isAhead(pausedUntil) && (
          <>
            : retry in <Until at={pausedUntil} />
          </>
        )}
      </span>
    </span>
  );
}

/** What becomes of a delivery that was ordered now. */
export const queuedWords = (pausedUntil: string | null): string =>
  isAhead(pausedUntil)
    ? `Queued. It is sent when the pause ends, in ${span(Date.parse(pausedUntil) - now.peek())}.`
    : "Queued. It is sent within seconds.";
