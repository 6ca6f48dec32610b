import type { ComponentChildren } from "preact";
import { queryText } from "../api.ts";
import { at } from "../core/address.ts";
import { now } from "../core/clock.ts";
import { bytes, count, plural, span } from "../core/format.ts";
import type { Loaded } from "../core/load.ts";
import { Panel } from "../parts/screen.tsx";
import { Loading } from "../parts/states.tsx";
import { Time, withTimes } from "../parts/time.tsx";
import { causesOf, isBad, noSource } from "./causes.ts";
import { joined, last, sum, worst } from "./minutes.ts";
import type { BackupList, OperatorStats, SourceHealth } from "./types.ts";

interface HealthProps {
  readonly sources: Loaded<{ readonly data: readonly SourceHealth[] }>;
  readonly stats: Loaded<OperatorStats>;
  readonly backups: Loaded<BackupList>;
  /** Whether any came in the time that is shown. */
  readonly hasItems: boolean;
}

/** How the service does, a sentence for each part of it, and what is wrong. */
export const Health = ({ sources, stats, backups, hasItems }: HealthProps) => (
  <Panel title="Health">
    <div class="stack">
      <Loading of={sources} lines={2}>
        {({ data }) => <Sources sources={data.filter(({ enabled }) => enabled)} />}
      </Loading>
      {stats.data !== null && <Service stats={stats.data} />}
      {backups.data !== null && <LastBackup list={backups.data} hasItems={hasItems} />}
    </div>
  </Panel>
);

const Line = ({ tone, children }: { tone: "good" | "warm" | ""; children: ComponentChildren }) => (
  <p class={`status line-of-health ${tone}`}>
    <span>{children}</span>
  </p>
);
const toneOf = (isWell: boolean) => (isWell ? "good" : "warm");

/** Causes beyond these are on the screen of the sources. */
const mostCauses = 6;

function Sources({ sources }: { sources: readonly SourceHealth[] }) {
  const bad = sources.filter(isBad);
  const newest = sources.reduce(
    (found, { newest_item_at }) => ((newest_item_at ?? "") > found ? (newest_item_at ?? "") : found),
    "",
  );
  return (
    <>
      <Line tone={toneOf(bad.length === 0)}>
        {sources.length === 0
          ? noSource
          : bad.length === 0
            ? `All ${plural(sources.length, "source")} do well.`
            : `${count(bad.length)} of ${plural(sources.length, "source")} need a look.`}{" "}
        {newest !== "" ? (
          <>
            The newest item of theirs: <Time at={newest} />.
          </>
        ) : (
          sources.length > 0 && "All items here are pushed or of the demo wire."
        )}
      </Line>
      {[...causesOf(bad)].slice(0, mostCauses).map(([cause, [one, ...others]]) => (
        <p key={cause} class="note">
          <a href={at("sources") + queryText({ open: one?.id })}>{one?.id}</a>{" "}
          {others.length > 0
            ? `and ${plural(others.length, "other")}: ${cause}`
            : withTimes(one?.advice ?? cause)}
        </p>
      ))}
      {bad.length > mostCauses && <a href={at("sources")}>All sources</a>}
    </>
  );
}

/** Limits are those of the alerts that docs/metrics.md has. */
const slowMs = 1_000;
const blockedMs = 200;
const leastFreeBytes = 5e9;
const oldMs = 26 * 3_600_000;

function Service({ stats: { processes: all, webhooks } }: { stats: OperatorStats }) {
  const running = all.filter((one) => one.running);
  const p99 = last(joined(all, "receive_to_publish_p99_ms", worst));
  const total = (of: Parameters<typeof joined>[1]) => sum(joined(all, of, sum).flatMap((one) => one ?? []));
  const givenUp = total("failed_deliveries");
  const streams = sum(running.map((one) => last(one.streams) ?? 0));
  const heldMs = Math.max(0, ...running.map((one) => last(one.event_loop_p99_ms) ?? 0));
  const free = running.flatMap((one) => one.disk_free_bytes ?? []);
  const leastFree = Math.min(...free);
  const versions = [...new Set(running.map(({ version }) => version))];
  return (
    <>
      <Line tone={toneOf((p99 ?? 0) <= slowMs)}>
        {p99 === null
          ? "No live item came in this time."
          : `In the last minute with items 99 of 100 were out ${span(p99)} after they were first seen.`}
      </Line>
      <Line tone={toneOf(givenUp === 0)}>
        {plural(streams, "stream is", "streams are")} open.{" "}
        {plural(total("deliveries"), "delivery", "deliveries")} went to webhooks,{" "}
        {givenUp === 0 ? "none" : count(givenUp)} given up.
      </Line>
      {webhooks.enabled + webhooks.auto_disabled > 0 && (
        <Line tone={toneOf(webhooks.failing + webhooks.auto_disabled === 0)}>
          {count(webhooks.failing)} of {plural(webhooks.enabled, "webhook endpoint")} failing,{" "}
          {count(webhooks.auto_disabled)} disabled by the service
          {webhooks.recovered > 0 &&
            `; ${count(webhooks.recovered)} failed in the last 24 hours, delivering again`}
          .
        </Line>
      )}
      <Line tone={toneOf(versions.length === 1 && heldMs <= blockedMs)}>
        {plural(running.length, "process runs", "processes run")} version {versions.join(" and ")}
        {heldMs > blockedMs && `; one is held up for ${span(heldMs)} at a time`}.
      </Line>
      {free.length > 0 && (
        <Line tone={toneOf(leastFree >= leastFreeBytes)}>
          The disk of the data directory has {bytes(leastFree)} left.
        </Line>
      )}
    </>
  );
}

function LastBackup({ list, hasItems }: { list: BackupList; hasItems: boolean }) {
  const newest = list.data
    .map(({ made_at }) => made_at)
    .sort()
    .at(-1);
  if (newest === undefined)
    return hasItems && list.every_hours === 0 ? (
      <Line tone="warm">There is no backup, and TAPEWIRE_BACKUP_EVERY_H makes none.</Line>
    ) : (
      <Line tone="">No backup is listed here.</Line>
    );
  return (
    <Line tone={toneOf(now.value - Date.parse(newest) < oldMs)}>
      The last backup: <Time at={newest} />.
    </Line>
  );
}
