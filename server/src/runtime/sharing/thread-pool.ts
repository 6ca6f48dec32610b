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
}

/** Longest time in which a thread loads its modules, on a busy machine. */
export const startMs = 20_000;

export type ThreadFailure = "busy" | "timeout" | "memory" | "failed" | "closed";

const messages: Readonly<Record<ThreadFailure, string>> = {
  busy: "too many tasks wait for a thread",
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
  /** The longest wait for a thread. */
  readonly waitMs?: number;
}

/**
 * Runs tasks in worker threads, one at a time in each, so that a long task blocks nobody else. Threads start with the
 * first task that needs one. A task that fails, is aborted, or takes too long or too much memory ends only its own
 * thread; the next task gets a new one. Tasks and answers are plain data; answers come from modules of our own.
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

  /** @throws {ThreadError} busy at once, the others later; the signal's reason when it aborts */
  async run(task: Task, { owner, signal, deadlineMs, waitMs }: TaskOptions = {}): Promise<Answer> {
    const ended = AbortSignal.any([this.#stop.signal, ...(signal === undefined ? [] : [signal])]);
    const leave = await this.#enter({ owner, signal: ended, waitMs });
    try {
      // The gate may admit a caller in the turn in which its signal aborts.
      ended.throwIfAborted();
      return await this.#idleThread().run(task, ended, deadlineMs ?? this.#options.deadlineMs);
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
      throw new ThreadError(error.reason === "full" ? "busy" : "timeout");
    }
  }

  /** Callers inside the gate always find one. */
  #idleThread(): Thread<Task, Answer> {
    const idle = this.#threads.find(({ isIdle }) => isIdle);
    if (idle !== undefined) return idle;
    const made = new Thread<Task, Answer>(this.#options);
    this.#threads.push(made);
    return made;
  }
}

/** One thread at a time, and one task on it at a time. */
class Thread<Task, Answer> implements AsyncDisposable {
  readonly #options: ThreadPoolOptions;
  #worker: Worker | null = null;
  #busy = false;

  constructor(options: ThreadPoolOptions) {
    this.#options = options;
  }

  get isIdle(): boolean {
    return !this.#busy;
  }

  get isStarted(): boolean {
    return this.#worker !== null;
  }

  /** @throws {ThreadError} or the signal's reason; the thread is gone then */
  async run(task: Task, signal: AbortSignal, deadlineMs: number): Promise<Answer> {
    this.#busy = true;
    try {
      const worker = this.#worker ?? (await this.#start(signal));
      worker.postMessage(task);
      return await nextMessage<Answer>(worker, signal, deadlineMs);
    } catch (error) {
      await this.#end();
      signal.throwIfAborted();
      throw error instanceof ThreadError ? error : new ThreadError("failed", { cause: error });
    } finally {
      this.#busy = false;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end();
  }

  async #start(signal: AbortSignal): Promise<Worker> {
    const worker = new Worker(this.#options.module, {
      // Code that reads outside data must not see the service's settings.
      env: {},
      workerData: this.#options.data,
      resourceLimits: { maxOldGenerationSizeMb: this.#options.heapMb, maxYoungGenerationSizeMb: 32 },
    });
    this.#worker = worker;
    // An idle thread must not keep the process alive.
    worker.unref();
    await nextMessage(worker, signal, this.#options.startMs ?? startMs);
    // An error between two tasks shows at the next task.
    worker.on("error", () => {});
    return worker;
  }

  async #end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
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

function failureOf(cause: unknown): ThreadFailure {
  const isMemory = cause instanceof Error && "code" in cause && cause.code === "ERR_WORKER_OUT_OF_MEMORY";
  return isMemory ? "memory" : "failed";
}
