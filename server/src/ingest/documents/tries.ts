import { backoffMs } from "../../runtime/backoff.ts";
import type { FetchError } from "../fetch/types.ts";

/** An item may be listed some 25 s before its documents can be read; until then 403 and 404 mean "not yet". */
const notThereDelaysMs = [5_000, 10_000, 20_000, 40_000, 80_000];
const notThere: ReadonlySet<number> = new Set([403, 404, 410]);
/** The last of these tries is some eight hours after the first. */
const mostTries = 10;
const hostAway = { baseMs: 60_000, maxMs: 4 * 3_600_000 };
/** For a host that was not reached, which may be over soon. */
const unreached = { baseMs: 20_000, maxMs: hostAway.maxMs };

/** When the documents of an item are tried again. */
export interface NextTry {
  readonly delayMs: number;
  /** Whether the try before counts towards giving up. */
  readonly counts: boolean;
}

/**
 * After documents were not fetched. A try counts unless nothing was asked of the host, which wanted no requests, or our own
 * network is away, whose return should be noticed soon.
 * @param tries that have counted before
 * @returns null: that was the last, as is every one that finds a document too large
 */
export function afterFailure(tries: number, failure: FetchError, isNetworkAway: boolean): NextTry | null {
  const { status, retryAfterMs, isUnreached, isTooLarge } = failure;
  if (isTooLarge) return null;
  const leastMs = retryAfterMs ?? 0;
  if (status !== null && notThere.has(status)) return counted(notThereDelaysMs[tries], leastMs);
  if (isNetworkAway) return { delayMs: unreached.baseMs, counts: false };
  if (status === null && retryAfterMs !== null)
    return { delayMs: Math.max(hostAway.baseMs, leastMs), counts: false };
  const pauses = isUnreached ? unreached : hostAway;
  return counted(tries + 1 < mostTries ? backoffMs(tries + 1, pauses) : undefined, leastMs);
}

/** After an error of our own. @param tries and returns: as afterFailure */
export function afterError(tries: number): NextTry | null {
  return counted(notThereDelaysMs[tries], 0);
}

function counted(delayMs: number | undefined, leastMs: number): NextTry | null {
  return delayMs === undefined ? null : { delayMs: Math.max(delayMs, leastMs), counts: true };
}
