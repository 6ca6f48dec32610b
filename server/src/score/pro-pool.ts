import { availableParallelism } from "node:os";
import type { ProVerdict } from "@tapewire/scoring/pro/types.ts";
import type { Artifact, LinkedSymbol, Verdict } from "@tapewire/scoring/types.ts";
import { type Log, silentLog } from "../runtime/log.ts";
import { RetriedStart } from "../runtime/sharing/retried-start.ts";
import { startMs, ThreadError, type ThreadFailure, ThreadPool } from "../runtime/sharing/thread-pool.ts";
import { ProPace, workOf } from "./pro-pace.ts";
import type { ProTask } from "./pro-worker.ts";

export interface ProPoolOptions {
  /** Default: one less than the cores, at least 1 and at most 2. */
  readonly threads?: number | undefined;
  /** Artifacts that may wait for a thread; further ones are refused. */
  readonly waiting?: number | undefined;
  /** Artifacts of one account that may wait; accounts take turns. Default: a whole batch. */
  readonly waitingEach?: number | undefined;
  /** For one artifact, on its thread. */
  readonly deadlineMs?: number | undefined;
  readonly log?: Log;
}

const defaults = {
  threads: Math.max(1, Math.min(2, availableParallelism() - 1)),
  waiting: 400,
  waitingEach: 100,
  deadlineMs: 5_000,
};
const heapMb = 256;
const restart = { baseMs: 1_000, maxMs: 60_000 } as const;

/** How one artifact is judged; without them as the pool was made. */
export interface JudgeOptions {
  /** The calling account; owners take turns. */
  readonly owner?: string | null;
  /** For this artifact, on its thread, which is ended then. */
  readonly deadlineMs?: number;
  /** The longest wait for a thread. */
  readonly waitMs?: number;
  readonly signal?: AbortSignal;
}

export type ProFailure = Exclude<ThreadFailure, "memory">;

const messages: Readonly<Record<ProFailure, string>> = {
  busy: "too many artifacts wait for a thread",
  late: "no thread was ready in time",
  timeout: "the artifact took too long",
  failed: "the thread failed",
  closed: "the pool is closed",
};

/** Why pro gave no verdict; flash can always answer instead. */
export class ProPoolError extends Error {
  override readonly name = "ProPoolError";
  readonly reason: ProFailure;

  constructor(reason: ProFailure, options?: ErrorOptions) {
    super(messages[reason], options);
    this.reason = reason;
  }
}

/** Judges artifacts with pro in worker threads, so that a long filing blocks nobody else. */
export class ProPool implements AsyncDisposable {
  readonly #threads: ThreadPool<ProTask, ProVerdict>;
  readonly #deadlineMs: number;
  readonly #first: RetriedStart;
  readonly #pace = new ProPace();

  constructor(options: ProPoolOptions = {}) {
    const {
      threads = defaults.threads,
      waiting = defaults.waiting,
      waitingEach = defaults.waitingEach,
      deadlineMs = defaults.deadlineMs,
      log = silentLog,
    } = options;
    const each = { inside: threads, waiting: waitingEach };
    const module = new URL("./pro-worker.ts", import.meta.url);
    this.#threads = new ThreadPool({ module, threads, waiting, each, deadlineMs, heapMb });
    this.#deadlineMs = deadlineMs;
    this.#first = new RetriedStart({
      start: () => this.#threads.prepare(),
      isRunning: () => this.ready > 0,
      failed: (err, pauseMs) =>
        log.warn({ err, pauseMs }, "a thread of pro did not start; flash scores meanwhile"),
      pauses: restart,
    });
  }

  /** Threads that run or start. */
  get threads(): number {
    return this.#threads.started;
  }

  /** Threads that begin with an artifact at once, or after the one that they have. */
  get ready(): number {
    return this.#threads.ready;
  }

  /**
   * Starts a thread before there is something to judge, unless one is ready. Resolves when it is, or did not start: then
   * it is tried again until the pool is closed.
   */
  warm(): Promise<void> {
    return this.#first.begin();
  }

  /** From now until the verdict on the artifact, as far as the pool can tell, ms. */
  expectedMs(artifact: Artifact, symbols: readonly LinkedSymbol[], owner: string | null = null): number {
    return this.#pace.expectedMs(owner, workOf(artifact, symbols), Math.max(1, this.ready));
  }

  /**
   * @param flashVerdict flash's verdict on the same artifact and symbols; without it the thread makes its own
   * @throws {ProPoolError} busy, late, timeout, failed or closed; the signal's reason when it aborts
   */
  async judge(
    artifact: Artifact,
    symbols: readonly LinkedSymbol[],
    flashVerdict: Verdict | null = null,
    { owner = null, deadlineMs = this.#deadlineMs, waitMs, signal }: JudgeOptions = {},
  ): Promise<ProVerdict> {
    const text = this.#pace.enter(owner, workOf(artifact, symbols));
    const options = {
      ...{ owner, deadlineMs, signal },
      // Earlier tasks come first, and a thread may have to start.
      waitMs: waitMs ?? startMs + 2 * deadlineMs,
      begun: () => this.#pace.begin(text),
    };
    try {
      const verdict = await this.#told(this.#threads.run({ artifact, symbols, flashVerdict }, options));
      this.#pace.answered(text);
      return verdict;
    } finally {
      this.#pace.leave(text);
    }
  }

  async #told<Result>(running: Promise<Result>): Promise<Result> {
    try {
      return await running;
    } catch (cause) {
      if (!(cause instanceof ThreadError)) throw cause;
      throw new ProPoolError(cause.reason === "memory" ? "failed" : cause.reason, { cause });
    }
  }

  /** Rejects waiting calls with `closed` and ends all threads. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#first[Symbol.dispose]();
    await this.#threads[Symbol.asyncDispose]();
  }
}
