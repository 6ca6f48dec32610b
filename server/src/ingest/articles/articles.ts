import { z } from "zod";
import { ThreadPool } from "../../runtime/sharing/thread-pool.ts";
import type { Article, Page } from "./article-text.ts";

export type { Article } from "./article-text.ts";

/** Limits for reading pages. */
export const articleLimits = {
  /** UTF-16 code units or bytes; a larger page is no article. */
  page: 6_000_000,
  /** Time for one page in the thread, which is then ended. */
  pageMs: 5_000,
  /** Pages that may wait; further ones are not read. */
  waiting: 50,
  heapMb: 256,
} as const;

/** The thread's answer; null: the page broke the reader. */
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
 * Reads the articles of pages in a thread, one page at a time: a page that takes too long or too much memory ends only
 * that thread.
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
   * @returns null when the page has no readable article (see articleOf), when it cannot be read within the limits, or when
   * too many pages wait
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
      // Copied, because the caller keeps its bytes, and a view would transfer the whole buffer under it.
      const page = { html: typeof html === "string" ? html : html.slice(), contentType };
      return answer.parse(await this.#threads.run(page, { signal })).article;
    } catch {
      signal.throwIfAborted();
      return null;
    }
  }

  /** Waiting calls get null. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#threads[Symbol.asyncDispose]();
  }
}

function isHtml(contentType: string): boolean {
  return contentType === "" || /^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(contentType);
}

/** Many sites redirect the reader of a removed article to their home page. */
function isHomePage(url: string): boolean {
  const parsed = URL.parse(url);
  return parsed !== null && parsed.pathname === "/" && parsed.search === "";
}
