import { Worker } from "node:worker_threads";
import { type EnterOptions, Gate, GateError, type GateLimits } from "./gate.ts";

export interface ThreadPoolOptions {
  /** Module of the thread: it posts anything once it is ready, then one answer per task, in order. */
  readonly module: URL;
  readonly threads: number;
  /** Tasks that may wait for a thread; further ones are refused. */
  readonly waiting: number;
  /** Limits per owner of tasks; owners take turns. */
  readonly each?: GateLimits;
  /** Longest time of one task on its thread, which is then ended. Waiting for a thread does not count. */
  readonly deadlineMs: number;
  /** Heap of one thread. */
  readonly heapMb: number;
  /** Given to the module as workerData. */
  readonly data?: unknown;
  /** Longest time in which a thread gets ready. Default: startMs. */
  readonly startMs?: number;
  /** Another thread starts at once where a task has ended one. Default: the next task starts it. */
  readonly startsAgain?: boolean;
}

/** Longest time in which a thread loads its modules, on a busy machine. */
export const startMs = 20_000;

/** late: no thread was ready for the task in time. timeout: the task itself, or a start, took too long. */
export type ThreadFailure = "busy" | "late" | "timeout" | "memory" | "failed" | "closed";

const messages: Readonly<Record<ThreadFailure, string>> = {
  busy: "too many tasks wait for a thread",
  late: "no thread was ready in time",
  timeout: "the task took too long",
  memory: "the task took too much memory",
  failed: "the thread failed",
  closed: "the threads are closed",
};

/** Why a task has no answer. */
export class ThreadError extends Error {
  override readonly name = "ThreadError";
  readonly reason: ThreadFailure;

  constructor(reason: ThreadFailure, options?: ErrorOptions) {
    super(messages[reason], options);
    this.reason = reason;
  }
}

export interface TaskOptions {
  readonly owner?: string | null;
  /** Its abort ends the task and its thread. */
  readonly signal?: AbortSignal;
  /** Overrides the pool's. */
  readonly deadlineMs?: number;
  /** The longest wait for a thread, also for one that starts: the start goes on for the next task. */
  readonly waitMs?: number;
  /** Called when a thread begins with the task. */
  readonly begun?: () => void;
}

/**
 * Runs tasks in worker threads, one at a time in each, so that a long task blocks nobody else. Threads start with the
 * first task that needs one, and whoever needs it waits for the same start. A task that fails, is aborted, or takes too long
 * or too much memory ends only its own thread; the next task gets a new one. Tasks and answers are plain data; answers come from modules of our own.
 */
export class ThreadPool<Task, Answer> implements AsyncDisposable {
  readonly #options: ThreadPoolOptions;
  readonly #gate: Gate;
  readonly #threads: Thread<Task, Answer>[] = [];
  readonly #stop = new AbortController();

  constructor(options: ThreadPoolOptions) {
    this.#options = options;
    this.#gate = new Gate({ inside: options.threads, waiting: options.waiting, each: options.each });
  }

  /** Threads that run or start. */
  get started(): number {
    return this.#threads.filter(({ isStarted }) => isStarted).length;
  }

  /** Threads that begin with a task at once, or after the one that they have. */
  get ready(): number {
    return this.#threads.filter(({ isReady }) => isReady).length;
  }

  /** Starts one thread before there is a task for it. @throws {ThreadError} busy, or when it does not start */
  async prepare(): Promise<void> {
    const leave = await this.#enter({ signal: this.#stop.signal });
    try {
      this.#stop.signal.throwIfAborted();
      await this.#idleThread().prepare();
    } finally {
      leave();
    }
  }

