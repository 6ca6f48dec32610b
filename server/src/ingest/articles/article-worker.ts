import { parentPort } from "node:worker_threads";
import { articleOf, type Page } from "./article-text.ts";

/**
 * The thread of ArticleReader: takes a page, answers with `{ article }`, or null when the page breaks the reader. It
 * opens no file and no connection.
 */
function answer(page: Page): unknown {
  try {
    return { article: articleOf(page) };
  } catch {
    return { article: null };
  }
}

parentPort?.on("message", (page: Page) => parentPort?.postMessage(answer(page)));
parentPort?.postMessage("ready");
