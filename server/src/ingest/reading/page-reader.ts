import { availableParallelism } from "node:os";
import type { SourceConfig } from "../../config/sources.ts";
import { ThreadError, type ThreadFailure, ThreadPool } from "../../runtime/sharing/thread-pool.ts";
import { type Adapters, type ParsedPage, ParseError } from "../adapter.ts";
import { FetchError, type FetchedResponse } from "../fetch/types.ts";
import type { RawItem } from "../raw-item.ts";
import { type Reading, type ReadingAnswer, type ReadingResult, read } from "./reading.ts";

/** Limits on the time and memory for reading answers. */
export const readingLimits: ReadingLimits = {
  onLoopBytes: 48_000,
  deadlineMs: 15_000,
  largeBytes: 1024 * 1024,
  waitingBytes: 96 * 1024 * 1024,
  heapMb: 512,
};

export interface ReadingLimits {
  /** Smaller answers are read on the main thread: none takes more than some tens of ms. */
  readonly onLoopBytes: number;
  /** Time for one answer in its thread. */
  readonly deadlineMs: number;
  readonly largeBytes: number;
  /** Large answers that wait or are read; further ones are refused and requested again later. Small ones never wait. */
  readonly waitingBytes: number;
  readonly heapMb: number;
}

/** Time that the answers of one source have taken in threads. */
export interface ReadingTime {
  readingMs: number;
}

/** For which source an answer is read, its reading time, and the signal that ends the reading. */
export interface ReadContext {
  readonly source: SourceConfig;
  readonly spent: ReadingTime;
  readonly signal: AbortSignal;
}

/** High, because most answers are small and many. */
const mostWaiting = 500;
const threads = Math.max(1, Math.min(2, availableParallelism() - 1));

const refusals: Readonly<Record<ThreadFailure, string>> = {
  busy: "too many large answers wait to be read",
  late: "no thread was free to read it in time",
  timeout: "the answer takes too long to read",
  memory: "the answer takes too much memory to read",
  failed: "the answer broke its reader",
  closed: "the service is stopping",
};

/**
 * Reads the answers of sources with their adapters: small ones on the main thread, larger ones in a worker thread, all the
 * way from bytes to clean items. An answer that takes too long or too much memory there counts as unreadable, and delays
 * no other.
 */
export class PageReader implements AsyncDisposable {
  readonly #adapters: Adapters;
  readonly #limits: ReadingLimits;
  readonly #threads: ThreadPool<Reading, ReadingAnswer>;
  #waitingBytes = 0;

  /** @param adapters for the main thread; the thread loads the same */
  constructor(adapters: Adapters, limits: Partial<ReadingLimits> = {}) {
    this.#adapters = adapters;
    this.#limits = { ...readingLimits, ...limits };
    const { deadlineMs, heapMb } = this.#limits;
    const module = new URL("./reading-worker.ts", import.meta.url);
    this.#threads = new ThreadPool({ module, threads, waiting: mostWaiting, deadlineMs, heapMb });
  }

  /** @throws {ParseError} when it cannot be read; {FetchError} when too many wait; the signal's reason */
  async page(response: FetchedResponse, context: ReadContext): Promise<ParsedPage> {
    return pageOf(await this.#read({ of: "page", source: context.source, response }, [response], context));
  }

  /** As page. */
  async archive(response: FetchedResponse, context: ReadContext): Promise<ParsedPage> {
    return pageOf(await this.#read({ of: "archive", source: context.source, response }, [response], context));
  }

  /** The item with what its documents add; throws as page. */
  async withDocuments(
    item: RawItem,
    responses: readonly FetchedResponse[],
    context: ReadContext,
  ): Promise<RawItem> {
    const { source } = context;
    const result = await this.#read({ of: "documents", source, item, responses }, responses, context);
    if (result.of !== "item") throw new TypeError("the reader has answered something else");
    return result.item;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#threads[Symbol.asyncDispose]();
  }

  async #read(
    reading: Reading,
    responses: readonly FetchedResponse[],
    { spent, signal }: ReadContext,
  ): Promise<ReadingResult> {
    const sizeBytes = responses.reduce((sum, { body }) => sum + body.byteLength, 0);
    if (sizeBytes <= this.#limits.onLoopBytes) return read(this.#adapters, reading);
    const heldBytes = sizeBytes > this.#limits.largeBytes ? sizeBytes : 0;
    if (heldBytes > 0 && this.#waitingBytes + heldBytes > this.#limits.waitingBytes)
      throw new FetchError(refusals.busy);
    this.#waitingBytes += heldBytes;
    try {
      const { result, refusal, tookMs } = await this.#threads.run(withOwnBytes(reading), { signal });
      spent.readingMs += tookMs;
      if (result === null) throw new ParseError(refusal);
      return result;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ThreadError)) throw error;
      // Another try may succeed when fewer wait: this is no fault of the answer.
      if (error.reason === "busy" || error.reason === "closed") throw new FetchError(refusals[error.reason]);
      spent.readingMs += this.#limits.deadlineMs;
      throw new ParseError(refusals[error.reason], { cause: error });
    } finally {
      this.#waitingBytes -= heldBytes;
    }
  }
}

function pageOf(result: ReadingResult): ParsedPage {
  if (result.of !== "page") throw new TypeError("the reader has answered something else");
  return result.page;
}

/** Copied, because a view would transfer the whole buffer under it. */
function withOwnBytes(reading: Reading): Reading {
  const own = (response: FetchedResponse) => {
    const { body } = response;
    return body.byteLength === body.buffer.byteLength ? response : { ...response, body: body.slice() };
  };
  return reading.of === "documents"
    ? { ...reading, responses: reading.responses.map(own) }
    : { ...reading, response: own(reading.response) };
}
