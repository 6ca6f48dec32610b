import { useEffect, useState } from "preact/hooks";
import { at } from "../core/address.ts";
import { now } from "../core/clock.ts";
import { count, plural, span } from "../core/format.ts";
import { isOperator } from "../core/session.ts";
import { Button } from "../forms/button.tsx";
import { WatchBar } from "./cap.tsx";
import type { Live } from "./live.ts";
import type { Moving } from "./tape-view.tsx";

/** How many items wait while the tape is paused, and the way back to the newest. */
export function Pill({ live, follow }: { live: Moving; follow: () => void }) {
  live.painted.value;
  const { waiting } = live.tape;
  if (!live.isPaused.value || waiting.length === 0) return null;
  const actionable = waiting.filter(({ item }) => item.scoring.actionability === true).length;
  return (
    <button type="button" class="pill num" onClick={follow}>
      {plural(waiting.length, "new item")}
      {actionable > 0 && ` · ${count(actionable)} actionable`} <span aria-hidden="true">↑</span>
    </button>
  );
}

/** What keeps items from coming, and what to do about it. */
export function FeedNotes({ live }: { live: Live }) {
  const quota = live.quota.value;
  const ended = live.ended.value;
  return (
    <div>
      <WatchBar live={live} />
      <Demo live={live} />
      {quota !== null && Number(quota.resetAt) > now.value && (
        <div class="banner wrong" role="status">
          <span class="grow">
            Today's {count(quota.limit)} live items are used up. They go on in{" "}
            {span(Number(quota.resetAt) - now.value)}, at 00:00 UTC.
          </span>
          <a href={at("usage")}>Usage and plans</a>
        </div>
      )}
      {ended !== null && (
        <div class="banner wrong" role="status">
          <span class="grow">{wordsFor(ended.code, ended.reason)}</span>
          <Button run={() => location.reload()}>Try again</Button>
        </div>
      )}
      {!live.isScored.value && (
        <div class="banner" role="status">
          Scores are not part of this plan: items come without them, 50 a day. The starter plan has them.
        </div>
      )}
    </div>
  );
}

/** Says of the demo wire what it is. */
function Demo({ live: { painted, tape } }: { live: Live }) {
  painted.value;
  if (tape.at(0)?.item.provider_id !== "demo-wire") return null;
  return (
    <div class="banner" role="status">
      <span>Invented demo news{isOperator.value && ": TAPEWIRE_DEMO=off stops it"}</span>
    </div>
  );
}

function wordsFor(code: number | string, reason: string): string {
  if (code === 4501) return "The key of this page was revoked. Sign in again.";
  if (code === 4502) return "All streams of the plan are open. Close another page of the feed, or a client.";
  if (code === 4500) return "The service refused this filter.";
  return reason === "" ? `The stream has ended (${code}).` : reason;
}

/** Live, paused, or how the stream comes back. */
export function LinkState({ live, hold, follow }: { live: Live; hold: () => void; follow: () => void }) {
  const link = live.link.value;
  const isPaused = live.isPaused.value;
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    setSlow(false);
    const timer = setTimeout(() => setSlow(true), 400);
    return () => clearTimeout(timer);
  }, [link]);
  const state = link === "live" || (!isSlow && link !== "lost") ? (isPaused ? "paused" : "live") : link;
  const said = {
    live: "Live",
    paused: "Paused",
    connecting: "Connecting",
    waiting: live.attempt.value > 1 ? `Reconnecting, attempt ${live.attempt.value}` : "Reconnecting",
    replaying: "Catching up",
    lost: "Lost",
    closed: "Not watching",
  }[state];
  return (
    <button
      type="button"
      class={`button plain link-state ${state}`}
      aria-pressed={isPaused}
      title={isPaused ? "Follow the newest (space)" : "Pause (space)"}
      onClick={isPaused ? follow : hold}
    >
      <i aria-hidden="true" />
      {said}
    </button>
  );
}
