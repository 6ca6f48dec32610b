import type { ComponentChildren } from "preact";
import { now } from "../core/clock.ts";
import { count, plural, span, words } from "../core/format.ts";
import type { WebhookWithoutSecret } from "../core/types.ts";
import { Moment } from "../parts/time.tsx";
import type { StatsRow, WebhookStats } from "./types.ts";

const isAhead = (at: string | null): at is string => at !== null && Date.parse(at) > now.value;

/** How an endpoint does, in a word; of one that fails: since when, why, and whether it is paused. */
export function EndpointState({
  hook,
  pausedUntil,
}: {
  hook: WebhookWithoutSecret;
  pausedUntil: string | null;
}) {
  const { status, failing_since: since, last_status: code, last_attempt_at: last } = hook;
  const paused = isAhead(pausedUntil) && (
    <>
      Paused until <Moment at={pausedUntil} />.
    </>
  );
  if (status !== "enabled")
    return status === "disabled" ? (
      <State>Disabled</State>
    ) : (
      <State tone="bad">Disabled by the service</State>
    );
  if (since !== null)
    return (
      <>
        <State tone="bad">
          <span>
            Failing since <Moment at={since} />
          </span>
        </State>
        <div class="quiet small">
          Last attempt <Moment at={last} />: {code ?? words(hook.last_error ?? "no answer")}. {paused}
        </div>
      </>
    );
  if (paused) return <State tone="warm">{paused}</State>;
  if (code !== null && code < 300 && code >= 200) return <State tone="good">Delivering</State>;
  // Its owner changed it, or a test was answered: the failures before say nothing any more.
  return <State>{last === null ? "No delivery yet" : "To be tried again"}</State>;
}

const State = ({ tone = "", children }: { tone?: string; children: ComponentChildren }) => (
  <span class={`status ${tone}`}>
    <span>{children}</span>
  </span>
);

/** The hours of one endpoint, as the row that the list of all has. */
export function rowOf({ hours, ...backlog }: WebhookStats): Counted {
  const of = (name: "delivered" | "failed" | "expired") => hours.map((hour) => hour[name]);
  return { ...backlog, delivered: of("delivered"), failed: of("failed"), expired: of("expired") };
}
type Counted = Pick<StatsRow, "delivered" | "failed" | "expired" | "due" | "behind">;

export const total = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0);

/**
 * How many were given up in 24 hours, and how many of those have no delivery, since they were too old before they were
 * tried. What was ordered again since is taken from the totals, not from the hours.
 */
export function givenUpOf(stats: WebhookStats) {
  const { failed, expired } = rowOf(stats);
  const { failed: failedEver, expired: expiredEver } = stats.total;
  const all = Math.min(total(failed) + total(expired), failedEver + expiredEver);
  return { all, unlisted: Math.max(0, all - stats.given_up) };
}

/** How far an endpoint that keeps up is, is stored every few seconds. */
const usualLag = 100;

export const toCheck = (items: number) => `${plural(items, "new item")} still to check against its filter`;

/** What was sent in 24 hours and what waits, in the same words wherever an endpoint is shown. */
export const Counts = ({ of: { delivered, failed, expired, due, behind } }: { of: Counted }) => (
  <span class="num">
    24 hours: {count(total(delivered))} delivered, {count(total(failed) + total(expired))} given up.
    {due > 0 && ` ${plural(due, "waits", "wait")} for a retry.`}
    {(due > 0 || behind > usualLag) && ` ${toCheck(behind)}.`}
  </span>
);

/** What becomes of a delivery that was ordered now. */
export const queuedWords = (pausedUntil: string | null): string =>
  isAhead(pausedUntil)
    ? `Queued. It is sent when the pause ends, in ${span(Date.parse(pausedUntil) - now.peek())}.`
    : "Queued. It is sent within seconds.";
