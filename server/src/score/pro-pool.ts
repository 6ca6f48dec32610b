import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { ProVerdict } from "@tapewire/scoring/pro/types.ts";
import type { Artifact, LinkedSymbol, Verdict } from "@tapewire/scoring/types.ts";
import type { ProAnswer, ProTask } from "./pro-worker.ts";

export interface ProPoolOptions {
  /** Default: one less than the cores, at least 1 and at most 2. */
  readonly threads?: number;
  /** Artifacts that wait for a thread; one more is refused. */
  readonly waiting?: number;
  /** For one artifact on its thread; waiting for a thread may take as long again. */
  readonly deadlineMs?: number;
}

const defaults = {
  threads: Math.max(1, Math.min(2, availableParallelism() - 1)),
  waiting: 200,
  deadlineMs: 5_000,
};
/** A thread that loads its modules on a busy machine. */
const startMs = 20_000;
const heapMb = 256;

export type ProFailure = "busy" | "timeout" | "failed" | "closed";

const messages: Readonly<Record<ProFailure, string>> = {
  busy: "too many artifacts wait for a thread",
  timeout: "the artifact took too long",
  failed: "the thread failed",
  closed: "the pool is closed",
};

/** Why there is no verdict of pro; flash can always answer instead. */
export class ProPoolError extends Error {
  override readonly name = "ProPoolError";
  readonly reason: ProFailure;

  constructor(reason: ProFailure, options?: ErrorOptions) {
    super(messages[reason], options);
    this.reason = reason;
  }
}

interface Waiting {
  readonly task: ProTask;
  readonly deadlineMs: number;
  readonly resolve: (verdict: ProVerdict) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Judges artifacts with pro in threads, so that a long filing stops nobody else. Threads start with the first artifact
 * that needs one. Full: `judge` rejects at once with `busy`. Over the deadline the thread is ended, the caller gets
 * `timeout`, and the next artifact gets a new thread.
 */
export class ProPool implements AsyncDisposable {
  readonly #options: Required<ProPoolOptions>;
  readonly #waiting: Waiting[] = [];
  readonly #lanes: Lane[] = [];
  readonly #stop = new AbortController();

  constructor(options: ProPoolOptions = {}) {
    this.#options = { ...defaults, ...options };
  }

  /** Threads that run or start. */
  get threads(): number {
    return this.#lanes.filter(({ isStarted }) => isStarted).length;
  }

  /**
   * @param flashVerdict what flash said of the same artifact and symbols; the thread asks flash itself without
   * @param over deadlineMs of this artifact, and a signal of the caller's
   * @throws {ProPoolError} busy, timeout, failed or closed; the signal's reason when it aborts
   */
  async judge(
    artifact: Artifact,
    symbols: readonly LinkedSymbol[],
    flashVerdict: Verdict | null = null,
    over: { readonly deadlineMs?: number; readonly signal?: AbortSignal } = {},
  ): Promise<ProVerdict> {
    over.signal?.throwIfAborted();
    if (this.#stop.signal.aborted) throw new ProPoolError("closed");
    if (this.#waiting.length >= this.#options.waiting && !this.#hasIdle()) throw new ProPoolError("busy");
    const deadlineMs = over.deadlineMs ?? this.#options.deadlineMs;
    const { promise, resolve, reject } = Promise.withResolvers<ProVerdict>();
    const waiting: Waiting = {
      task: { artifact, symbols, flashVerdict },
      deadlineMs,
      resolve,
      reject,
    };
    const leave = (error: unknown) => {
      const at = this.#waiting.indexOf(waiting);
      if (at >= 0) this.#waiting.splice(at, 1);
      reject(error);
    };
    const aborted = () => leave(over.signal?.reason);
    over.signal?.addEventListener("abort", aborted, { once: true });
    // Counts the wait for a thread, its start included; what runs has a deadline of its own.
    const timer = setTimeout(() => leave(new ProPoolError("timeout")), startMs + 2 * deadlineMs);
    this.#waiting.push(waiting);
    this.#pump();
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      over.signal?.removeEventListener("abort", aborted);
    }
  }

  /** Those who wait are rejected with `closed`; threads are ended. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    for (const { reject } of this.#waiting.splice(0)) reject(new ProPoolError("closed"));
    await Promise.all(this.#lanes.map((lane) => lane[Symbol.asyncDispose]()));
  }

  #hasIdle(): boolean {
    return this.#lanes.length < this.#options.threads || this.#lanes.some(({ isIdle }) => isIdle);
  }

  #pump(): void {
    while (this.#waiting.length > 0 && !this.#stop.signal.aborted) {
      const lane = this.#idleLane();
      if (lane === null) return;
      const next = this.#waiting.shift();
      if (next !== undefined) void this.#run(lane, next);
    }
  }

  #idleLane(): Lane | null {
    const idle = this.#lanes.find(({ isIdle }) => isIdle);
    if (idle !== undefined) return idle;
    if (this.#lanes.length >= this.#options.threads) return null;
    const lane = new Lane();
    this.#lanes.push(lane);
    return lane;
  }

  /** Never rejects. */
  async #run(lane: Lane, { task, deadlineMs, resolve, reject }: Waiting): Promise<void> {
    try {
      resolve(await lane.judge(task, deadlineMs));
    } catch (error) {
      reject(this.#stop.signal.aborted ? new ProPoolError("closed") : error);
    }
    this.#pump();
  }
}

/** One thread at a time, and one artifact on it at a time. */
class Lane implements AsyncDisposable {
  #worker: Worker | null = null;
  #busy = false;

  get isIdle(): boolean {
    return !this.#busy;
  }

  get isStarted(): boolean {
    return this.#worker !== null;
  }

  /** @throws {ProPoolError} timeout or failed; the thread is gone then */
  async judge(task: ProTask, deadlineMs: number): Promise<ProVerdict> {
    this.#busy = true;
    try {
      const worker = this.#worker ?? (await this.#start());
      const reply = nextMessage(worker, deadlineMs);
      worker.postMessage(task);
      const { verdict, error } = await reply;
      if (verdict !== null) return verdict;
      throw new ProPoolError("failed", { cause: error });
    } catch (error) {
      await this.#end();
      throw error instanceof ProPoolError ? error : new ProPoolError("failed", { cause: error });
    } finally {
      this.#busy = false;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end();
  }

  async #start(): Promise<Worker> {
    const worker = new Worker(new URL("./pro-worker.ts", import.meta.url), {
      // Nothing of the service's settings is any business of a text.
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 32 },
    });
    this.#worker = worker;
    // A thread that waits for artifacts keeps nobody from ending.
    worker.unref();
    await nextMessage(worker, startMs);
    // What goes wrong between two artifacts shows at the next one.
    worker.on("error", () => {});
    return worker;
  }

  async #end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }
}

/** @throws {ProPoolError} timeout, or failed when the thread fails or ends */
async function nextMessage(worker: Worker, limitMs: number): Promise<ProAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<ProAnswer>();
  const failed = (cause: unknown) => reject(new ProPoolError("failed", { cause }));
  const timer = setTimeout(() => reject(new ProPoolError("timeout")), limitMs);
  worker.once("message", resolve).once("error", failed).once("exit", failed);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    worker.off("message", resolve).off("error", failed).off("exit", failed);
  }
}
