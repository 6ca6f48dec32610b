import type { SourceConfig } from "../../config/sources.ts";
import type { PendingDocument } from "../../feed/item.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Signal } from "../../runtime/sharing/signal.ts";
import type { Db } from "../../store/engine/db.ts";
import { isUnavailable } from "../../store/engine/errors.ts";
import {
  claimDocuments,
  type DueDocument,
  dropDocument,
  postponeDocument,
} from "../../store/intake/pending-documents.ts";
import { type Adapter, type Adapters, ParseError } from "../adapter.ts";
import type { Article, ArticleReader } from "../articles/articles.ts";
import type { Fetcher } from "../fetch/fetcher.ts";
import { FetchError, type FetchedResponse, type FetchRequest } from "../fetch/types.ts";
import { ingest, type PipelineDeps } from "../pipeline/pipeline.ts";
import type { RawItem } from "../raw-item.ts";
import type { PageReader } from "../reading/page-reader.ts";
import { readStoredRawItem } from "./stored-raw-item.ts";

/** An item may be listed some 25 s before its documents can be read; until then 403 and 404 mean "not yet". */
const retryDelaysMs = [5_000, 10_000, 20_000, 40_000, 80_000];
const notThere: ReadonlySet<number> = new Set([403, 404, 410]);
const hostAwayMs = 60_000;
/** For a host that was not reached: the cause may be our own network, whose return should be noticed soon. */
const unreachedMs = 20_000;
/** Documents of adapters come from few hosts, whose polls queue behind them; articles come from many, slow ones. */
const lanes = { documents: 2, articles: 4 } as const;
/** Longer than reading takes; reading a document twice changes nothing. */
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

  constructor(deps: DocumentReaderDeps, sources: readonly SourceConfig[]) {
    this.#deps = deps;
    this.#sources = new Map(sources.map((source) => [source.id, source]));
  }

  /** Runs until the signal aborts. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const sources = [...this.#sources.values()];
    const idsOf = (articles: boolean) =>
      sources.filter((one) => one.articles === articles).map(({ id }) => id);
    await Promise.all([
      ...Array.from({ length: lanes.documents }, () => this.#lane(idsOf(false), signal)),
      ...Array.from({ length: lanes.articles }, () => this.#lane(idsOf(true), signal)),
    ]);
  }

  async #lane(ids: readonly string[], signal: AbortSignal): Promise<void> {
    const { db, log, documentsWake, isStorageFull } = this.#deps;
    while (!signal.aborted && ids.length > 0) {
      try {
        const canStore = isStorageFull?.() !== true;
        const [due] = canStore ? await claimDocuments(db.main, ids, { limit: 1, leaseMs }) : [];
        if (due === undefined) await documentsWake.wait(signal, lookEveryMs);
        else await this.#tryComplete(due, signal);
      } catch (error) {
        if (signal.aborted) return;
        log.error({ err: error }, "reading documents failed");
        await documentsWake.wait(signal, lookEveryMs);
      }
    }
  }

  /** An error of one item must not repeat for ever. */
  async #tryComplete(due: DueDocument, signal: AbortSignal): Promise<void> {
    const { db, log } = this.#deps;
    try {
      await this.#complete(due, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (isUnavailable(error)) throw error;
      log.error({ err: error, source: due.sourceId, item: due.itemId }, "completing an item failed");
      const delayMs = retryDelaysMs[due.tries];
      if (delayMs === undefined) await dropDocument(db.main, due.itemId);
      else await postponeDocument(db.main, due.itemId, { delayMs, counts: true });
    }
  }

  async #complete(due: DueDocument, signal: AbortSignal): Promise<void> {
    const { db, log } = this.#deps;
    const source = this.#sources.get(due.sourceId);
    if (source === undefined) return dropDocument(db.main, due.itemId);
    const raw = readStoredRawItem(due.raw);
    const { read, failure } = await this.#readAll(raw, source, signal);
    if (failure !== null && (await this.#postponed(due, failure))) return;
    if (failure !== null)
      log.warn({ source: source.id, item: due.itemId, reason: failure.message }, "a document was not read");
    const item = await this.#withDocuments(raw, source, read, signal);
    if (item === null) return dropDocument(db.main, due.itemId);
    await ingest(this.#deps, [item], { sourceId: source.id, backfill: true, completes: raw });
  }

  /** Only a missing document counts as a try, since an unreachable or busy host will be back. @returns false after the last */
  async #postponed({ itemId, tries }: DueDocument, failure: FetchError): Promise<boolean> {
    const { status, retryAfterMs, isUnreached } = failure;
    const counts = status !== null && notThere.has(status);
    const awayMs = isUnreached ? unreachedMs : hostAwayMs;
    const delayMs = counts ? retryDelaysMs[tries] : awayMs;
    if (delayMs === undefined) return false;
    await postponeDocument(this.#deps.db.main, itemId, {
      delayMs: Math.max(delayMs, retryAfterMs ?? 0),
      counts,
    });
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
        const options = { validators: null, asker: source, signal };
        const fetched = await fetcher.fetch(request, options);
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
