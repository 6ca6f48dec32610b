import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { paramsOf } from "../core/filter.ts";
import { count, plural } from "../core/format.ts";
import { type Loaded, useDoing, useLoad } from "../core/load.ts";
import { mayWrite } from "../core/session.ts";
import { feedStats } from "../core/stats.ts";
import { Field } from "../parts/field.tsx";
import { Lock, Problem } from "../parts/states.tsx";
import { tell } from "../parts/toast.tsx";
import type { Webhook, WebhookStats } from "./types.ts";

const localInput = (ms: number) => {
  const at = new Date(ms - new Date(ms).getTimezoneOffset() * 60_000);
  return at.toISOString().slice(0, 16);
};

/** Sends what was given up, or everything of a time, once more. */
export function Replay({ hook, stats }: { hook: Webhook; stats: Loaded<WebhookStats> }) {
  const [from, setFrom] = useState(localInput(Date.now() - 3_600_000));
  const [to, setTo] = useState("");
  const recovering = useDoing();
  const replaying = useDoing();
  if (!mayWrite.value) return <Lock text="Your role may look at webhooks, not change them." />;
  const since = iso(from);
  const until = to === "" ? null : iso(to);
  const recover = async () => {
    const { queued } = await call<{ queued: number }>("POST", `/v1/webhooks/${hook.id}/recover`, {
      body: { since },
    });
    tell(`${plural(queued, "delivery", "deliveries")} due again`);
    stats.again();
  };
  const replay = async () => {
    await call("POST", `/v1/webhooks/${hook.id}/replay`, {
      body: { from: since, ...(until === null ? {} : { to: until }) },
    });
    tell("The replay has begun");
    stats.again();
  };
  const left = stats.data?.replay_remaining ?? null;
  return (
    <section class="stack wide" aria-label="Replay">
      <div class="two">
        <Field label="From">
          {(given) => (
            <input
              {...given}
              type="datetime-local"
              value={from}
              onInput={({ currentTarget }) => setFrom(currentTarget.value)}
            />
          )}
        </Field>
        <Field label="To" hint="Empty: until now.">
          {(given) => (
            <input
              {...given}
              type="datetime-local"
              value={to}
              onInput={({ currentTarget }) => setTo(currentTarget.value)}
            />
          )}
        </Field>
      </div>
      {since !== null && <Preview hook={hook} since={since} until={until} />}
      <div class="two">
        <div class="stack">
          <h2>Recover</h2>
          <p class="soft">
            Sends deliveries again that were given up since then
            {stats.data !== null && ` (${count(stats.data.given_up)} in all)`}.
          </p>
          <div>
            <button
              type="button"
              class="button"
              disabled={since === null || recovering.isBusy}
              onClick={() => void recovering.run(recover)}
            >
              Recover
            </button>
          </div>
          {recovering.failure !== null && <Problem failure={recovering.failure} />}
        </div>
        <div class="stack">
          <h2>Replay</h2>
          <p class="soft">
            Sends every matching item of that time, also those that were delivered: the receiver sees them
            again.
          </p>
          <div>
            <button
              type="button"
              class="button"
              disabled={since === null || replaying.isBusy}
              onClick={() => void replaying.run(replay)}
            >
              Replay
            </button>
          </div>
          {replaying.failure !== null && <Problem failure={replaying.failure} />}
          {left !== null && (
            <p class="note live num">Replaying: {count(left)} entries of the log are left.</p>
          )}
        </div>
      </div>
    </section>
  );
}

const iso = (local: string) => (Number.isNaN(Date.parse(local)) ? null : new Date(local).toISOString());

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
