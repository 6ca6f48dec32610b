import { at, useParams } from "../core/address.ts";
import { type Loaded, useGet } from "../core/load.ts";
import { mayWrite } from "../core/session.ts";
import { Button } from "../forms/button.tsx";
import { Screen, Tabs } from "../parts/screen.tsx";
import { Loading } from "../parts/states.tsx";
import { Time } from "../parts/time.tsx";
import { Deliveries } from "./deliveries.tsx";
import { Replay } from "./replay.tsx";
import { EndpointSettings } from "./settings.tsx";
import { Counts, EndpointState, rowOf } from "./state.tsx";
import { EndpointStats } from "./stats.tsx";
import { Try } from "./try.tsx";
import type { Webhook, WebhookStats } from "./types.ts";

const tabs = ["Deliveries", "Stats", "Try", "Replay", "Settings"] as const;

/** One endpoint: what was sent to it, and how to put it right. */
export default function OneWebhook({ id }: { id: string }) {
  const [params, change] = useParams();
  const hook = useGet<Webhook>(`/v1/webhooks/${id}`, {}, 10_000);
  const stats = useGet<WebhookStats>(`/v1/webhooks/${id}/stats`, { hours: 24 }, 10_000);
  // What is sent after a change becomes known within seconds.
  const again = () => {
    for (const ms of [0, 1_000, 3_000])
      setTimeout(() => {
        hook.again();
        stats.again();
      }, ms);
  };
  const tab = tabs.find((name) => name === params.tab) ?? "Deliveries";
  const title = hook.data?.description ?? (hook.data === null ? "Webhook" : new URL(hook.data.url).host);
  return (
    <Screen
      title={title}
      actions={
        <a class="button" href={at("webhooks")}>
          All webhooks
        </a>
      }
    >
      <Loading of={hook} lines={6}>
        {(data) => (
          <>
            <Summary hook={data} stats={stats} />
            <Tabs
              label="About the endpoint"
              names={tabs}
              value={tab}
              choose={(name) => change({ tab: name, new: null })}
            />
            {tab === "Deliveries" && <Deliveries hook={data} stats={stats} again={again} />}
            {tab === "Stats" && <EndpointStats id={id} />}
            {tab === "Try" && <Try hook={data} again={again} />}
            {tab === "Replay" && <Replay hook={data} stats={stats} again={again} />}
            {tab === "Settings" && (
              <EndpointSettings hook={data} again={hook.again} isNew={params.new !== undefined} />
            )}
          </>
        )}
      </Loading>
    </Screen>
  );
}

function Summary({ hook, stats }: { hook: Webhook; stats: Loaded<WebhookStats> }) {
  const [, change] = useParams();
  return (
    <div class="stack">
      <code class="clip">
        <bdi>{hook.url}</bdi>
      </code>
      {hook.status === "auto_disabled" && (
        <div class="note wrong row wrap">
          <span class="grow">
            The service disabled this endpoint: {hook.disabled_reason ?? "all deliveries failed"}
            {hook.failing_since !== null && (
              <>
                , failing since <Time at={hook.failing_since} />
              </>
            )}
            . Put the receiver right, enable it, then replay what it missed.
          </span>
          {mayWrite.value && <Button run={() => change({ tab: "Settings" })}>Enable</Button>}
        </div>
      )}
      <div>
        <EndpointState hook={hook} pausedUntil={stats.data?.paused_until ?? null} />
      </div>
      {stats.data !== null && (
        <p class="soft">
          <Counts of={rowOf(stats.data)} />
        </p>
      )}
    </div>
  );
}
