import { retryAfterMs } from "../../runtime/retry-after.ts";
import { decodeText } from "../decode/decode.ts";
import { cleanTitle } from "../text/text.ts";
import type { Headers } from "./response-headers.ts";
import { type BlockNotice, FetchError } from "./types.ts";

/** How much of an error page is read. */
export const errorPageBytes = 16 * 1024;

const titleLength = 100;

interface ErrorAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The beginning of the answer's body. */
  readonly head: Uint8Array;
}

/** The error for an answer with another status than 200, with the title of its page. */
export function refusal(
  { status, headers, head }: ErrorAnswer,
  now: Date,
  notices: readonly BlockNotice[],
): FetchError {
  const page = decodeText(head, headers["content-type"] ?? "");
  const block = notices.find((notice) => notice.page.test(page));
  const title = titleOf(page);
  const message = block !== undefined ? `blocked by the host (HTTP ${status})` : `HTTP ${status}`;
  return new FetchError(title === null ? message : `${message}: ${title}`, {
    status,
    retryAfterMs: block?.quietMs ?? retryAfterMs(headers["retry-after"], now),
  });
}

/**
 * The error for an answer with status 200 that tells of a block in place of what was asked for; null: it does not.
 * Only by the title of a small page: what was asked for may be about blocks.
 */
export function blockInstead(
  { headers, head: body }: Omit<ErrorAnswer, "status">,
  now: Date,
  notices: readonly BlockNotice[],
): FetchError | null {
  if (notices.length === 0 || body.byteLength > errorPageBytes) return null;
  const page = decodeText(body, headers["content-type"] ?? "");
  const title = /^\s*<(?:!doctype html|html)\b/i.test(page) ? titleOf(page) : null;
  const isNotice = title !== null && notices.some((notice) => notice.page.test(title));
  return isNotice ? refusal({ status: 200, headers, head: body }, now, notices) : null;
}

/** One line, of 100 UTF-16 code units at most. */
function titleOf(page: string): string | null {
  const title = cleanTitle(/<title(?:\s[^>]{0,200})?>([^<]{1,1000})/i.exec(page)?.[1] ?? "");
  if (title === null || title.length <= titleLength) return title;
  const head = title.slice(0, titleLength - 1).toWellFormed();
  return `${head.replace(/\ufffd$/, "").trimEnd()}…`;
}
