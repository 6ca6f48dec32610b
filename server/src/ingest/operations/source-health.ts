import type { SourceHealth, SourceStatus } from "@tapewire/contract/admin.ts";
import type { SourceDetail } from "@tapewire/contract/reference.ts";
import type { SourceConfig } from "../../config/sources.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Db } from "../../store/engine/db.ts";
import { type Gap, recentGaps } from "../../store/intake/gaps.ts";
import { quietHosts } from "../../store/intake/hosts.ts";
import { pushedSources } from "../../store/intake/hub-subscriptions.ts";
import { pendingBySource } from "../../store/intake/pending-documents.ts";
import {
  type SourceStanding,
  type SourceState,
  sourceStandings,
  sourceStates,
} from "../../store/intake/sources.ts";
import { sourceActivity, sourceNames } from "../../store/list/reference.ts";

export interface SourceHealthDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly sources: readonly SourceConfig[];
}

/** A source is stale when it brought nothing for this many of its typical gaps, and for at least the time below. */
const staleGaps = 20;
const leastStaleMs = 3 * 86_400_000;
/** When a poll is this late, no process polls the source. */
const unpolledMs = 5 * 60_000;
const dampedShownMs = 86_400_000;

/** What decides the status of an entry of the sources file. */
interface Standing {
  readonly source: SourceConfig;
  readonly state: SourceStanding | undefined;
  readonly now: Date;
}

/** Everything known about an entry. */
interface Known extends Standing {
  readonly state: SourceState | undefined;
  readonly quietUntil: Date | undefined;
}

/** GET /admin/v1/sources. */
export async function sourceHealth({ db, clock, sources }: SourceHealthDeps): Promise<SourceHealth[]> {
  const [states, gaps, quiet, pending, pushed] = await Promise.all([
    statesById(db),
    recentGaps(db.main),
    quietHosts(db.main),
    pendingBySource(db.main),
    pushedSources(db.main),
  ]);
  const now = clock.now();
  return sources.map((source) => {
    const state = states.get(source.id);
    const known = { source, state, now, quietUntil: quiet.get(new URL(source.url).host) };
    return {
      id: source.id,
      name: source.name,
      url: source.url,
      format: source.format,
      enabled: source.enabled,
      status: statusOf(known),
      advice: adviceOf(known),
      last_poll_at: iso(state?.last_poll_at),
      last_ok_at: iso(state?.last_ok_at),
      next_poll_at: iso(state?.next_poll_at),
      newest_item_at: iso(state?.newest_item_at),
      items: state?.items ?? 0,
      failures: state?.failures ?? 0,
      reach: state?.reach ?? "unknown",
      last_error: state?.last_error ?? null,
      lag_ms: percentiles(state?.lags_ms ?? []),
      typical_gap_s: state?.typical_gap_s ?? null,
      pending_documents: pending.get(source.id) ?? 0,
      moved_to: state?.moved_to ?? null,
      pushed: pushed.has(source.id),
      reconciled_to: state?.reconciled_to ?? null,
      damped: state?.damped ?? 0,
      damped_at: iso(state?.damped_at),
      too_old: state?.too_old ?? 0,
      gaps: (gaps.get(source.id) ?? []).map(shownGap),
    };
  });
}

/** How many of the configured sources have each status. */
export async function sourceCounts({
  db,
  clock,
  sources,
}: SourceHealthDeps): Promise<ReadonlyMap<SourceStatus, number>> {
  const states = new Map((await sourceStandings(db.main)).map((state) => [state.id, state]));
  const now = clock.now();
  const counts = new Map<SourceStatus, number>(
    [...bySeverity, "disabled" as const].map((status) => [status, 0]),
  );
  for (const source of sources) {
    const status = statusOf({ source, state: states.get(source.id), now });
    counts.set(status, (counts.get(status) ?? 0) + 1);
  }
  return counts;
}

/** GET /v1/sources: names of the enabled sources and of all sources that items have. */
export async function listSourceNames({ db, sources }: SourceHealthDeps): Promise<string[]> {
  const configured = sources.filter(({ enabled }) => enabled).map(({ name }) => name);
  return [...new Set([...configured, ...(await sourceNames(db.main))])].sort();
}

/** GET /v1/sources/{name}; null when there is no such source. The status is the worst of its entries. */
export async function sourceDetail(
  { db, clock, sources }: SourceHealthDeps,
  name: string,
): Promise<SourceDetail | null> {
  const now = clock.now();
  const entries = sources.filter((source) => source.name === name);
  const activity = await sourceActivity(db.list, name, now);
  if (entries.length === 0 && activity.count === 0) return null;
  const states = await statesById(db);
  const running = entries.filter(({ enabled }) => enabled);
  const known = running.map((source) => ({
    source,
    state: states.get(source.id),
    now,
    quietUntil: undefined,
  }));
  const lags = known.flatMap(({ state }) => state?.lags_ms ?? []);
  return {
    name,
    feed_count: activity.count,
    latest_at: iso(activity.latestAt),
    feeds_24h: activity.lastDay,
    lag_ms: percentiles(lags),
    // A source of pushed items has no entry that could fail.
    status: entries.length > 0 && running.length === 0 ? "disabled" : worst(known.map(statusOf)),
    failures: Math.max(0, ...known.map(({ state }) => state?.failures ?? 0)),
  };
}

