import type { SourceConfig } from "../../config/sources.ts";
import { failed as failedIn, traced } from "../../runtime/tracing/traces.ts";
import { saveGap } from "../../store/intake/gaps.ts";
import { type Unreached, weighUnreached } from "../../store/intake/reach.ts";
import { type PollResult, renewLease, type SourceState, savePoll } from "../../store/intake/sources.ts";
import { FetchError } from "../fetch/types.ts";
import type { Hubs } from "../hubs.ts";
import { pollIntervalMs, retryIntervalMs } from "./poll-interval.ts";
import type { ReachLog } from "./reach-log.ts";
import { reconcile } from "./reconcile.ts";
import { type WalkDeps, type WalkResult, walkSource } from "./walk.ts";

export interface PollDeps extends WalkDeps {
  readonly hubs: Hubs;
  readonly reachLog: ReachLog;
}

/** A source whose lease this process holds. */
export interface Poll {
  readonly source: SourceConfig;
  readonly state: SourceState;
  readonly lease: string;
  readonly signal: AbortSignal;
}

/** Least time until a doubted source, which may not be to blame for not being reached, is tried again. */
const doubtedRetryMs = 15_000;
/** Doubted sources are tried one after another, this far apart: the first that answers shows that the network is back. */
const doubtedApartMs = 5_000;
const longestTurnMs = 300_000;
/** How long the sources of a process that dies stay blocked. */
export const pollLeaseMs = 6_000;
const renewEveryMs = 2_000;
/** Pause after reading, in multiples of its time, so that no source takes more than a twentieth of a thread. */
const readingShare = 20;
/** Starts are spread over this share of the interval, since many sources are due at once after a restart. */
const startJitter = 0.1;
const mostStartJitterMs = 2_000;

/**
 * One poll of one source: its pages, what its archive has beyond them, and the time of its next poll. A failing source
 * backs off without affecting others.
 * @throws when the database is away, or the signal aborts; then the lease ends by itself, or is given back
 */
export async function pollSource(deps: PollDeps, poll: Poll): Promise<void> {
  const { source, lease, signal } = poll;
  const { id } = source;
  const lost = new AbortController();
  const renewing = setInterval(() => {
    renewLease(deps.db.main, { id, lease, leaseMs: pollLeaseMs }).then(
      (held) => {
        if (!held) lost.abort(new LeaseLost(`the lease of ${id} was lost`));
      },
      (error: unknown) => deps.log.warn({ err: error, source: id }, "renewing a lease failed"),
    );
  }, renewEveryMs);
  try {
    const jitterMs = Math.random() * Math.min(mostStartJitterMs, startJitter * intervalMs(source));
    await deps.clock.sleep(jitterMs, signal);
    const held = { ...poll, signal: AbortSignal.any([signal, lost.signal]) };
    const attributes = { "tapewire.source": id };
    await traced("poll", { attributes, origins: [] }, async (span) => {
      const result = await outcome(deps, held);
      span.setAttribute("tapewire.walking", result.walking);
      // The reason is in the source's health: it may quote what the source sent.
      if (result.error !== null) failedIn(span, "poll failed");
      await savePoll(deps.db.main, result);
      if (result.way?.reach === "reached") deps.reachLog.reached();
    });
  } finally {
    clearInterval(renewing);
  }
}

/** Another process polls the source now: this one could not reach the database, or was suspended, for longer than a lease. */
class LeaseLost extends Error {
  override readonly name = "LeaseLost";
}

async function outcome(deps: PollDeps, poll: Poll): Promise<PollResult> {
  const { source, state, lease, signal } = poll;
  const { id } = source;
  const startedAt = deps.clock.now();
  const startedMs = performance.now();
  const spent = { readingMs: 0 };
  const result = () => ({ id, lease, tookMs: performance.now() - startedMs });
  const context = { deps, source, state, signal, spent };
  try {
    const walked = await walkSource(context);
    if (walked.overrun !== null) await noteGap(deps, poll, walked.overrun);
    const reconciledTo = await reconcile(context);
    if (walked.hub !== null) await deps.hubs.follow(source, walked.hub, signal);
    const { created, revised, pages, validators, movedTo } = walked;
    if (created + revised > 0) deps.log.info({ source: id, created, revised, pages }, "polled");
    const wantedMs = jittered(nextIntervalMs(source, state, walked, startedAt));
    const restMs = readingShare * spent.readingMs;
    return {
      ...result(),
      nextPollInMs: Math.max(wantedMs, restMs),
      error: null,
      note: noteOf(walked.cut, restMs > wantedMs ? spent.readingMs : null),
      way: { host: hostOf(source), reach: "reached" },
      walking: false,
      ...(walked.tooOld === undefined ? {} : { tooOld: walked.tooOld }),
      movedTo,
      ...(validators === undefined ? {} : { validators }),
      ...(walked.swept ? { sweptAt: startedAt } : {}),
      ...(reconciledTo === null ? {} : { reconciledTo }),
    };
  } catch (error) {
    signal.throwIfAborted();
    return {
      ...(await failed(deps, poll, {
        error,
        tookMs: result().tookMs,
        restMs: readingShare * spent.readingMs,
      })),
      ...result(),
      walking: true,
    };
  }
}

