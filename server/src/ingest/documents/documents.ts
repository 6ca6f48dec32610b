import type { SourceConfig } from "../../config/sources.ts";
import type { PendingDocument } from "../../feed/item.ts";
import type { Clock } from "../../runtime/clock.ts";
import { Gate } from "../../runtime/sharing/gate.ts";
import type { Signal } from "../../runtime/sharing/signal.ts";
import type { Db } from "../../store/engine/db.ts";
import { isUnavailable } from "../../store/engine/errors.ts";
import {
  claimDocument,
  type DueDocument,
  dropDocument,
  postponeDocument,
  releaseDocument,
} from "../../store/intake/pending-documents.ts";
import { isAnyReached } from "../../store/intake/reach.ts";
import { type Adapter, type Adapters, ParseError } from "../adapter.ts";
import type { Article, ArticleReader } from "../articles/articles.ts";
import type { Fetcher } from "../fetch/fetcher.ts";
import { FetchError, type Fetched, type FetchedResponse, type FetchRequest } from "../fetch/types.ts";
import { ingest, type PipelineDeps } from "../pipeline/pipeline.ts";
import type { RawItem } from "../raw-item.ts";
import type { PageReader } from "../reading/page-reader.ts";
import { readStoredRawItem } from "./stored-raw-item.ts";
import { afterError, afterFailure } from "./tries.ts";

/**
 * How many are read at once, and how many of one source: others always find a lane, however slow the answers of one are.
 * Documents of adapters come from few hosts, whose polls queue behind them; articles come from many, slow ones.
 */
const lanes = { documents: { all: 3, each: 2 }, articles: { all: 6, each: 2 } } as const;
type Lanes = (typeof lanes)[keyof typeof lanes];
/** For the documents of an item, with the waits for slots of hosts and for threads. */
const mostReadMs = 75_000;
/** Longer than reading and storing take, for what is leased counts; reading a document twice changes nothing. */
const leaseMs = 90_000;
const lookEveryMs = 1_000;
const mostDocuments = 8;

interface Reading {
  readonly source: SourceConfig;
  readonly adapter: Adapter;
}

/**
 * The documents to read for a new item; null when none are worth a request. Items from the first walk over a source wait
 * until no live ones do.
 */
export function documentOf(
  item: RawItem,
  { source, adapter, backfill }: Reading & { backfill: boolean },
): PendingDocument | null {
  if (nextRequest(item, { source, adapter }, []) === null) return null;
  return { class: backfill ? 0 : (adapter.documentClass?.(item) ?? 1), raw: item };
}

function nextRequest(
  item: RawItem,
  { source, adapter }: Reading,
  read: readonly FetchedResponse[],
): FetchRequest | null {
  if (source.articles) return read.length === 0 && item.link !== null ? articleRequest(item.link) : null;
  return source.documents ? adapter.enrich(item, source, read) : null;
}

function articleRequest(url: string): FetchRequest {
  return { url, accept: "text/html, application/xhtml+xml;q=0.9", conditional: false, trusted: false };
}

export interface DocumentReaderDeps extends PipelineDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly fetcher: Fetcher;
  readonly articles: ArticleReader;
  readonly adapters: Adapters;
  readonly reader: PageReader;
  readonly documentsWake: Signal;
  /** Whether nothing can be stored at the moment; absent: never. */
  readonly isStorageFull?: () => boolean;
}

/**
 * Reads the documents of stored items, which become revisions of them: an item is in the feed as soon as it is listed,
 * and a document that is not available yet, or a slow host, delays nothing. The queue is in the database: any process
 * takes from it, by priority, and none of it is lost with a process.
 */
export class DocumentReader {
  readonly #deps: DocumentReaderDeps;
  readonly #sources: ReadonlyMap<string, SourceConfig>;
  readonly #readMs: number;
  /** A lane must see what the lanes beside it have taken. */
  readonly #claims = new Gate({ inside: 1 });

  constructor(deps: DocumentReaderDeps, sources: readonly SourceConfig[], { readMs = mostReadMs } = {}) {
    this.#deps = deps;
    this.#readMs = readMs;
    this.#sources = new Map(sources.map((source) => [source.id, source]));
  }

  /** Runs until the signal aborts. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const sources = [...this.#sources.values()];
    const idsOf = (articles: boolean) =>
      sources.filter((one) => one.articles === articles).map(({ id }) => id);
    const started = (of: Lanes, ids: readonly string[]) =>
      Array.from({ length: ids.length === 0 ? 0 : of.all }, () => this.#lane(of, ids, signal));
    await Promise.all([...started(lanes.documents, idsOf(false)), ...started(lanes.articles, idsOf(true))]);
  }

  async #lane({ each }: Lanes, sources: readonly string[], signal: AbortSignal): Promise<void> {
    const { db, log, documentsWake, isStorageFull } = this.#deps;
    const claim = () => claimDocument(db.main, { sources, each, leaseMs });
    while (!signal.aborted) {
      try {
        const canStore = isStorageFull?.() !== true;
        const due = canStore ? await this.#claims.run(claim) : null;
        if (due === null) await documentsWake.wait(signal, lookEveryMs);
        else await this.#tryComplete(due, signal);
      } catch (error) {
        if (signal.aborted) return;
        log.error({ err: error }, "reading documents failed");
        await documentsWake.wait(signal, lookEveryMs);
      }
    }
  }

  /** An error of one item must not repeat for ever, and a reading must end before its lease does. */
  async #tryComplete(due: DueDocument, stop: AbortSignal): Promise<void> {
    const { db, log } = this.#deps;
    const late = AbortSignal.timeout(this.#readMs);
    try {
      await this.#complete(due, AbortSignal.any([stop, late]));
    } catch (error) {
      if (stop.aborted) return releaseDocument(db.main, due.itemId);
      if (isUnavailable(error)) throw error;
      if (late.aborted) return this.#retryOrDrop(due, new FetchError("reading its documents took too long"));
      log.error({ err: error, source: due.sourceId, item: due.itemId }, "completing an item failed");
      const next = afterError(due.tries);
      if (next === null) await dropDocument(db.main, due);
      else await postponeDocument(db.main, due, next);
    }
  }

