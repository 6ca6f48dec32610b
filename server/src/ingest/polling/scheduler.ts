import type { SourceConfig } from "../../config/sources.ts";
import { Signal } from "../../runtime/sharing/signal.ts";
import {
  claimSources,
  type HostRoom,
  nextDueInMs,
  registerSources,
  releaseEverything,
  releaseLease,
  type SourceState,
} from "../../store/intake/sources.ts";
import { type PollDeps, pollLeaseMs, pollSource } from "./poller.ts";

/** Sources that one process polls at once; most of them wait for a slot of their host. */
const mostAtOnce = 256;
/** Polls of one host: one of them makes a request, the others prepare. A host that hangs must not take all polls. */
const mostOfHost = 16;
/** Sources that another process, or a hub, has made due are noticed within this time. */
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
  /** Polls under way. */
  readonly #pollsOf = new Map<string, number>();
  readonly #done = new Signal();

  constructor(deps: PollDeps, sources: readonly SourceConfig[]) {
    this.#deps = deps;
    this.#sources = new Map(sources.map((source) => [source.id, source]));
    this.#ids = sources.map(({ id }) => id);
  }

  /** Runs until the signal aborts, which also stops running polls and releases their sources. Never rejects. */
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

  /** @returns time until the next look, ms */
  async #startDue(signal: AbortSignal): Promise<number> {
    const free = mostAtOnce - this.#polls.size;
    const { db, isStorageFull } = this.#deps;
    // What is due stays due.
    if (free <= 0 || isStorageFull?.() === true) return lookEveryMs;
    const claim = { ...this.#claimable(), limit: free, leaseMs: pollLeaseMs };
    for (const state of await claimSources(db.main, claim)) this.#start(state, signal);
    // What is due at a full host waits for the end of a poll there.
    const dueMs = (await nextDueInMs(db.main, this.#claimable().sources)) ?? lookEveryMs;
    return Math.max(shortestLookMs, Math.min(dueMs, lookEveryMs));
  }

  /** The sources whose hosts have room for a poll. */
  #claimable(): { sources: string[]; hosts: HostRoom[] } {
    const open = [...this.#sources.values()].flatMap((source) => {
      const host = hostOf(source);
      const room = mostOfHost - (this.#pollsOf.get(host) ?? 0);
      return room > 0 ? [{ id: source.id, host, room }] : [];
    });
    return { sources: open.map(({ id }) => id), hosts: open };
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
        this.#count(source, -1);
        this.#done.notify();
      });
    this.#polls.add(poll);
    this.#count(source, 1);
  }

  #count(source: SourceConfig, change: 1 | -1): void {
    const host = hostOf(source);
    const count = (this.#pollsOf.get(host) ?? 0) + change;
    if (count > 0) this.#pollsOf.set(host, count);
    else this.#pollsOf.delete(host);
  }
}

function hostOf({ url }: SourceConfig): string {
  return new URL(url).host;
}
