import { AttemptCapacity } from "./attempt-capacity.ts";
import { type AttemptDeps, Attempts } from "./attempts.ts";
import type { Endpoint } from "./endpoints/endpoint.ts";
import { LogDeliveries, type LogDeliveryDeps } from "./log-deliveries.ts";
import type { Entry } from "./log-entries.ts";
import { Retries, type RetryDeps } from "./retries.ts";

export type SchedulerDeps = Pick<AttemptDeps, "sender" | "counts" | "steps" | "log" | "touch"> &
  Pick<LogDeliveryDeps, "quota" | "endpoints" | "entries"> &
  Pick<RetryDeps, "db">;

/** Endpoints whose exceptions are read in one round. */
const retriedEndpoints = 200;

/** Gives endpoints their turns: the one that waits longest for a slot, or a turn, begins an attempt first. */
export class DeliveryScheduler {
  readonly #deps: SchedulerDeps;
  readonly #capacity = new AttemptCapacity();
  readonly #attempts: Attempts;
  readonly #fromLog: LogDeliveries;
  readonly #retries: Retries;

  constructor(deps: SchedulerDeps) {
    this.#deps = deps;
    const capacity = this.#capacity;
    this.#attempts = new Attempts({ ...deps, capacity, freed: () => this.#beginWaiting() });
    const shared = { ...deps, capacity, attempts: this.#attempts };
    this.#fromLog = new LogDeliveries(shared);
    this.#retries = new Retries({ ...shared, resume: (endpoint) => this.#fromLog.pump(endpoint) });
  }

  /** Attempts in flight. */
  get underWay(): number {
    return this.#capacity.used;
  }

  /** Endpoints that wait for a slot, or a turn. */
  get waiting(): number {
    return this.#capacity.waiting.size;
  }

  /** Entries that were not sent because the day's cap of the plan was used up. */
  get withheld(): number {
    return this.#fromLog.withheld;
  }

  /** Takes the attempts to be logged. */
  takeAttempts() {
    return this.#attempts.takeRows();
  }

  /** An entry has come that the endpoint must get. */
  owe(endpoint: Endpoint, entry: Entry): void {
    endpoint.queue.matched(1);
    this.#deps.touch(endpoint);
    this.#fromLog.arrive(endpoint, entry);
  }

  /** No attempt begins from now on. */
  stop(): void {
    this.#capacity.close();
  }

  /** Gives every endpoint its turn. */
  async round(): Promise<void> {
    const due: Endpoint[] = [];
    const { nowMs } = this.#deps.steps;
    // Otherwise the endpoints that were loaded first would always come first.
    const waiting = new Set(this.#capacity.waiting);
    for (const endpoint of waiting) if (this.#turn(endpoint, nowMs)) due.push(endpoint);
    for (const endpoint of this.#deps.endpoints.all)
      if (!waiting.has(endpoint) && this.#turn(endpoint, nowMs)) due.push(endpoint);
    for (const endpoint of due.slice(retriedEndpoints)) this.#capacity.enqueue(endpoint);
    if (due.length > 0) await this.#retries.begin(due.slice(0, retriedEndpoints));
  }

  /** @returns whether it has exceptions to be tried again */
  #turn(endpoint: Endpoint, nowMs: number): boolean {
    if (endpoint.isStopped) return false;
    if (endpoint.isJoining) this.#fromLog.join(endpoint);
    else if (endpoint.queue.seen !== null) this.#fromLog.pump(endpoint);
    if (endpoint.replay !== null) this.#fromLog.pumpReplay(endpoint);
    return endpoint.mayRetry(nowMs);
  }

  #beginWaiting(): void {
    const longest = this.#capacity.nextWaiting();
    if (longest !== null) this.#fromLog.pump(longest);
  }
}