  async #retryOrDrop(due: DueDocument, failure: FetchError): Promise<void> {
    if (await this.#postponed(due, failure)) return;
    this.#warn(due, failure);
    await dropDocument(this.#deps.db.main, due);
  }

  #warn({ sourceId, itemId }: DueDocument, { message }: FetchError): void {
    this.#deps.log.warn({ source: sourceId, item: itemId, reason: message }, "a document was not read");
  }

  async #complete(due: DueDocument, signal: AbortSignal): Promise<void> {
    const { db } = this.#deps;
    const source = this.#sources.get(due.sourceId);
    if (source === undefined) return dropDocument(db.main, due);
    const raw = readStoredRawItem(due.raw);
    const { read, failure } = await this.#readAll(raw, source, signal);
    if (failure !== null && (await this.#postponed(due, failure))) return;
    if (failure !== null) this.#warn(due, failure);
    const item = await this.#withDocuments(raw, source, read, signal);
    if (item === null) return dropDocument(db.main, due);
    await ingest(this.#deps, [item], { sourceId: source.id, backfill: true, completes: raw });
  }

  /** @returns false after the last try */
  async #postponed(due: DueDocument, failure: FetchError): Promise<boolean> {
    const { db } = this.#deps;
    const isNetworkAway = failure.isUnreached && !(await isAnyReached(db.main));
    const next = afterFailure(due.tries, failure, isNetworkAway);
    if (next === null) return false;
    await postponeDocument(db.main, due, next);
    return true;
  }

  /** Reads documents up to the first that is not available: not there yet, or its host is busy. */
  async #readAll(
    raw: RawItem,
    source: SourceConfig,
    signal: AbortSignal,
  ): Promise<{ read: FetchedResponse[]; failure: FetchError | null }> {
    const { fetcher, adapters } = this.#deps;
    const adapter = adapters[source.format];
    const read: FetchedResponse[] = [];
    try {
      while (read.length < mostDocuments) {
        const request = nextRequest(raw, { source, adapter }, read);
        if (request === null) break;
        const fetched = await fetchWithin(fetcher, request, { validators: null, asker: source, signal });
        if (fetched.status === "ok") read.push(fetched.response);
      }
      return { read, failure: null };
    } catch (error) {
      // Another try would give the same answer, so the documents before it are all there is.
      if (error instanceof ParseError) return { read: read.slice(0, -1), failure: null };
      if (error instanceof FetchError) return { read, failure: error };
      throw error;
    }
  }

  /** null: the documents add nothing. */
  async #withDocuments(
    raw: RawItem,
    source: SourceConfig,
    read: readonly FetchedResponse[],
    signal: AbortSignal,
  ): Promise<RawItem | null> {
    const { reader, articles, log } = this.#deps;
    const [page] = read;
    if (page === undefined) return null;
    try {
      if (!source.articles) {
        const context = { source, spent: { readingMs: 0 }, signal };
        return { ...(await reader.withDocuments(raw, read, context)), seenAt: page.fetchedAt };
      }
      const article = await articles.read(page.body, page.url, page.headers["content-type"] ?? "", signal);
      return article === null ? null : withArticle({ ...raw, seenAt: page.fetchedAt }, article);
    } catch (error) {
      if (!(error instanceof ParseError)) throw error;
      log.warn({ source: source.id, url: page.url, reason: error.message }, "a document could not be read");
      return null;
    }
  }
}

/** Fetches the document, or what stands for it when it is too large. */
async function fetchWithin(
  fetcher: Fetcher,
  request: FetchRequest,
  options: Parameters<Fetcher["fetch"]>[1],
): Promise<Fetched> {
  try {
    return await fetcher.fetch(request, options);
  } catch (error) {
    if (!(error instanceof FetchError && error.isTooLarge && request.ifTooLarge)) throw error;
    return await fetcher.fetch(request.ifTooLarge, options);
  }
}

/** Adds the text if it is the longer one, and the date if the item has none; null: the page adds nothing. */
export function withArticle(item: RawItem, { text, publishedAt }: Article): RawItem | null {
  const isLonger = text.length > item.body.length;
  const isDated = item.publishedAt === null && publishedAt !== null;
  if (!isLonger && !isDated) return null;
  return {
    ...item,
    body: isLonger ? text : item.body,
    ...(isDated ? { publishedAt: new Date(publishedAt), precision: "second" } : {}),
  };
}
