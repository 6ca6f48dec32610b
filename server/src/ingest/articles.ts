import { Worker } from "node:worker_threads";
import { z } from "zod";
import type { Article, Page } from "./article-text.ts";

export type { Article } from "./article-text.ts";

/** Caps of reading pages. */
export const articleLimits = {
  /** UTF-16 code units or bytes; a larger page is no article. */
  page: 6_000_000,
  /** One page in the reader; then its thread is ended. */
  pageMs: 5_000,
  /** The thread's start, when it loads its libraries. */
  startMs: 20_000,
  /** Pages that wait; more are not read. */
  waiting: 50,
  heapMb: 256,
} as const;

interface Task {
  readonly page: Page;
  readonly signal: AbortSignal;
  readonly resolve: (article: Article | null) => void;
}

const answer = z.object({
  article: z
    .object({
      title: z.string().nullable(),
      text: z.string(),
      byline: z.string().nullable(),
      publishedAt: z.string().nullable(),
    })
    .nullable(),
});

/**
 * Reads the articles of pages in one thread of its own, one page at a time: a page that takes too long or too much
 * memory ends that thread alone, and the next page gets a new one. Started by the first page.
 */
export class ArticleReader implements AsyncDisposable {
  readonly #limits: { readonly pageMs: number; readonly waiting: number };
  readonly #waiting: Task[] = [];
  readonly #stop = new AbortController();
  #worker: Promise<Worker> | null = null;
  #busy = false;

  constructor(limits: { readonly pageMs?: number; readonly waiting?: number } = {}) {
    this.#limits = { ...articleLimits, ...limits };
  }

  /**
   * @param url where the page came from, after redirects
   * @param contentType value of the header; empty when unknown
   * @returns null when the page holds no article that can be read (see articleOf), when it cannot be read within the
   * limits, or when too many wait
   * @throws the signal's reason when it aborts
   */
  async read(
    html: Uint8Array | string,
    url: string,
    contentType: string,
    signal: AbortSignal,
  ): Promise<Article | null> {
    signal.throwIfAborted();
    if (this.#stop.signal.aborted || this.#waiting.length >= this.#limits.waiting) return null;
    if (html.length > articleLimits.page || !isHtml(contentType) || isHomePage(url)) return null;
    const { promise, resolve, reject } = Promise.withResolvers<Article | null>();
    const task = { page: { html, contentType }, signal, resolve };
    const leave = () => {
      const at = this.#waiting.indexOf(task);
      if (at !== -1) this.#waiting.splice(at, 1);
      reject(signal.reason);
    };
    signal.addEventListener("abort", leave, { once: true });
    this.#waiting.push(task);
    void this.#pump();
    try {
      return await promise;
    } finally {
      signal.removeEventListener("abort", leave);
    }
  }

  /** Those who wait get null. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    for (const task of this.#waiting.splice(0)) task.resolve(null);
    await this.#end();
  }

  /** Never rejects. */
  async #pump(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    for (let task = this.#waiting.shift(); task !== undefined; task = this.#waiting.shift())
      task.resolve(await this.#run(task));
    this.#busy = false;
  }

  async #run({ page, signal }: Task): Promise<Article | null> {
    const stop = AbortSignal.any([signal, this.#stop.signal]);
    try {
      this.#worker ??= startWorker(this.#stop.signal);
      const worker = await this.#worker;
      stop.throwIfAborted();
      const reply = nextMessage(worker, stop, this.#limits.pageMs);
      // The caller keeps its bytes; a view would bring all that stands beside it along.
      worker.postMessage(typeof page.html === "string" ? page : { ...page, html: page.html.slice() });
      return answer.parse(await reply).article;
    } catch {
      await this.#end();
      return null;
    }
  }

  async #end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    await worker?.then(
      (running) => running.terminate(),
      () => {},
    );
  }
}

async function startWorker(stop: AbortSignal): Promise<Worker> {
  const worker = new Worker(new URL("./article-worker.ts", import.meta.url), {
    // Nothing of the service's settings is any business of a page.
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: articleLimits.heapMb, maxYoungGenerationSizeMb: 32 },
  });
  // A thread that waits for pages keeps nobody from ending.
  worker.unref();
  try {
    await nextMessage(worker, stop, articleLimits.startMs);
    // What goes wrong between two pages shows at the next one.
    worker.on("error", () => {});
    return worker;
  } catch (error) {
    await worker.terminate();
    throw error;
  }
}

/** @throws when the worker fails or ends, when time is over, or the signal's reason */
async function nextMessage(worker: Worker, signal: AbortSignal, limitMs: number): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const ended = () => reject(new Error("the thread has ended"));
  const aborted = () => reject(signal.reason);
  const timer = setTimeout(() => reject(new Error("time is over")), limitMs);
  worker.once("message", resolve).once("error", reject).once("exit", ended);
  signal.addEventListener("abort", aborted, { once: true });
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    worker.off("message", resolve).off("error", reject).off("exit", ended);
    signal.removeEventListener("abort", aborted);
  }
}

function isHtml(contentType: string): boolean {
  return contentType === "" || /^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(contentType);
}

/** Where many a site sends the reader of an article that is gone. */
function isHomePage(url: string): boolean {
  const parsed = URL.parse(url);
  return parsed !== null && parsed.pathname === "/" && parsed.search === "";
}
