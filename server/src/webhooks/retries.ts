import type { Log } from "../runtime/log.ts";
import type { Queries } from "../store/engine/db.ts";
import { type Exception, nextExceptions } from "../store/webhooks/exceptions.ts";
import type { AttemptCapacity } from "./attempt-capacity.ts";
import type { Attempts } from "./attempts.ts";
import type { ClockSteps } from "./clock-steps.ts";
import type { Endpoint } from "./endpoints/endpoint.ts";
import type { LogEntries } from "./log-entries.ts";

export interface RetryDeps {
  readonly db: Queries;
  readonly attempts: Attempts;
  readonly capacity: AttemptCapacity;
  readonly entries: LogEntries;
  readonly steps: ClockSteps;
  readonly log: Log;
  /** The endpoint has changes to commit. */
  readonly touch: (endpoint: Endpoint) => void;
  /** The endpoint has room again. */
  readonly resume: (endpoint: Endpoint) => void;
}

/** Exceptions of an endpoint that are read at once. */
const retriedAtOnce = 8;

/** Tries deliveries again that failed, were parked, or were ordered. */
export class Retries {
  readonly #deps: RetryDeps;

  constructor(deps: RetryDeps) {
    this.#deps = deps;
  }

  /** Begins the due exceptions of these endpoints. No commit runs meanwhile; uncommitted ones are skipped. */
  async begin(endpoints: readonly Endpoint[]): Promise<void> {
    const ids = endpoints.map(({ id }) => id);
    const read = await nextExceptions(this.#deps.db, ids, retriedAtOnce);
    const rows = Map.groupBy(read, ({ endpointId }) => endpointId);
    const { nowMs } = this.#deps.steps;
    for (const endpoint of endpoints) this.#beginOf(endpoint, rows.get(endpoint.id) ?? [], nowMs);
  }

  #beginOf(endpoint: Endpoint, rows: readonly Exception[], nowMs: number): void {
    const { queue } = endpoint;
    // Others are due no sooner than the last one that was read.
    const last = rows[retriedAtOnce - 1];
    endpoint.dueWasRead(
      rows.map(({ seq }) => seq),
      last?.dueAt.getTime() ?? null,
    );
    for (const row of rows) {
      if (queue.isFirstUnderWay(row.seq)) {
        endpoint.expectDue(nowMs);
        continue;
      }
      if (queue.isAgainUnderWay(row.seq) || queue.isUncommitted(row.seq)) continue;
      const begins = endpoint.hasCome(row.dueAt.getTime(), nowMs) && this.#beginOne(endpoint, row);
      if (!begins) endpoint.expectDue(row.dueAt.getTime());
    }
  }

  /** @returns false when there is no room */
  #beginOne(endpoint: Endpoint, row: Exception): boolean {
    const { capacity, log, steps } = this.#deps;
    if (!capacity.mayBegin(endpoint, steps.nowMs)) return false;
    endpoint.queue.beginAgain(row.seq);
    void this.#retry(endpoint, row).catch((error: unknown) => {
      // Reading the item failed: the exception stays due.
      log.warn({ err: error }, "reading an item to deliver again failed");
      endpoint.leaveDue(row.seq, steps.nowMs);
    });
    return true;
  }

  async #retry(endpoint: Endpoint, row: Exception): Promise<void> {
    const { attempts, capacity, entries, steps, touch, resume } = this.#deps;
    const { seq } = row;
    const entry = await entries.at(seq);
    const time = steps.moment();
    if (entry === null || (row.trigger === "item" && endpoint.isTooOld(entry.madeAtMs, time))) {
      endpoint.expireDue(row, time.nowMs);
      touch(endpoint);
      return;
    }
    // Other attempts may have taken the room meanwhile.
    const slot = capacity.mayBegin(endpoint, time.nowMs) ? capacity.take(endpoint, "late") : null;
    if (slot === null) {
      endpoint.leaveDue(seq, time.nowMs);
      return;
    }
    const delivery = { ...row, kind: "again", madeAtMs: entry.madeAtMs } as const;
    if (await attempts.make(endpoint, delivery, { entry, slot })) resume(endpoint);
  }
}
