import { setTimeout as delay } from "node:timers/promises";

/** The wall clock; the only place that reads it, so that tests can move it. */
export interface Clock {
  now(): Date;
  /** Resolves after `ms`; rejects with the signal's reason when it aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => new Date(),
  sleep: async (ms, signal) => {
    await delay(ms, undefined, signal === undefined ? {} : { signal });
  },
};
