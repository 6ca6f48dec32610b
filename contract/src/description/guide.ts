import { maxQueryValues } from "../filter.ts";
import { scoreLimits } from "../score.ts";

/** A chapter before the endpoints. `text` is Markdown: paragraphs, `-` lists, fenced blocks and `code`. */
export interface Chapter {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

/** What holds for the whole API: in the description of the OpenAPI document, on the reference page and in llms.txt. */
export function guide(serverUrl: string): readonly Chapter[] {
  return [authentication(serverUrl), ...calls, stream(serverUrl), ...others];
}

function authentication(serverUrl: string): Chapter {
  return {
    id: "authentication",
    title: "Authentication",
    text: `Send \`Authorization: Bearer <API_KEY>\` with every request. Keys begin with \`tw_live_\`; the operator creates them, and they are shown once. A missing, wrong, revoked or expired key is answered 401 with \`WWW-Authenticate: Bearer\`. Endpoints under \`/admin/v1\` take the operator's admin token in the same header.

\`\`\`
curl -H "Authorization: Bearer $TAPEWIRE_KEY" '${serverUrl}/v1/feeds?limit=3'
\`\`\``,
  };
}

const calls: readonly Chapter[] = [
  {
    id: "requests",
    title: "Requests and answers",
    text: `- Bodies are JSON in UTF-8, sent with \`Content-Type: application/json\`; at most ${scoreLimits.requestBytes / 1024 / 1024} MiB where nothing else is said. \`null\` for an optional member means that it is absent.
- Times are RFC 3339; answers carry UTC with milliseconds and \`Z\`. Those you send are compared in all their digits.
- Query parameters that are not known are ignored, one given twice is an error. Ignore members of answers that you do not know: new ones come without notice.
- Every answer has an \`X-Request-Id\`. HEAD works wherever GET does, with the same headers.
- A GET answers with an \`ETag\`; sent back as \`If-None-Match\` it gives 304 without a body while nothing has changed.
- Answers above 1 KB are compressed with br or gzip where \`Accept-Encoding\` allows it. Pages of any origin may call \`/v1\` with a key (CORS).`,
  },
  {
    id: "filters",
    title: "Filters",
    text: `All filters given must hold. Values of one filter are alternatives, separated by commas, at most ${maxQueryValues}; across the tag dimensions \`corp_activity\`, \`market\`, \`market_country\` and \`economic_category\` all must match. Symbols, exchanges and source names match in any case; \`symbol\` takes \`AAPL\` or \`NASDAQ:AAPL\`. \`since\` is inclusive, \`until\` exclusive, both on \`published_at\`. Filters on actionability and sentiment never match an item whose score is null. A tag value that does not exist is 400 and names those that do; \`market_country\` takes any ISO 3166-1 alpha-2 code.`,
  },
  {
    id: "paging",
    title: "Paging",
    text: `Lists of items are newest first by \`published_at\`, then \`id\`. Pass \`next_cursor\` as \`cursor\`, with the same filters, until it is null. A walk shows each item that existed at its start exactly once, also while new ones arrive. \`limit\` above the plan's cap is lowered to it; \`X-Page-Limit\` tells that cap.`,
  },
  {
    id: "scores",
    title: "Scores",
    text: `Look at \`scoring.locked\` first: on plans without scores it is true and every score is null.

- \`actionability\`: is the item likely to move price; \`actionability_score\` says how clearly, 0 to 100.
- \`sentiment_short\`: direction over hours to days, \`sentiment_long\` over weeks to quarters, each -5 (most bearish) to +5 (most bullish); \`sentiment_conviction\`, 0 to 100, is how sure the short one is.
- \`sentiment_score\`: 5 + \`sentiment_short\`, 0 to 10, kept for older clients.

Scores are null where the engine did not judge, for example in a language it does not know.`,
  },
  {
    id: "limits",
    title: "Limits",
    text: `Limits count per account, over all of its keys; \`GET /v1/me\` tells them.

- \`minute\`: requests, by a bucket that holds a quarter of the minute's requests, at least 10. \`reference\`: reference reads, \`/v1/me\` and \`/v1/usage\`, which use no quota; ten times the plan's requests.
- \`day\`: score calls. Daily quotas turn at 00:00 UTC.
- Answers to a key carry \`RateLimit-Policy\` and \`RateLimit\` (\`"minute";r=9;t=2\`: 9 requests may follow at once, all are back in 2 s) and, of the first limit alone, the older \`X-RateLimit-Limit\`, \`-Remaining\` and \`-Reset\`.
- A 429 names what was exceeded in \`violated-policies\` and has \`Retry-After\` in seconds; so has a 503. \`address\`: requests without a valid key are limited by client address, and such a 429 has none of the RateLimit headers.
- Opening a stream takes one of \`minute\`. \`streams\`: streams open at a time. Over all streams there are 5 snapshots a minute.`,
  },
  {
    id: "idempotency",
    title: "Repeating a request",
    text: `GET, PATCH and DELETE may be repeated. A POST that takes an \`Idempotency-Key\` (any text of 1 to 255 printable ASCII characters) is done once for it: a repeat within 24 hours gets the stored answer and costs nothing; an account's newest 100,000 answers and 64 MiB of them are kept. The same key with another request, or while the first still runs, is 409 \`idempotency_conflict\`. A call that fails costs no quota and leaves its key free.`,
  },
];

function stream(serverUrl: string): Chapter {
  const streamUrl = `${serverUrl.replace(/^http/, "ws")}/v1/stream`;
  return {
    id: "stream",
    title: "Realtime stream",
    text: `A WebSocket at \`${streamUrl}?api_key=<API_KEY>\`, or with the Authorization header on the upgrade. Frames are JSON objects with a \`type\`; ignore types you do not know. Send \`subscribe\` to start; each \`feed\` frame has the item in \`data\`, and a \`cursor\`. After a lost connection subscribe with \`after\` and the newest cursor: every matching item behind it comes, in order, then live. \`resumed: false\` in the answer tells that the cursor is no longer known. Every frame, filter, limit and close code is described in \`/asyncapi.json\` (AsyncAPI 3.0). Browsers may read the same frames as server-sent events: \`/v1/stream/sse?api_key=<API_KEY>\`.

\`\`\`
{"type": "subscribe", "filters": {"symbols": ["OBTX"], "actionability": true}, "snapshot": 5}
{"type": "subscribe", "after": "<cursor>"}
\`\`\``,
  };
}

const others: readonly Chapter[] = [
  {
    id: "webhooks",
    title: "Webhooks",
    text: `Each item that passes an endpoint's filters is posted to its URL as \`{"type": "feed.scored", "timestamp", "data", "seq", "latency"}\`, with \`data\` as on the stream. Headers are those of Standard Webhooks 1.0.0: \`webhook-id\` (the same on every retry), \`webhook-timestamp\`, and \`webhook-signature\`: \`v1,\` and the base64 HMAC-SHA256 of \`id.timestamp.body\`, by the key that follows \`whsec_\`; two of them for 24 hours after a rotation.

- Answer 2xx within 15 seconds; all else is tried again after 5 s, 5 min, 30 min, 2 h, 5 h and 10 h, unless the operator has set other waits, up to the endpoint's \`max_age\`. 410 disables the endpoint.
- Deliveries may repeat: remember the \`webhook-id\`. A higher \`seq\` of the same item is the newer version.`,
  },
  {
    id: "errors",
    title: "Errors",
    text: `Errors are RFC 9457 problem documents, \`application/problem+json\`. Decide by \`code\`; \`errors\` names the offending fields, \`request_id\` is for the operator. A path answers 405 to a method it does not take and names those it does in \`Allow\`.`,
  },
  {
    id: "versions",
    title: "Versions",
    text: `The version is in the path, \`/v1\`. Within it things are only added: endpoints, parameters, members, error codes, frame types. Whatever is to go is announced in CHANGELOG.md at least 6 months ahead, and answers of the endpoint then carry \`Deprecation\` (RFC 9745) and \`Sunset\` (RFC 8594) with the dates.`,
  },
];

/** The chapters as one Markdown text. */
export function guideMarkdown(chapters: readonly Chapter[]): string {
  return chapters.map(({ title, text }) => `## ${title}\n\n${text}`).join("\n\n");
}
