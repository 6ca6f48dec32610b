import { availableParallelism } from "node:os";
import type { SourceConfig } from "../../config/sources.ts";
import { ThreadError, type ThreadFailure, ThreadPool } from "../../runtime/thread-pool.ts";
import { type Adapters, type ParsedPage, ParseError } from "../adapter.ts";
import { FetchError, type FetchedResponse } from "../fetch/types.ts";
import type { RawItem } from "../raw-item.ts";
import { type Reading, type ReadingAnswer, type ReadingResult, read } from "./reading.ts";

/** What the answers of sources may take of the process. */
export const readingLimits: ReadingLimits = {
  onLoopBytes: 48_000,
  deadlineMs: 15_000,
  largeBytes: 1024 * 1024,
  waitingBytes: 96 * 1024 * 1024,
  heapMb: 512,
};

export interface ReadingLimits {
  /** What is not larger is read at once, within some tens of ms whatever it is made of. */
  readonly onLoopBytes: number;
  /** One answer in its thread. */
  readonly deadlineMs: number;
  readonly largeBytes: number;
  /** Large answers that wait or are read; one more is refused, and asked for again later. Others need not care. */
  readonly waitingBytes: number;
  readonly heapMb: number;
}

/** What the answers of one source have taken of the threads. */
export interface ReadingTime {
  readingMs: number;
}

/** Of whose share of the threads an answer is read, and until when. */
export interface ReadContext {
  readonly source: SourceConfig;
  readonly spent: ReadingTime;
  readonly signal: AbortSignal;
}

/** Most answers are small and many. */
const mostWaiting = 500;
const threads = Math.max(1, Math.min(2, availableParallelism() - 1));

const refusals: Readonly<Record<ThreadFailure, string>> = {
  busy: "too many large answers wait to be read",
  timeout: "the answer takes too long to read",
  memory: "the answer takes too much memory to read",
  failed: "the answer broke its reader",
  closed: "the service is stopping",
};

/**
 * Reads the answers of sources with their adapters: small ones at once, larger ones in a thread, all the way from bytes
 * to clean items. An answer that takes too long or too much memory there is one that cannot be read, and no other waits
 * for it.
 */
export class PageReader implements AsyncDisposable {
  readonly #adapters: Adapters;
  readonly #limits: ReadingLimits;
  readonly #threads: ThreadPool<Reading, ReadingAnswer>;
  #waitingBytes = 0;

  /** @param adapters what the thread has, for what is read at once */
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
      // The next one may be read when fewer wait: it is none of the answer's faults.
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

/** A view would bring all that stands beside it along. */
function withOwnBytes(reading: Reading): Reading {
  const own = (response: FetchedResponse) => {
    const { body } = response;
    return body.byteLength === body.buffer.byteLength ? response : { ...response, body: body.slice() };
  };
  return reading.of === "documents"
    ? { ...reading, responses: reading.responses.map(own) }
    : { ...reading, response: own(reading.response) };
}
