import type { Transferable } from "node:worker_threads";
import { Worker } from "node:worker_threads";

export interface ThreadPoolOptions {
  /** Module of the thread: it posts anything once it is ready, then one answer for each task, in their order. */
  readonly module: URL;
  readonly threads: number;
  /** Tasks that wait for a thread; one more is refused. */
  readonly waiting: number;
  /** One task on its thread; then the thread is ended. The wait for a thread does not count. */
  readonly deadlineMs: number;
  /** Of a thread's heap. */
  readonly heapMb: number;
}

/** A thread that loads its modules on a busy machine. */
const startMs = 20_000;

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

interface Waiting<Task, Answer> {
  readonly task: Task;
  readonly transfer: readonly Transferable[];
  readonly signal: AbortSignal;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Does tasks in threads of their own, one at a time each, so that what takes long stops nobody else. Threads start with
 * the first task that needs one. A task that takes too long or too much memory ends its thread alone; the next one gets
 * a new thread. Tasks and answers are plain data; an answer is what our own module posts.
 */
export class ThreadPool<Task, Answer> implements AsyncDisposable {
  readonly #options: ThreadPoolOptions;
  readonly #waiting: Waiting<Task, Answer>[] = [];
  readonly #lanes: Lane<Task, Answer>[] = [];
  readonly #stop = new AbortController();

  constructor(options: ThreadPoolOptions) {
    this.#options = options;
  }

  /**
   * @param transfer buffers of the task that the caller gives away instead of copying them
   * @throws {ThreadError} busy at once, the others later; the signal's reason when it aborts
   */
  async run(task: Task, signal: AbortSignal, transfer: readonly Transferable[] = []): Promise<Answer> {
    signal.throwIfAborted();
    if (this.#stop.signal.aborted) throw new ThreadError("closed");
    if (this.#waiting.length >= this.#options.waiting && !this.#hasIdle()) throw new ThreadError("busy");
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const waiting = { task, transfer, signal, resolve, reject };
    const leave = () => {
      const at = this.#waiting.indexOf(waiting);
      if (at !== -1) this.#waiting.splice(at, 1);
      reject(signal.reason);
    };
    signal.addEventListener("abort", leave, { once: true });
    this.#waiting.push(waiting);
    this.#pump();
    try {
      return await promise;
    } finally {
      signal.removeEventListener("abort", leave);
    }
  }

  /** Those who wait are rejected with `closed`; threads are ended. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort(new ThreadError("closed"));
    for (const { reject } of this.#waiting.splice(0)) reject(new ThreadError("closed"));
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

  #idleLane(): Lane<Task, Answer> | null {
    const idle = this.#lanes.find(({ isIdle }) => isIdle);
    if (idle !== undefined) return idle;
    if (this.#lanes.length >= this.#options.threads) return null;
    const lane = new Lane<Task, Answer>(this.#options);
    this.#lanes.push(lane);
    return lane;
  }

  /** Never rejects. */
  async #run(
    lane: Lane<Task, Answer>,
    { resolve, reject, ...waiting }: Waiting<Task, Answer>,
  ): Promise<void> {
    try {
      const signal = AbortSignal.any([waiting.signal, this.#stop.signal]);
      resolve(await lane.run({ ...waiting, signal }));
    } catch (error) {
      reject(error);
    }
    this.#pump();
  }
}

/** One thread at a time, and one task on it at a time. */
class Lane<Task, Answer> implements AsyncDisposable {
  readonly #options: ThreadPoolOptions;
  #worker: Worker | null = null;
  #busy = false;

  constructor(options: ThreadPoolOptions) {
    this.#options = options;
  }

  get isIdle(): boolean {
    return !this.#busy;
  }

  /** @throws {ThreadError} or the signal's reason; the thread is gone then */
  async run({
    task,
    transfer,
    signal,
  }: Pick<Waiting<Task, Answer>, "task" | "transfer" | "signal">): Promise<Answer> {
    this.#busy = true;
    try {
      const worker = this.#worker ?? (await this.#start(signal));
      worker.postMessage(task, transfer);
      return await nextMessage<Answer>(worker, signal, this.#options.deadlineMs);
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
      // Nothing of the service's settings is any business of what is read there.
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: this.#options.heapMb, maxYoungGenerationSizeMb: 32 },
    });
    this.#worker = worker;
    // A thread that waits for tasks keeps nobody from ending.
    worker.unref();
    await nextMessage(worker, signal, startMs);
    // What goes wrong between two tasks shows at the next one.
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
