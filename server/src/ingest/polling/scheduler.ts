import type { SourceConfig } from "../../config/sources.ts";
import { Signal } from "../../runtime/signal.ts";
import {
  claimSources,
  nextDueInMs,
  registerSources,
  releaseEverything,
  releaseLease,
  type SourceState,
} from "../../store/intake/sources.ts";
import { type PollDeps, pollLeaseMs, pollSource } from "./poller.ts";

/** Sources polled at once by one process; most of them wait for the turn of their host. */
const mostAtOnce = 256;
/** What another process, or a hub, has made due is seen within this time. */
const lookEveryMs = 1_000;
const shortestLookMs = 20;

/**
 * Polls every source when it is due. Processes on one database share the work: each claims what is due, and a source is
 * polled by one at a time.
 */
export class Scheduler {
  readonly #deps: PollDeps;
  readonly #sources: ReadonlyMap<string, SourceConfig>;
  readonly #ids: readonly string[];
  readonly #polls = new Set<Promise<void>>();
  readonly #done = new Signal();

  constructor(deps: PollDeps, sources: readonly SourceConfig[]) {
    this.#deps = deps;
    this.#sources = new Map(sources.map((source) => [source.id, source]));
    this.#ids = sources.map(({ id }) => id);
  }

  /** Until the signal aborts; then polls under way are broken off and their sources given free. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    let registered = false;
    while (!signal.aborted && this.#ids.length > 0) {
      try {
        if (!registered) await this.#register();
        registered = true;
        await this.#done.wait(signal, await this.#startDue(signal));
      } catch (error) {
        if (signal.aborted) break;
        this.#deps.log.error({ err: error }, "looking for sources that are due failed");
        await this.#done.wait(signal, lookEveryMs);
      }
    }
    await Promise.all(this.#polls);
  }

  async #register(): Promise<void> {
    const { db } = this.#deps;
    if (db.engine === "pglite") await releaseEverything(db.main);
    await registerSources(db.main, this.#ids);
  }

  /** @returns when to look again, ms */
  async #startDue(signal: AbortSignal): Promise<number> {
    const free = mostAtOnce - this.#polls.size;
    if (free <= 0) return lookEveryMs;
    const claim = { sources: this.#ids, limit: free, leaseMs: pollLeaseMs };
    for (const state of await claimSources(this.#deps.db.main, claim)) this.#start(state, signal);
    const dueMs = (await nextDueInMs(this.#deps.db.main, this.#ids)) ?? lookEveryMs;
    return Math.max(shortestLookMs, Math.min(dueMs, lookEveryMs));
  }

  #start(state: SourceState, signal: AbortSignal): void {
    const source = this.#sources.get(state.id);
    const lease = state.lease_owner;
    if (source === undefined || lease === null) return;
    const poll = pollSource(this.#deps, { source, state, lease, signal })
      .catch(async (error: unknown) => {
        if (signal.aborted) await releaseLease(this.#deps.db.main, lease).catch(() => {});
        else this.#deps.log.error({ err: error, source: source.id }, "a poll's result could not be saved");
      })
      .finally(() => {
        this.#polls.delete(poll);
        this.#done.notify();
      });
    this.#polls.add(poll);
  }
}
