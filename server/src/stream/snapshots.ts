import { streamLimits } from "@tapewire/contract/stream.ts";
import type { Caller } from "../account/auth.ts";
import type { ListPosition } from "../feed/cursor.ts";
import type { Filter, LogItem } from "../feed/item.ts";
import type { Clock } from "../runtime/clock.ts";

/** A page of the list: items that match, newest first; `last`: the final one when more follow, else null. */
export type LatestItems = (
  filter: Filter,
  page: { readonly behind: ListPosition | null; readonly limit: number },
) => Promise<{ readonly items: readonly LogItem[]; readonly last: ListPosition | null }>;

/** Usually nothing comes in between the tip and the query, and one page does. */
const arrivalsMeanwhile = 20;
const mostPages = 20;

/** The newest items that match, newest first, what came in after the tip left out: it follows as live. */
export async function newestUntil(
  latest: LatestItems,
  filter: Filter,
  { tip, wanted }: { tip: number; wanted: number },
): Promise<LogItem[]> {
  const found: LogItem[] = [];
  let behind: ListPosition | null = null;
  for (let pages = 0; pages < mostPages; pages++) {
    const { items, last } = await latest(filter, { behind, limit: wanted + arrivalsMeanwhile });
    found.push(...items.filter(({ seq }) => seq <= tip));
    if (found.length >= wanted || last === null) break;
    behind = last;
  }
  return found.slice(0, wanted);
}

/** How many snapshot items a caller gets. Plans that lock scores have a daily allowance of them. */
export class SnapshotAllowance {
  readonly #clock: Clock;
  readonly #used = new Map<string, { day: string; items: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @returns how many of the wanted items may be sent */
  grant({ accountId, plan }: Caller, wanted: number): number {
    if (plan.scores_visible) return wanted;
    const used = this.#usedToday(accountId);
    const granted = Math.min(wanted, streamLimits.freeSnapshotItemsPerDay - used.items);
    used.items += granted;
    return granted;
  }

  /** Of a grant, what there was nothing to send for. */
  refund({ accountId, plan }: Caller, unsent: number): void {
    if (plan.scores_visible) return;
    const used = this.#usedToday(accountId);
    // The grant may have been yesterday's.
    used.items = Math.max(0, used.items - unsent);
  }

  #usedToday(accountId: string): { day: string; items: number } {
    const day = this.#clock.now().toISOString().slice(0, 10);
    const known = this.#used.get(accountId);
    if (known?.day === day) return known;
    const fresh = { day, items: 0 };
    this.#used.set(accountId, fresh);
    return fresh;
  }
}
