import { utcDay } from "../../runtime/utc-day.ts";
import { knownItems } from "../../store/append/item-keys.ts";
import { closeGaps, saveGap } from "../../store/intake/gaps.ts";
import { type ArchiveDue, ParseError } from "../adapter.ts";
import { FetchError } from "../fetch/types.ts";
import { type ArchiveRetry, fetchFor, store, type WalkContext } from "./walk.ts";

/** What a request for an archive came to. */
type Outcome =
  | "whole"
  /** It cannot be read, or only in part. */
  | "damaged"
  | "absent"
  /** The source is not to be reached, or wants no requests now. */
  | "away";

const dayMs = 86_400_000;
/** Pause before a missing or damaged archive is requested again. */
const retryMs = 30 * 60_000;
/** A day without an archive this long after was a holiday. */
const givenUpMs = 2 * dayMs;
/** Longer than sources show error pages in place of their archives. */
const damagedForMs = 6 * 3_600_000;

/**
 * Compares the archive that is due, if any, with what is stored, stores what is missing, and closes the gaps that it fills.
 * One day per poll; later days follow with the next polls.
 * @returns the day that is done, YYYY-MM-DD; null when there is none
 */
export async function reconcile(context: WalkContext): Promise<string | null> {
  const { deps, source, state } = context;
  const adapter = deps.adapters[source.format];
  const now = deps.clock.now();
  const nowMs = now.getTime();
  if (adapter.dueArchive === undefined || adapter.parseArchive === undefined) return null;
  // Items from before the first walk are not missing.
  if (state.reconciled_to === null) return utcDay(new Date(nowMs - dayMs));
  const due = adapter.dueArchive(source, { now, reconciledTo: state.reconciled_to });
  const retry = deps.archiveRetries.get(source.id) ?? null;
  const waitMs = (retry?.atMs ?? 0) - nowMs;
  // A longer wait is from before the clock was put back.
  if (due === null || (waitMs > 0 && waitMs <= retryMs)) return null;
  const outcome = await compare(context, due);
  const isPast = nowMs - Date.parse(`${due.day}T00:00:00Z`) > givenUpMs;
  const damagedSinceMs = outcome === "damaged" ? damagedSince(retry, due, nowMs) : null;
  const isGivenUp = isPast && damagedSinceMs !== null && nowMs - damagedSinceMs >= damagedForMs;
  if (outcome === "whole" || (outcome === "absent" && isPast)) await closeGaps(deps.db.main, source.id, due);
  else if (isGivenUp) await giveUp(context, due);
  else {
    deps.archiveRetries.set(source.id, { day: due.day, atMs: nowMs + retryMs, damagedSinceMs });
    return null;
  }
  deps.archiveRetries.delete(source.id);
  return due.day;
}

function damagedSince(retry: ArchiveRetry | null, { day }: ArchiveDue, nowMs: number): number {
  return (retry?.day === day ? retry.damagedSinceMs : null) ?? nowMs;
}

/** Stores what the archive has and the live list did not show. A broken archive must not harm the live list. */
async function compare(context: WalkContext, { day, request }: ArchiveDue): Promise<Outcome> {
  const { deps, source } = context;
  try {
    const fetched = await fetchFor(context, request, null);
    if (fetched.status === "not_modified") return "away";
    const { items, salvaged } = await deps.reader.archive(fetched.response, context);
    const known = await knownItems(
      deps.db.main,
      items.flatMap(({ identity }) => identity),
    );
    const missing = items.filter(({ identity }) => !identity.some((alias) => known.has(alias)));
    await store(context, missing);
    const counts = { listed: items.length, missing: missing.length };
    deps.log.info({ source: source.id, day, ...counts }, "reconciled");
    return salvaged ? "damaged" : "whole";
  } catch (error) {
    if (!(error instanceof FetchError || error instanceof ParseError)) throw error;
    const outcome = outcomeOf(error);
    if (outcome !== "absent")
      deps.log.warn({ source: source.id, day, reason: error.message }, "archive not read");
    return outcome;
  }
}

function outcomeOf(error: FetchError | ParseError): Outcome {
  if (error instanceof ParseError || error.isTooLarge) return "damaged";
  // A block has the status of a missing file, but says for how long.
  const isAbsent = (error.status === 403 || error.status === 404) && error.retryAfterMs === null;
  return isAbsent ? "absent" : "away";
}

/** So that one damaged archive does not keep those of later days from being read. */
async function giveUp({ deps, source }: WalkContext, { day, from, to }: ArchiveDue): Promise<void> {
  deps.log.warn({ source: source.id, day }, "archive given up: it stays damaged");
  const reason = `the archive of ${day} stays damaged: what only it has was not seen`;
  await saveGap(deps.db.main, { sourceId: source.id, from, to, reason });
}