  /** @throws {ThreadError} busy at once, the others later; the signal's reason when it aborts */
  async run(task: Task, { owner, signal, deadlineMs, waitMs, begun }: TaskOptions = {}): Promise<Answer> {
    const ended = AbortSignal.any([this.#stop.signal, ...(signal === undefined ? [] : [signal])]);
    const lateAtMs = performance.now() + (waitMs ?? Number.POSITIVE_INFINITY);
    const leave = await this.#enter({ owner, signal: ended, waitMs });
    try {
      // The gate may admit a caller in the turn in which its signal aborts.
      ended.throwIfAborted();
      const limits = { signal: ended, lateAtMs, deadlineMs: deadlineMs ?? this.#options.deadlineMs };
      return await this.#idleThread().run(task, { ...limits, begun });
    } finally {
      leave();
    }
  }

  /** Rejects waiting tasks with `closed` and ends all threads. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort(new ThreadError("closed"));
    await Promise.all(this.#threads.map((thread) => thread[Symbol.asyncDispose]()));
  }

  async #enter(options: EnterOptions): Promise<() => void> {
    try {
      return await this.#gate.enter(options);
    } catch (error) {
      if (!(error instanceof GateError)) throw error;
      throw new ThreadError(error.reason === "full" ? "busy" : "late");
    }
  }

  /** Callers inside the gate always find one; a ready one if there is. */
  #idleThread(): Thread<Task, Answer> {
    const idle = this.#threads.filter(({ isIdle }) => isIdle);
    const found = idle.find(({ isReady }) => isReady) ?? idle[0];
    if (found !== undefined) return found;
    const made = new Thread<Task, Answer>(this.#options, this.#stop.signal);
    this.#threads.push(made);
    return made;
  }
}

interface RunLimits {
  readonly signal: AbortSignal;
  /** When the caller stops to wait for a start, on performance.now(). */
  readonly lateAtMs: number;
  readonly deadlineMs: number;
  readonly begun: (() => void) | undefined;
}

/** One thread at a time, and one task on it at a time. */
class Thread<Task, Answer> implements AsyncDisposable {
  readonly #options: ThreadPoolOptions;
  readonly #stop: AbortSignal;
  /** Ends with the thread ready, or gone. */
  #starting: Promise<Worker> | null = null;
  #ready: Worker | null = null;
  #busy = false;

  constructor(options: ThreadPoolOptions, stop: AbortSignal) {
    this.#options = options;
    this.#stop = stop;
  }

  get isIdle(): boolean {
    return !this.#busy;
  }

  get isStarted(): boolean {
    return this.#starting !== null || this.#ready !== null;
  }

  get isReady(): boolean {
    return this.#ready !== null;
  }

  /** @throws {ThreadError} or the signal's reason; a thread that had begun with the task is gone then */
  async run(task: Task, { signal, lateAtMs, deadlineMs, begun }: RunLimits): Promise<Answer> {
    this.#busy = true;
    try {
      const worker = this.#ready ?? (await inTime(this.#start(), signal, lateAtMs));
      return await this.#answer(worker, task, { signal, deadlineMs, begun });
    } finally {
      this.#busy = false;
    }
  }

  /** @throws {ThreadError} it did not start */
  async prepare(): Promise<void> {
    if (this.#ready === null) await this.#start();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#starting?.catch(() => {});
    await this.#end();
  }

  async #answer(
    worker: Worker,
    task: Task,
    { signal, deadlineMs, begun }: Omit<RunLimits, "lateAtMs">,
  ): Promise<Answer> {
    try {
      begun?.();
      worker.postMessage(task);
      return await nextMessage<Answer>(worker, signal, deadlineMs);
    } catch (error) {
      await this.#end();
      if (this.#options.startsAgain === true && !this.#stop.aborted) void this.#start();
      signal.throwIfAborted();
      throw threadError(error);
    }
  }

  #start(): Promise<Worker> {
    if (this.#starting !== null) return this.#starting;
    const starting = this.#load().finally(() => {
      this.#starting = null;
    });
    // All who waited for it may have left.
    starting.catch(() => {});
    this.#starting = starting;
    return starting;
  }

  async #load(): Promise<Worker> {
    const worker = new Worker(this.#options.module, {
      // Code that reads outside data must not see the service's settings.
      env: {},
      workerData: this.#options.data,
      resourceLimits: { maxOldGenerationSizeMb: this.#options.heapMb, maxYoungGenerationSizeMb: 32 },
    });
    // An idle thread must not keep the process alive.
    worker.unref();
    try {
      await nextMessage(worker, this.#stop, this.#options.startMs ?? startMs);
    } catch (error) {
      await worker.terminate();
      throw threadError(error);
    }
    this.#ready = worker;
    // A thread that ends between two tasks is replaced by the next one.
    worker.on("error", () => {});
    worker.once("exit", () => {
      if (this.#ready === worker) this.#ready = null;
    });
    return worker;
  }

  async #end(): Promise<void> {
    const worker = this.#ready;
    this.#ready = null;
    await worker?.terminate();
  }
}

/** @throws {ThreadError} late; the signal's reason when it aborts */
async function inTime<Result>(
  running: Promise<Result>,
  signal: AbortSignal,
  lateAtMs: number,
): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const aborted = () => reject(signal.reason);
  const leftMs = lateAtMs - performance.now();
  const late = () => reject(new ThreadError("late"));
  const timer = Number.isFinite(leftMs) ? setTimeout(late, leftMs) : undefined;
  signal.addEventListener("abort", aborted, { once: true });
  if (signal.aborted) aborted();
  try {
    return await Promise.race([running, promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", aborted);
  }
}

/** @throws {ThreadError} timeout, memory, or failed when the thread fails or ends; the signal's reason */
async function nextMessage<Message>(worker: Worker, signal: AbortSignal, limitMs: number): Promise<Message> {
  const { promise, resolve, reject } = Promise.withResolvers<Message>();
  const failed = (cause: unknown) => reject(new ThreadError(failureOf(cause), { cause }));
  const aborted = () => reject(signal.reason);
  const timer = setTimeout(() => reject(new ThreadError("timeout")), limitMs);
  worker.once("message", resolve).once("error", failed).once("exit", failed);
  signal.addEventListener("abort", aborted, { once: true });
  if (signal.aborted) aborted();
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    worker.off("message", resolve).off("error", failed).off("exit", failed);
    signal.removeEventListener("abort", aborted);
  }
}

const threadError = (error: unknown): ThreadError =>
  error instanceof ThreadError ? error : new ThreadError("failed", { cause: error });

function failureOf(cause: unknown): ThreadFailure {
  const isMemory = cause instanceof Error && "code" in cause && cause.code === "ERR_WORKER_OUT_OF_MEMORY";
  return isMemory ? "memory" : "failed";
}
