import { z } from "zod";
import { ThreadPool } from "../../runtime/thread-pool.ts";
import type { Article, Page } from "./article-text.ts";

export type { Article } from "./article-text.ts";

/** Caps of reading pages. */
export const articleLimits = {
  /** UTF-16 code units or bytes; a larger page is no article. */
  page: 6_000_000,
  /** One page in the reader; then its thread is ended. */
  pageMs: 5_000,
  /** Pages that wait; more are not read. */
  waiting: 50,
  heapMb: 256,
} as const;

/** What the thread answers; null: the page broke the reader. */
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
 * Reads the articles of pages in a thread, one page at a time: a page that takes too long or too much memory ends that
 * thread alone.
 */
export class ArticleReader implements AsyncDisposable {
  readonly #threads: ThreadPool<Page, unknown>;

  constructor(limits: { readonly pageMs?: number; readonly waiting?: number } = {}) {
    const { pageMs, waiting, heapMb } = { ...articleLimits, ...limits };
    const module = new URL("./article-worker.ts", import.meta.url);
    this.#threads = new ThreadPool({ module, threads: 1, waiting, deadlineMs: pageMs, heapMb });
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
    if (html.length > articleLimits.page || !isHtml(contentType) || isHomePage(url)) return null;
    try {
      // The caller keeps its bytes; a view would bring all that stands beside it along.
      const page = { html: typeof html === "string" ? html : html.slice(), contentType };
      return answer.parse(await this.#threads.run(page, { signal })).article;
    } catch {
      signal.throwIfAborted();
      return null;
    }
  }

  /** Those who wait get null. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#threads[Symbol.asyncDispose]();
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
