import { at } from "../core/address.ts";
import { count } from "../core/format.ts";
import { useGet } from "../core/load.ts";
import { tab } from "../core/session.ts";
import type { Me } from "../core/types.ts";
import { signal } from "../draw/signal.ts";
import { Button } from "../forms/button.tsx";
import type { Live } from "./live.ts";

/** Asked for once in this tab. */
const isAgreed = signal(sessionStorage.getItem("tapewire.watch") === "yes");

/**
 * Whether the stream may begin without being asked for: on plans with a daily cap watching counts, so it waits for a word.
 * null: the plan is not known yet.
 */
export const watchesByItself = (): boolean | null => {
  if (isAgreed.value) return true;
  return tab.value === null ? null : tab.value.realtime_feeds_per_day === null;
};

/** What watching costs on this plan, and the button that begins. */
export function WatchBar({ live }: { live: Live }) {
  const me = useGet<Me>(watchesByItself() === false ? "/v1/me" : null);
  if (watchesByItself() !== false || live.isStarted) return null;
  const limit = me.data?.limits.realtime_feeds_per_day ?? null;
  const left = limit === null ? null : Math.max(0, limit - (me.data?.usage.feed ?? 0));
  return (
    <div class="banner" role="status">
      <span class="grow num">
        {limit === null
          ? "Watching uses the live items of your plan."
          : `Watching uses your ${count(limit)} live items a day (${count(left ?? 0)} left).`}
      </span>
      <a href={at("usage")}>Usage and plans</a>
      <Button
        look="main"
        run={() => {
          sessionStorage.setItem("tapewire.watch", "yes");
          isAgreed.value = true;
        }}
      >
        Watch
      </Button>
    </div>
  );
}
