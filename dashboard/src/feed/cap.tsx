import { signal } from "@preact/signals";
import { get } from "../api.ts";
import { at } from "../core/address.ts";
import { count } from "../core/format.ts";
import { useLoad } from "../core/load.ts";
import { account } from "../core/session.ts";
import type { Me } from "../core/types.ts";
import type { Live } from "./live.ts";

/** Plans as they ship on which live items are counted. The service itself says what is left. */
const capped = new Set(["free", "starter"]);
/** Asked for once in this tab. */
const isAgreed = signal(sessionStorage.getItem("tapewire.watch") === "yes");

/** Whether the stream may begin without being asked for: where watching counts, it waits for a word. */
export const watchesByItself = (): boolean => isAgreed.value || !capped.has(account.value?.plan ?? "");

/** What watching costs on this plan, and the button that begins. */
export function WatchBar({ live }: { live: Live }) {
  const me = useLoad(watchesByItself() ? null : "me", (signal) => get<Me>("/v1/me", {}, signal));
  if (watchesByItself() || live.isStarted) return null;
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
      <button
        type="button"
        class="button main"
        onClick={() => {
          sessionStorage.setItem("tapewire.watch", "yes");
          isAgreed.value = true;
          live.start();
        }}
      >
        Watch
      </button>
    </div>
  );
}
