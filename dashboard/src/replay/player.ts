/** Plays a stretch of the log: a clock that a person stops, speeds up and sets, and the items that are due by it. */

import type { Failure } from "../core/failure.ts";
import type { ReplayEntry } from "../core/types.ts";
import { signal } from "../draw/signal.ts";
import { Tape } from "../feed/tape.ts";
import { Ahead, type Stretch } from "./ahead.ts";
import { Tally } from "./tally.ts";

const paintMs = 100;
const chartMs = 1_000;
/** A page in the background is called rarely: its clock goes slower rather than leaping. */
const longestTurnMs = 1_000;
export const slowest = 1;
export const fastest = 100;

/** reading: the clock waits for entries. */
export type Step = "playing" | "reading" | "stopped" | "ended" | "failed";

export interface Begin {
  readonly atMs: number;
  readonly speed: number;
  readonly isStopped: boolean;
}

/** The screen draws anew when `painted` changes; `pause` and `follow` hold the list in its place while the clock goes on. */
export class Player {
  readonly stretch: Stretch;
  readonly painted = signal(0);
  readonly charted = signal(0);
  readonly isPaused = signal(false);
  readonly step = signal<Step>("reading");
  /** The time of the log that is played, in ms. */
  readonly clock = signal(0);
  readonly speed = signal(1);
  readonly failure = signal<Failure | null>(null);
  tape = new Tape();
  tally: Tally;
  #ahead: Ahead;
  #timer: ReturnType<typeof setInterval>;
  #turnedAt = performance.now();
  #chartedAt = 0;
  /** It was asked to skip before it knew what follows. */
  #skipsOnce = false;

  constructor(stretch: Stretch, { atMs, speed, isStopped }: Begin) {
    this.stretch = stretch;
    this.clock.value = atMs;
    this.speed.value = speed;
    if (isStopped) this.step.value = "stopped";
    this.tally = new Tally(stretch);
    this.#ahead = new Ahead({ ...stretch, fromMs: atMs });
    this.#timer = setInterval(this.#turn, paintMs);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#ahead.close();
  }

  play(): void {
    if (this.step.peek() === "ended") this.jump(this.stretch.fromMs);
    this.step.value = "playing";
    this.#ahead.again();
  }

  stop(): void {
    if (this.step.peek() !== "ended") this.step.value = "stopped";
  }

  /** Goes on from another time, with an empty tape: what is between was not read. */
  jump(toMs: number): void {
    const atMs = Math.max(this.stretch.fromMs, Math.min(this.stretch.toMs, toMs));
    this.#ahead.close();
    this.#ahead = new Ahead({ ...this.stretch, fromMs: atMs });
    this.#skipsOnce = false;
    this.clock.value = atMs;
    this.tape = new Tape();
    this.tally = new Tally(this.stretch);
    this.isPaused.value = false;
    if (this.step.peek() !== "stopped") this.step.value = "reading";
    this.painted.value++;
    this.charted.value++;
  }

  /** Over the quiet time: to the next item, or to the end where none follows. */
  skip(): void {
    const { nextMs, state } = this.#ahead;
    this.#skipsOnce = nextMs === null && state !== "done";
    if (this.#skipsOnce) return;
    this.clock.value = Math.max(this.clock.peek(), nextMs ?? this.stretch.toMs);
    this.#due();
  }

  pause(): void {
    if (this.isPaused.peek()) return;
    this.tape.pause();
    this.isPaused.value = true;
    this.painted.value++;
  }

  follow(): void {
    this.tape.follow();
    this.isPaused.value = false;
    this.painted.value++;
  }

  readonly #turn = () => {
    const now = performance.now();
    const turnMs = Math.min(longestTurnMs, now - this.#turnedAt);
    this.#turnedAt = now;
    const step = this.step.peek();
    // Where the clock is stopped a skip still waits for what follows.
    if (step !== "playing" && step !== "reading" && !this.#skipsOnce) return;
    const { state, nextMs, knownMs, failure } = this.#ahead;
    const isKnown = nextMs !== null || state === "done";
    this.failure.value = isKnown ? null : failure;
    if (!isKnown) {
      if (state === "failed") this.step.value = "failed";
      else if (step !== "stopped") this.step.value = "reading";
      return;
    }
    if (step !== "stopped") this.step.value = "playing";
    if (this.#skipsOnce) return this.skip();
    const to = this.clock.peek() + turnMs * this.speed.peek();
    this.clock.value = Math.max(this.clock.peek(), Math.min(to, knownMs));
    this.#due();
  };

  #due(): void {
    const clock = this.clock.peek();
    const due = this.#ahead.take(clock);
    if (due.length > 0) this.#show(due);
    const isOver = this.#ahead.state === "done" && this.#ahead.nextMs === null && clock >= this.stretch.toMs;
    if (isOver) this.step.value = "ended";
    if (isOver || performance.now() - this.#chartedAt >= chartMs) {
      this.#chartedAt = performance.now();
      this.charted.value++;
    }
  }

  #show(due: readonly ReplayEntry[]): void {
    const cameAt = performance.now();
    this.tape.add(
      due.map(({ data: item, latency }) => ({
        item,
        latencyMs: latency.source_to_publish_ms ?? latency.receive_to_publish_ms,
        cameAt,
      })),
    );
    this.tally.add(due);
    this.painted.value++;
  }
}
