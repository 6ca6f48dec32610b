import type { Exchange } from "./types.ts";

/** Pages of any origin may read responses of /v1, and OpenBB Workspace those for it: a browser never sends a bearer key by itself. */
export const corsHeaders = {
  "Access-Control-Allow-Origin": "*",
  // Without this a page cannot read these headers.
  "Access-Control-Expose-Headers":
    "ETag, RateLimit, RateLimit-Policy, Retry-After, X-Page-Limit, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id",
} as const;

/** Paths that pages of other origins may call. */
export function isCorsPath(path: string): boolean {
  return path.startsWith("/v1/") || path.startsWith("/openbb/");
}

/** Responds to OPTIONS without a key, because a browser sends the preflight without one. */
export function answerPreflight({ response, headers }: Exchange, methods: readonly string[]): void {
  response.writeHead(204, {
    ...headers,
    Allow: [...methods, "OPTIONS"].join(", "),
    "Access-Control-Allow-Methods": methods.join(", "),
    "Access-Control-Allow-Headers":
      "Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID",
    // The longest time that Chromium honours.
    "Access-Control-Max-Age": "7200",
  });
  response.end();
}
