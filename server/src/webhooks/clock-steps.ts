import { type Clock, systemClock } from "../runtime/clock.ts";
import type { Moment } from "./endpoints/types.ts";

/** Slewing changes a clock by less between two looks; more is a step. */
const leastStepMs = 5_000;
/** Steps older than this do not matter: items before them have expired under any max_age. */
const keptMs = 8 * 24 * 3_600_000;
const mostKept = 100;

interface Step {
  /** The wall clock just before the step; items made until then have no later time. */
  readonly fromMs: number;
  readonly byMs: number;
}

/**
 * Steps of the wall clock, found with a monotonic clock. When the clock is put forward, items made before are not older
 * for it, so that a backlog does not expire; the same holds for time in which the machine slept. When the clock is put
 * back, only an earlier step forward is undone: items made after it cannot be told from those made before, and would
 * seem too old.
 */
export class ClockSteps {
  readonly #clock: Clock;
  readonly #monotonicMs: () => number;
  #steps: Step[] = [];
  #wallMs: number;
  #runMs: number;

  /** @param monotonicMs for a test's clock it is that clock itself, which the test moves to let time pass */
  constructor(
    clock: Clock,
    monotonicMs = clock === systemClock ? () => performance.now() : () => clock.now().getTime(),
  ) {
    this.#clock = clock;
    this.#monotonicMs = monotonicMs;
    this.#wallMs = clock.now().getTime();
    this.#runMs = monotonicMs();
  }

  /** Checks whether the clock was set since the last look. */
  look(): void {
    const wallMs = this.#clock.now().getTime();
    const runMs = this.#monotonicMs();
    const fromMs = this.#wallMs + (runMs - this.#runMs);
    const byMs = wallMs - fromMs;
    this.#wallMs = wallMs;
    this.#runMs = runMs;
    if (Math.abs(byMs) < leastStepMs) return;
    const steps = [...this.#steps, { fromMs, byMs }];
    this.#steps = steps.filter((step) => Math.abs(wallMs - step.fromMs) < keptMs).slice(-mostKept);
  }

  get nowMs(): number {
    return this.#clock.now().getTime();
  }

  /** The time of an event that happens now. */
  moment(): Moment {
    const { nowMs } = this;
    return { nowMs, ageMs: (madeAtMs) => nowMs - this.since(madeAtMs) };
  }

  /** Converts a wall-clock time at which something was made to what the clock, with its steps, would now call it. */
  since(madeAtMs: number): number {
    this.look();
    if (this.#steps.length === 0) return madeAtMs;
    const byMs = this.#steps.reduce((sum, step) => sum + (madeAtMs <= step.fromMs ? step.byMs : 0), 0);
    return madeAtMs + Math.max(0, byMs);
  }
}
