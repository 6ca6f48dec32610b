import { retryAfterMs } from "../../runtime/retry-after.ts";
import { decodeText } from "../decode/decode.ts";
import { cleanTitle } from "../text/text.ts";
import type { Headers } from "./response-headers.ts";
import { FetchError } from "./types.ts";

/** As much of an error page is looked at. */
export const errorPageBytes = 16 * 1024;

const blockedHostMs = 10 * 60_000;
const titleLength = 100;

/**
 * The failure that an answer other than 200 is, told by the title of its page.
 * @param head the beginning of the answer's body
 */
export function refusal(status: number, headers: Headers, head: Uint8Array, now: Date): FetchError {
  const page = decodeText(head, headers["content-type"] ?? "");
  // The SEC blocks an address for ten minutes and starts again with every request made meanwhile.
  const blocked = /request rate threshold exceeded|undeclared automated tool/i.test(page);
  const title = titleOf(page);
  const message = blocked ? `blocked by the host (HTTP ${status})` : `HTTP ${status}`;
  return new FetchError(title === null ? message : `${message}: ${title}`, {
    status,
    retryAfterMs: blocked ? blockedHostMs : retryAfterMs(headers["retry-after"], now),
  });
}

/** One line, of 100 UTF-16 code units at most. */
function titleOf(page: string): string | null {
  const title = cleanTitle(/<title(?:\s[^>]{0,200})?>([^<]{1,1000})/i.exec(page)?.[1] ?? "");
  if (title === null || title.length <= titleLength) return title;
  const head = title.slice(0, titleLength - 1).toWellFormed();
  return `${head.replace(/\ufffd$/, "").trimEnd()}…`;
}
