import type { Exchange } from "./types.ts";

/** Answers of /v1 are for pages of any origin: a bearer key is never sent by a browser of its own accord. */
export const corsHeaders = {
  "Access-Control-Allow-Origin": "*",
  // Else a page cannot read them.
  "Access-Control-Expose-Headers":
    "ETag, RateLimit, RateLimit-Policy, Retry-After, X-Page-Limit, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id",
} as const;

/** Under which paths pages of other origins may ask. */
export function isCorsPath(path: string): boolean {
  return path.startsWith("/v1/");
}

/** Answers OPTIONS, without a key: a browser asks before it sends one. */
export function answerPreflight({ response, headers }: Exchange, methods: readonly string[]): void {
  response.writeHead(204, {
    ...headers,
    Allow: [...methods, "OPTIONS"].join(", "),
    "Access-Control-Allow-Methods": methods.join(", "),
    "Access-Control-Allow-Headers":
      "Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID",
    // What Chromium keeps at most.
    "Access-Control-Max-Age": "7200",
  });
  response.end();
}
