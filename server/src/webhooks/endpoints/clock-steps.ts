import { type Clock, systemClock } from "../../runtime/clock.ts";
import type { Moment } from "./types.ts";

/** Clocks are slewed by less between two looks; more is a step. */
const leastStepMs = 5_000;
/** An item that is older has expired under any max_age. */
const keptMs = 8 * 24 * 3_600_000;
const mostKept = 100;

interface Step {
  /** What the wall clock showed when it was set; what was made before shows no more. */
  readonly fromMs: number;
  readonly byMs: number;
}

/**
 * Steps of the wall clock, found by a clock that only runs on. What was made before the clock was put forward is not
 * older for it: a backlog must not expire because of it. The same goes for time in which the machine slept. Of a clock
 * that is put back only a step forward before it is taken back: what is made after it cannot be told from what was made
 * before, and would be held for too old.
 */
export class ClockSteps {
  readonly #clock: Clock;
  readonly #monotonicMs: () => number;
  #steps: Step[] = [];
  #wallMs: number;
  #runMs: number;

  /** @param monotonicMs of a clock that is a test's own the same one: it is moved to let time pass */
  constructor(
    clock: Clock,
    monotonicMs = clock === systemClock ? () => performance.now() : () => clock.now().getTime(),
  ) {
    this.#clock = clock;
    this.#monotonicMs = monotonicMs;
    this.#wallMs = clock.now().getTime();
    this.#runMs = monotonicMs();
  }

  /** Looks whether the clock was set since the last look. */
  look(): void {
    const [wallMs, runMs] = [this.#clock.now().getTime(), this.#monotonicMs()];
    const fromMs = this.#wallMs + (runMs - this.#runMs);
    const byMs = wallMs - fromMs;
    [this.#wallMs, this.#runMs] = [wallMs, runMs];
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

  /** When something was made that bears a time of the wall clock, as the clock counts now. */
  since(madeAtMs: number): number {
    this.look();
    if (this.#steps.length === 0) return madeAtMs;
    const byMs = this.#steps.reduce((sum, step) => sum + (madeAtMs <= step.fromMs ? step.byMs : 0), 0);
    return madeAtMs + Math.max(0, byMs);
  }
}
