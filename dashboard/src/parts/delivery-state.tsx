import { plural } from "../core/format.ts";
import type { WebhookDelivery } from "../core/types.ts";
import { Moment } from "./time.tsx";

const given: Readonly<Record<string, string>> = {
  delivered: "Delivered",
  failed: "Given up",
  expired: "Too old: given up",
  disabled: "Endpoint disabled: given up",
};

/** How a delivery stands: after how many attempts, or how often it failed and when it is tried again. */
export function DeliveryState({ of: { status, attempts, next_attempt_at: next } }: { of: WebhookDelivery }) {
  const end = given[status];
  const failed = attempts.filter(({ ok }) => !ok).length;
  return (
    <span class={`status ${end === undefined ? "warm" : status === "delivered" ? "good" : "bad"}`}>
      <span>
        {end === undefined ? (
          <>
            {failed === 0 ? "Pending" : `Failed ${plural(failed, "time")}`}, next attempt{" "}
            {Date.parse(next ?? "") > Date.now() ? (
              <>
                not before <Moment at={next} />
              </>
            ) : (
              "in its turn"
            )}
          </>
        ) : (
          `${end} after ${plural(attempts.length, "attempt")}`
        )}
      </span>
    </span>
  );
}
