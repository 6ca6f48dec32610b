import type { OperatorStats, ProcessList } from "@tapewire/contract/operator/process-stats.ts";
import { startOfMinute } from "../../feed/published-minutes.ts";
import { cachedFor } from "../../runtime/cached-for.ts";
import type { Clock } from "../../runtime/clock.ts";
import { TurnShare } from "../../runtime/sharing/turn-share.ts";
import type { Db } from "../../store/engine/db.ts";
import { databaseSizes, type PartSize } from "../../store/engine/metrics.ts";
import { minutesSince, type ReportedProcess } from "../../store/log/process-minutes.ts";
import { type Kept, readKept } from "../../store/retention/kept-since.ts";
import { webhookHealth } from "../../store/webhooks/delivery-log.ts";
import type { Handlers } from "../contract-routes.ts";

export interface AdminStatsDeps {
  readonly db: Db;
  readonly clock: Clock;
  /** What this process reports of itself. */
  readonly reporter: {
    readonly about: { readonly id: string };
    /** Writes the present minute. */
    write(): Promise<void>;
  };
}

const minuteMs = 60_000;
const sizesForMs = 60_000;
const listedMs = 5 * minuteMs;
const topSources = 8;

/** GET /admin/v1/processes and /admin/v1/stats: what all processes report, this one up to now. */
export function adminStatsHandlers({
  db,
  clock,
  reporter,
}: AdminStatsDeps): Pick<Handlers, "listProcesses" | "readStats"> {
  const sizes = cachedFor(clock, sizesForMs, () => databaseSizes(db.main));
  const reported = async (since: (nowMs: number) => number) => {
    await reporter.write();
    const sinceMs = since(clock.now().getTime());
    return { sinceMs, processes: await minutesSince(db.main, new Date(sinceMs)) };
  };
  return {
    listProcesses: async () => {
      const { processes } = await reported((nowMs) => nowMs - listedMs);
      const data = processes.map((one) => infoOf(one, reporter.about.id));
      return { body: { data } satisfies ProcessList };
    },
    readStats: async ({ query }) => {
      const count = Number(query.minutes ?? "60");
      const { sinceMs, processes } = await reported((nowMs) => startOfMinute(nowMs) - (count - 1) * minuteMs);
      const starts = Array.from({ length: count }, (_, n) => sinceMs + n * minuteMs);
      const share = new TurnShare();
      const shown: OperatorStats["processes"] = [];
      for (const one of processes) {
        // A day of many processes is work for longer than streams should wait.
        if (share.isUsedUp) await share.pause();
        shown.push(statsOf(one, starts, reporter.about.id));
      }
      const body: OperatorStats = {
        minutes: starts.map((startMs) => new Date(startMs).toISOString()),
        processes: shown,
        database: databaseOf(await sizes(), await readKept(db.main)),
        webhooks: await webhookHealth(db.main),
      };
      return { body };
    },
  };
}

function aboutOf(process: ReportedProcess, answering: string) {
  const { id, host, pid, roles, version, startedAt, seenAt, running } = process;
  return {
    ...{ id, host, pid, roles: [...roles], version },
    ...{ started_at: startedAt.toISOString(), seen_at: seenAt.toISOString() },
    ...{ running, answering: id === answering },
  };
}

function infoOf(process: ReportedProcess, answering: string): ProcessList["data"][number] {
  return {
    ...aboutOf(process, answering),
    streams: process.streams.at(-1) ?? 0,
    score_queue: process.scoreQueue.at(-1) ?? 0,
    // The minute that goes on says little when it has just begun.
    verdicts_per_minute: process.verdicts.at(-2) ?? process.verdicts.at(-1) ?? 0,
    cpu: process.cpu.at(-1) ?? 0,
    rss_bytes: process.rssBytes.at(-1) ?? 0,
    event_loop_p99_ms: process.eventLoopP99Ms.at(-1) ?? 0,
    log_head: process.logHead.at(-1) ?? 0,
    disk_free_bytes: process.diskFreeBytes.at(-1) ?? null,
  };
}

function statsOf(
  process: ReportedProcess,
  starts: readonly number[],
  answering: string,
): OperatorStats["processes"][number] {
  const places = new Map(process.startsMs.map((startMs, place) => [startMs, place]));
  /** The values by minute; null where it did not report. */
  const series = <T>(column: readonly T[]): (T | null)[] =>
    starts.map((startMs) => column[places.get(startMs) ?? -1] ?? null);
  return {
    ...aboutOf(process, answering),
    items: series(process.items),
    revisions: series(process.revisions),
    sources: sourcesOf(series(process.sources).map((of) => of ?? {})),
    source_to_publish_p50_ms: series(process.sourceP50Ms),
    source_to_publish_p99_ms: series(process.sourceP99Ms),
    receive_to_publish_p50_ms: series(process.receiveP50Ms),
    receive_to_publish_p99_ms: series(process.receiveP99Ms),
    streams: series(process.streams),
    stream_items: series(process.streamItems),
    deliveries: series(process.deliveries),
    failed_deliveries: series(process.failedDeliveries),
    verdicts: series(process.verdicts),
    score_queue: series(process.scoreQueue),
    cpu: series(process.cpu),
    rss_bytes: series(process.rssBytes),
    event_loop_p99_ms: series(process.eventLoopP99Ms),
    disk_free_bytes: process.diskFreeBytes.at(-1) ?? null,
  };
}

type Sources = OperatorStats["processes"][number]["sources"];

/** The sources with most items over all minutes, and the rest. */
function sourcesOf(minutes: readonly Readonly<Record<string, number>>[]): Sources {
  const totals = new Map<string, number>();
  for (const minute of minutes)
    for (const [source, items] of Object.entries(minute))
      totals.set(source, (totals.get(source) ?? 0) + items);
  // The empty name stands for sources that were too many to be told apart.
  const named = [...totals].filter(([source]) => source !== "").sort(([, a], [, b]) => b - a);
  const top = new Set(named.slice(0, topSources).map(([source]) => source));
  const shown: Sources = [...top].map((source) => ({
    source,
    items: minutes.map((minute) => minute[source] ?? 0),
  }));
  if (totals.size === top.size) return shown;
  const rest = minutes.map((minute) =>
    Object.entries(minute).reduce((sum, [source, items]) => (top.has(source) ? sum : sum + items), 0),
  );
  return [...shown, { source: null, items: rest }];
}

function databaseOf(parts: readonly PartSize[], { since }: Kept): OperatorStats["database"] {
  const all = parts.reduce((sum, { bytes }) => sum + bytes, 0);
  return { bytes: all, parts: [...parts], kept_since: since?.toISOString() ?? null };
}
