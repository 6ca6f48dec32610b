import { useState } from "preact/hooks";
import { send } from "../api.ts";
import { paramsOf } from "../core/filter.ts";
import { count, plural } from "../core/format.ts";
import { useDoing, useLoad } from "../core/load.ts";
import { iso } from "../core/range.ts";
import { mayWrite } from "../core/session.ts";
import { feedStats } from "../core/stats.ts";
import { Button } from "../forms/button.tsx";
import { FirstItem } from "../forms/first-item.tsx";
import { TimeField } from "../forms/time-field.tsx";
import { Lock, Problem } from "../parts/states.tsx";
import { tell } from "../parts/toast.tsx";
import { givenUpOf } from "./state.tsx";
import type { OneWebhook, Webhook } from "./types.ts";
import { Waiting } from "./waiting.tsx";

/** Sends what was given up, or everything of a time, once more. */
export function Replay({ hook, stats, again }: OneWebhook) {
  const [since, setSince] = useState<string | null>(() => iso(Date.now() - 3_600_000));
  const [until, setUntil] = useState<string | null>(null);
  const recovering = useDoing();
  const replaying = useDoing();
  if (!mayWrite.value) return <Lock text="Your role may look at webhooks, not change them." />;
  const recover = async () => {
    const { queued } = await send<{ queued: number }>("POST", `/v1/webhooks/${hook.id}/recover`, { since });
    tell(queued === 0 ? "None was given up since then" : `${count(queued)} queued again`);
    stats.again();
  };
  const replay = async () => {
    await send("POST", `/v1/webhooks/${hook.id}/replay`, {
      from: since,
      ...(until === null ? {} : { to: until }),
    });
    tell("The replay has begun");
    stats.again();
  };
  const givenUp = stats.data?.given_up ?? 0;
  const unlisted = stats.data === null ? 0 : givenUpOf(stats.data).unlisted;
  const left = stats.data?.replay_remaining ?? null;
  return (
    <section class="stack wide" aria-label="Replay">
      <div class="two">
        <TimeField label="From" value={since} set={setSince} />
        <TimeField label="To" value={until} set={setUntil} hint="Empty: until now." />
      </div>
      <FirstItem set={setSince} />
      {since !== null && <Preview hook={hook} since={since} until={until} />}
      <div class="two">
        <div class="stack">
          <h2>Recover</h2>
          <p class="soft">
            Sends deliveries again that were given up since then (
            {givenUp > 0 || unlisted > 0 ? `${count(givenUp)} in all` : "none was"}).
            {unlisted > 0 &&
              ` ${plural(unlisted, "other was", "others were")} too old before they were tried: only Replay sends them.`}
          </p>
          <Waiting hook={hook} stats={stats} again={again} />
          <div>
            <Button
              disabled={since === null || givenUp === 0 || recovering.isBusy}
              run={() => recovering.run(recover)}
            >
              Recover
            </Button>
          </div>
          <Problem failure={recovering.failure} />
        </div>
        <div class="stack">
          <h2>Replay</h2>
          <p class="soft">Sends every matching item of that time, delivered or not.</p>
          <div>
            <Button disabled={since === null || replaying.isBusy} run={() => replaying.run(replay)}>
              Replay
            </Button>
          </div>
          <Problem failure={replaying.failure} />
          {left !== null && <p class="note live num">Replaying: {plural(left, "item")} still to check.</p>}
        </div>
      </div>
    </section>
  );
}

function Preview({ hook, since, until }: { hook: Webhook; since: string; until: string | null }) {
  const key = JSON.stringify([paramsOf(hook.filters), since, until]);
  const counted = useLoad(`replay ${key}`, (signal) =>
    feedStats(hook.filters, { since, ...(until === null ? {} : { until }) }, signal),
  );
  if (counted.data === null) return null;
  return (
    <p class="note live num">
      The filter matches {plural(counted.data.totals.items, "item")} of that time
      {!counted.data.complete && ", as far back as the service remembers"}.
    </p>
  );
}