/** The note for its health after a successful poll; undefined: the note before stays. @param slowMs null: in its budget */
function noteOf(cut: WalkResult["cut"], slowMs: number | null): string | null | undefined {
  if (cut === undefined) return undefined;
  const slow =
    slowMs === null ? [] : [`reading it took ${Math.ceil(slowMs / 1000)} s: it is polled less often`];
  const notes = [...(cut === null ? [] : [cut]), ...slow];
  return notes.length === 0 ? null : notes.join("; ");
}

type Failure = Pick<PollResult, "nextPollInMs" | "error" | "way" | "counts">;

/** Saves a failure and when the source is tried again. */
async function failed(
  deps: PollDeps,
  poll: Poll,
  { error, tookMs, restMs }: { error: unknown; tookMs: number; restMs: number },
): Promise<Failure> {
  const { source, state } = poll;
  const message = error instanceof Error ? error.message : String(error);
  const known = error instanceof FetchError ? error : null;
  const failures = state.failures + 1;
  const again = retryIntervalMs(intervalMs(source), failures);
  const nextPollInMs = Math.max(jittered(intervalMs(source)), known?.retryAfterMs ?? 0, again, restMs);
  if (known?.isUnreached === true) return unreached(deps, poll, { error: message, tookMs, nextPollInMs });
  deps.log.warn({ source: source.id, failures, reason: message }, "poll failed");
  const answered = known !== null && known.status !== null;
  return {
    nextPollInMs,
    error: message,
    ...(answered ? { way: { host: hostOf(source), reach: "reached" } } : {}),
  };
}

/** @param nextPollInMs the next try, if the source itself is unreachable */
async function unreached(
  { db, log, reachLog }: PollDeps,
  { source, state }: Poll,
  { error, tookMs, nextPollInMs }: { error: string; tookMs: number; nextPollInMs: number },
): Promise<Failure> {
  const { id } = source;
  const host = hostOf(source);
  const { reach, isShared, ...line } = await weighUnreached(db.main, { id, host, tookMs });
  const isOurs = reach === "doubted" && isShared;
  const fields = { source: id, failures: state.failures + (isOurs ? 0 : 1), reason: error };
  const tell = () => log.warn(fields, "poll failed");
  if (reach === "doubted") reachLog.missed(id, { host, reason: error, tell });
  else tell();
  return {
    nextPollInMs: reach === "doubted" ? Math.min(nextPollInMs, turnInMs(line)) : nextPollInMs,
    error,
    way: { host, reach },
    counts: !isOurs,
  };
}

/** After the doubted sources that are waiting; no later than one round of all of them. */
function turnInMs({ others, lastDueInMs }: Pick<Unreached, "others" | "lastDueInMs">): number {
  const behindMs = Math.min(lastDueInMs + doubtedApartMs, doubtedRetryMs + others * doubtedApartMs);
  return Math.min(Math.max(doubtedRetryMs, behindMs), longestTurnMs);
}

function hostOf({ url }: SourceConfig): string {
  return new URL(url).host;
}

function intervalMs({ interval_s }: SourceConfig): number {
  return interval_s * 1000;
}

function nextIntervalMs(
  source: SourceConfig,
  state: SourceState,
  { created, ttlMs, freshForMs }: WalkResult,
  now: Date,
): number {
  const newest = state.newest_item_at;
  return pollIntervalMs({
    intervalMs: intervalMs(source),
    typicalGapMs: state.typical_gap_s === null ? null : state.typical_gap_s * 1000,
    quietForMs: created > 0 || newest === null ? null : now.getTime() - newest.getTime(),
    ttlMs,
    freshForMs,
  });
}

function jittered(ms: number): number {
  return ms * (0.9 + 0.2 * Math.random());
}

async function noteGap(
  { db, log }: PollDeps,
  { source: { id } }: Poll,
  { from, to }: NonNullable<WalkResult["overrun"]>,
): Promise<void> {
  const reason = "the source's window held only new items: what came before them was not seen";
  log.warn({ source: id, from, to }, "gap");
  await saveGap(db.main, { sourceId: id, from, to, reason });
}
