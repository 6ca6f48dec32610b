import { utcDay } from "../../runtime/utc-day.ts";
import { knownItems } from "../../store/append/item-keys.ts";
import { ParseError } from "../adapter.ts";
import { FetchError } from "../fetch/types.ts";
import { fetchFor, store, type WalkContext } from "./walk.ts";

/** A day whose archive has been compared with what is stored. */
export interface Reconciled {
  /** YYYY-MM-DD. */
  readonly day: string;
  /** The latest end of that day in any time zone. */
  readonly until: Date;
}

const dayMs = 86_400_000;
/** Pause before a missing archive is requested again. */
const retryMs = 30 * 60_000;
/** A day without an archive this long after was a holiday. */
const givenUpMs = 2 * dayMs;

/**
 * Compares the archive that is due, if any, with what is stored, and stores what is missing. One day per poll; later days
 * follow with the next polls.
 * @returns the day that is done; null when there is none
 */
export async function reconcile(context: WalkContext): Promise<Reconciled | null> {
  const { deps, source, state } = context;
  const adapter = deps.adapters[source.format];
  const now = deps.clock.now();
  if (adapter.dueArchive === undefined || adapter.parseArchive === undefined) return null;
  // Items from before the first walk are not missing.
  if (state.reconciled_to === null) return dayOf(new Date(now.getTime() - dayMs));
  const due = adapter.dueArchive(source, { now, reconciledTo: state.reconciled_to });
  const waitMs = (deps.archiveRetryAt.get(source.id) ?? 0) - now.getTime();
  // A longer wait is from before the clock was put back.
  if (due === null || (waitMs > 0 && waitMs <= retryMs)) return null;
  try {
    const fetched = await fetchFor(context, due.request, null);
    if (fetched.status === "not_modified") return null;
    const { items, salvaged } = await deps.reader.archive(fetched.response, context);
    const known = await knownItems(
      deps.db.main,
      items.flatMap(({ identity }) => identity),
    );
    const missing = items.filter(({ identity }) => !identity.some((alias) => known.has(alias)));
    await store(context, missing);
    deps.log.info(
      { source: source.id, day: due.day, listed: items.length, missing: missing.length },
      "reconciled",
    );
    // A damaged archive is requested again.
    if (salvaged) deps.archiveRetryAt.set(source.id, now.getTime() + retryMs);
    return salvaged ? null : dayOf(new Date(`${due.day}T00:00:00Z`));
  } catch (error) {
    // A broken archive must not harm the live list.
    if (!(error instanceof FetchError || error instanceof ParseError)) throw error;
    // A block has the status of a missing file, but says for how long.
    const isAbsent =
      error instanceof FetchError &&
      (error.status === 403 || error.status === 404) &&
      error.retryAfterMs === null;
    const isPast = now.getTime() - Date.parse(`${due.day}T00:00:00Z`) > givenUpMs;
    if (isAbsent && isPast) return dayOf(new Date(`${due.day}T00:00:00Z`));
    if (!isAbsent)
      deps.log.warn({ source: source.id, day: due.day, reason: error.message }, "archive not read");
    deps.archiveRetryAt.set(source.id, now.getTime() + retryMs);
    return null;
  }
}

function dayOf(at: Date): Reconciled {
  const day = utcDay(at);
  return { day, until: new Date(Date.parse(`${day}T00:00:00Z`) + dayMs + 12 * 3_600_000) };
}
