import type { SourceConfig } from "../config/sources.ts";
import type { Log } from "../runtime/log.ts";
import type { Adapter, FetchRequest } from "./adapter.ts";
import { FetchError, type Fetcher } from "./fetcher.ts";
import type { RawItem } from "./raw-item.ts";

interface Task {
  readonly item: RawItem;
  readonly request: FetchRequest;
  readonly backfill: boolean;
  /** Times the document could not be had. */
  tries: number;
}

/** A filing is listed about 25 s (median) before its documents can be read; 403 and 404 mean "not yet" until then. */
const retryDelaysMs = [5_000, 10_000, 20_000, 40_000];
/** Few: polls of the same host queue behind them. */
const lanes = 2;
const mostWaiting = 10_000;

export interface DocumentQueueDeps {
  readonly fetcher: Fetcher;
  readonly log: Log;
  readonly adapter: Adapter;
  readonly source: SourceConfig;
  /** Stores an item, with its document or, where that cannot be had, without. */
  readonly deliver: (item: RawItem, backfill: boolean) => Promise<void>;
  readonly signal: AbortSignal;
}

/**
 * Reads the documents of items beside the polls, so that a document that is not there yet delays nobody. It is memory
 * only: as long as anything is pending, the walk that found it does not count as complete.
 */
export class DocumentQueue {
  readonly #deps: DocumentQueueDeps;
  readonly #waiting: Task[] = [];
  readonly #pending = new Set<string>();
  readonly #retries = new Set<NodeJS.Timeout>();
  #busy = 0;
  #lost = false;

  constructor(deps: DocumentQueueDeps) {
    this.#deps = deps;
    deps.signal.addEventListener("abort", () => {
      for (const timer of this.#retries) clearTimeout(timer);
    });
  }

  /** Whether the item waits for its document here. */
  has({ identity: [uniqueId] }: RawItem): boolean {
    return this.#pending.has(uniqueId);
  }

  get isEmpty(): boolean {
    return this.#pending.size === 0;
  }

  /** Takes the item over when it has a document worth reading; false: it is to be stored as it is. */
  take(item: RawItem, backfill: boolean): boolean {
    const request = this.#deps.source.documents
      ? this.#deps.adapter.enrich(item, this.#deps.source, [])
      : null;
    if (request === null || this.#pending.size >= mostWaiting) return false;
    this.#pending.add(item.identity[0]);
    this.#waiting.push({ item, request, backfill, tries: 0 });
    this.#pump();
    return true;
  }

  /** Whether an item could not be stored since the last call: only another walk finds it again. */
  takeLost(): boolean {
    const lost = this.#lost;
    this.#lost = false;
    return lost;
  }

  #pump(): void {
    while (this.#busy < lanes && !this.#deps.signal.aborted) {
      const task = this.#waiting.shift();
      if (task === undefined) return;
      this.#busy += 1;
      void this.#run(task).finally(() => {
        this.#busy -= 1;
        this.#pump();
      });
    }
  }

  /** Never rejects. */
  async #run(task: Task): Promise<void> {
    const read = await this.#read(task);
    if (read === "not yet") return this.#later(task);
    if (this.#deps.signal.aborted) return;
    try {
      await this.#deps.deliver(read, task.backfill);
    } catch (error) {
      // While stopping the item stays pending: the walk that found it is not complete.
      if (this.#deps.signal.aborted) return;
      this.#lost = true;
      this.#deps.log.error({ err: error, item: task.item.identity[0] }, "storing a filing failed");
    }
    this.#pending.delete(task.item.identity[0]);
  }

  async #read({ item, request, tries }: Task): Promise<RawItem | "not yet"> {
    const { fetcher, adapter, source, signal, log } = this.#deps;
    try {
      const requestsPerS = source.requests_per_s;
      const fetched = await fetcher.fetch(request, { validators: null, requestsPerS, signal });
      return fetched.status === "ok" ? adapter.withDocuments(item, [fetched.response], source) : item;
    } catch (error) {
      // Not there yet, or the host is busy; what was read and is no submission will not become one.
      if (error instanceof FetchError && tries < retryDelaysMs.length) return "not yet";
      const reason = error instanceof Error ? error.message : String(error);
      if (!signal.aborted) log.warn({ source: source.id, url: request.url, reason }, "document not read");
      return item;
    }
  }

  #later(task: Task): void {
    const delayMs = retryDelaysMs[task.tries] ?? 0;
    task.tries += 1;
    const timer = setTimeout(() => {
      this.#retries.delete(timer);
      this.#waiting.push(task);
      this.#pump();
    }, delayMs);
    this.#retries.add(timer);
  }
}
