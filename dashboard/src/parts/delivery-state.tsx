import { plural } from "../core/format.ts";
import type { WebhookDelivery } from "../core/types.ts";
import { Moment } from "./time.tsx";

/** How a delivery stands, in a word. */
export const states: Readonly<Record<string, string>> = {
  due: "Waiting",
  delivered: "Delivered",
  failed: "Given up",
  expired: "Too old",
  disabled: "Disabled",
};

/** How a delivery stands: after how many attempts, or how often it failed and when it is tried again. */
export function DeliveryState({ of: { status, attempts, next_attempt_at: next } }: { of: WebhookDelivery }) {
  const isDue = status === "due";
  const failed = attempts.filter(({ ok }) => !ok).length;
  return (
    <span class={`status ${isDue ? "warm" : status === "delivered" ? "good" : "bad"}`}>
      <span>
        {states[status]}
        {isDue ? (
          <>
            {failed > 0 && `: failed ${plural(failed, "time")}`}, next attempt{" "}
            {Date.parse(next ?? "") > Date.now() ? (
              <>
                not before <Moment at={next} />
              </>
            ) : (
              "in its turn"
            )}
          </>
        ) : (
          ` after ${plural(attempts.length, "attempt")}`
        )}
      </span>
    </span>
  );
}