async function statesById(db: Db): Promise<Map<string, SourceState>> {
  return new Map((await sourceStates(db.main)).map((state) => [state.id, state]));
}

const bySeverity: readonly SourceStatus[] = ["failing", "stale", "waiting", "ok"];

function worst(statuses: readonly SourceStatus[]): SourceStatus {
  return bySeverity.find((status) => statuses.includes(status)) ?? "ok";
}

function statusOf({ source, state, now }: Standing): SourceStatus {
  if (!source.enabled) return "disabled";
  if (state === undefined || state.last_poll_at === null) return "waiting";
  if (isFailing(state)) return "failing";
  return isStale(source, state, now) ? "stale" : "ok";
}

/** Failures while no source can be reached are not counted, but the source does not work all the same. */
function isFailing({ failures, reach }: Pick<SourceStanding, "failures" | "reach">): boolean {
  return failures > 0 || reach === "doubted";
}

function isStale({ stale_after_h }: SourceConfig, state: SourceStanding, now: Date): boolean {
  if (state.newest_item_at === null) return false;
  const expectedMs = Math.max(leastStaleMs, staleGaps * 1000 * (state.typical_gap_s ?? 0));
  const allowedMs = stale_after_h === undefined ? expectedMs : stale_after_h * 3_600_000;
  return now.getTime() - state.newest_item_at.getTime() > allowedMs;
}

/** What is wrong with a source and what to do, in one line. */
function adviceOf(known: Known): string | null {
  const { source, state, now, quietUntil } = known;
  if (!source.enabled) return "disabled in the sources file: set enabled to true to poll it";
  if (quietUntil !== undefined && quietUntil > now)
    return `the host asked for no requests until ${quietUntil.toISOString()}: it is polled again after that`;
  const late = state?.next_poll_at != null && now.getTime() - state.next_poll_at.getTime() > unpolledMs;
  if (state === undefined || late) return "no process polls this source: run a process with the role ingest";
  if (isFailing(state)) return failureAdvice(state);
  if (state.last_error !== null) return state.last_error;
  if (state.moved_to !== null)
    return `the source has moved to ${state.moved_to}: change its url in the sources file`;
  if (state.last_ok_at !== null && state.newest_item_at === null)
    return "the source responds, but has not listed any item yet";
  if (statusOf(known) === "stale")
    return "the source responds, but its newest item is old: check whether the publisher has moved to another address";
  if (state.damped_at !== null && now.getTime() - state.damped_at.getTime() < dampedShownMs)
    return "the source switches back and forth between versions of an item: versions that were already published are not published again for some hours";
  return null;
}

function failureAdvice({ failures, reach, last_error, next_poll_at }: SourceState): string {
  const error = last_error ?? "";
  const again = next_poll_at === null ? "" : `; next try ${next_poll_at.toISOString()}`;
  if (reach === "doubted")
    return `the source cannot be reached (${error}), and no other source was reached since${again}. Check this machine's network and DNS`;
  return `${failures === 1 ? "the last poll failed" : `${failures} polls in a row failed`} (${error})${again}${helpFor(error)}`;
}

function helpFor(error: string): string {
  if (/automated tool|blocked by the host|HTTP 403/i.test(error))
    return ". The SEC and other hosts refuse clients without a contact address: set TAPEWIRE_CONTACT";
  if (/HTTP 404|HTTP 410/.test(error))
    return ". The address no longer exists: look for the source's new address";
  if (/HTTP 429/.test(error)) return ". Too many requests: raise interval_s or lower requests_per_s";
  if (/takes too (?:long|much memory) to read|broke its reader/.test(error))
    return ". It is polled less and less often: look for a shorter feed of the publisher";
  if (/HTML|not an? |no feed/i.test(error))
    return ". The response is not in the configured format: open the url to see what it returns";
  if (/ENOTFOUND|EAI_AGAIN/.test(error)) return ". The host name does not resolve: check the url and the DNS";
  if (/ECONNREFUSED|ETIMEDOUT|no complete answer|timeout/i.test(error))
    return ". No response: check that this machine can reach the host";
  return "";
}

function shownGap({ from_at, to_at, noticed_at, reason, closed_at }: Gap): SourceHealth["gaps"][number] {
  return {
    from: iso(from_at),
    to: iso(to_at),
    noticed_at: noticed_at.toISOString(),
    reason,
    closed_at: iso(closed_at),
  };
}

function iso(at: Date | null | undefined): string | null {
  return at?.toISOString() ?? null;
}

function percentiles(lagsMs: readonly number[]): { p50: number; p99: number } | null {
  const sorted = lagsMs.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)];
  const p50 = at(0.5);
  const p99 = at(0.99);
  return p50 === undefined || p99 === undefined ? null : { p50, p99 };
}
