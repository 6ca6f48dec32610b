import { maxQueryValues } from "../input.ts";
import { scoreLimits } from "../score.ts";
import { titleLimits } from "../title/title.ts";

/** A chapter before the endpoints. `text` is Markdown: paragraphs, `-` lists, fenced blocks and `code`. */
export interface Chapter {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

/** Chapters on the whole API: shown in the OpenAPI description, on the reference page and in llms.txt. */
export function guide(serverUrl: string): readonly Chapter[] {
  return [authentication(serverUrl), ...calls, stream(serverUrl), ...others];
}

function authentication(serverUrl: string): Chapter {
  return {
    id: "authentication",
    title: "Authentication",
    text: `Send \`Authorization: Bearer <API_KEY>\` with every request. Keys begin with \`tw_live_\`. The operator creates them; each is shown once. A missing, wrong, revoked or expired key gets 401 with \`WWW-Authenticate: Bearer\`. Endpoints under \`/admin/v1\` take the operator's admin token in the same header.

\`\`\`
curl -H "Authorization: Bearer $TAPEWIRE_KEY" '${serverUrl}/v1/feeds?limit=3'
\`\`\``,
  };
}

const calls: readonly Chapter[] = [
  {
    id: "requests",
    title: "Requests and responses",
    text: `- Send bodies as JSON in UTF-8 with \`Content-Type: application/json\`. A body may have ${scoreLimits.requestBytes / 1024 / 1024} MiB unless the endpoint says otherwise. \`null\` for an optional member means that it is absent.
- Times are RFC 3339. Responses use UTC with milliseconds and \`Z\`. Times that you send are compared in full precision.
- Unknown query parameters are ignored. A parameter given twice is an error. Ignore response members that you do not know: new ones are added without notice.
- Every response has an \`X-Request-Id\`. HEAD works wherever GET does and returns the same headers.
- The response to a GET has an \`ETag\`. Send it back as \`If-None-Match\`: while nothing has changed you get 304 without a body.
- Responses above 1 KB are compressed with br or gzip where \`Accept-Encoding\` allows it. Web pages of any origin may call \`/v1\` with a key (CORS).`,
  },
  {
    id: "filters",
    title: "Filters",
    text: `An item must satisfy all filters that you give. Values of one filter are alternatives: separate them by commas, at most ${maxQueryValues}. The tag dimensions \`corp_activity\`, \`market\`, \`market_country\` and \`economic_category\` are separate filters, so all that you give must match. Symbols, exchanges and source names match in any case; \`symbol\` takes \`AAPL\` or \`NASDAQ:AAPL\`. \`since\` is inclusive and \`until\` exclusive; both compare \`published_at\`. \`event\` takes kinds of events, as \`GET /v1/events\` lists them; an item passes with any of its events. \`min_conviction\` and \`min_actionability_score\` are lower bounds of 0 to 100. \`q\` searches titles: all words must be in the title, \`"words in quotes"\` must follow each other, and \`-word\` must not be in it; case and diacritics do not count, words are matched whole, and Chinese, Japanese, Korean, Thai and similar text is matched character by character. It takes at most ${titleLimits.terms} words and phrases and ${titleLimits.queryLength} characters, and needs a word. Filters on actionability, sentiment and conviction never match an item whose score is null. An unknown tag value gets 400 with the list of allowed values, an unknown kind of event 400; \`market_country\` takes any ISO 3166-1 alpha-2 code.`,
  },
  {
    id: "paging",
    title: "Paging",
    text: `Lists of items are newest first by \`published_at\`, then \`id\`. Pass \`next_cursor\` as \`cursor\`, with the same filters, until it is null. Paging shows each item that existed at the first page exactly once, even while new items arrive. A \`limit\` above the plan's cap is lowered to it; \`X-Page-Limit\` shows the cap.`,
  },
  {
    id: "scores",
    title: "Scores",
    text: `Check \`scoring.locked\` first: on plans without scores it is true and every score is null.

- \`actionability\`: whether the item is rated likely to move the price; \`actionability_score\` is the score behind it, 0 to 100.
- \`sentiment_short\`: expected direction over the next hours to days; \`sentiment_long\`: over weeks to quarters. Both range from -5 (most bearish) to +5 (most bullish). \`sentiment_conviction\`, 0 to 100, is the confidence in the short direction.
- \`sentiment_score\`: 5 + \`sentiment_short\`, 0 to 10, kept for older clients.

Scores are null when the item was not scored, for example because there is no model for its language.`,
  },
  {
    id: "limits",
    title: "Limits",
    text: `Limits count per account, over all of its keys. \`GET /v1/me\` shows them.

- \`minute\`: requests a minute. The bucket holds a quarter of them, at least 10, so that many may be sent at once. \`reference\`: reference reads, \`/v1/feeds/stats\`, \`/v1/me\` and \`/v1/usage\`. They use no quota and have ten times the plan's rate.
- \`day\`: score calls a day. Daily quotas are reset at 00:00 UTC.
- Responses to a valid key carry \`RateLimit-Policy\` and \`RateLimit\` (\`"minute";r=9;t=2\`: 9 more requests are allowed now, and the bucket is full again in 2 s). For the first limit in the list they also carry the older \`X-RateLimit-Limit\`, \`-Remaining\` and \`-Reset\`.
- A 429 lists the limits that were exceeded in \`violated-policies\`. 429, 503 and 507 have \`Retry-After\` in seconds. \`address\`: requests without a valid key are limited by client address; such a 429 has no RateLimit headers.
- Opening a stream counts as one request of \`minute\`. \`streams\`: streams open at the same time. An account may request 5 snapshots a minute over all its streams.`,
  },
  {
    id: "idempotency",
    title: "Repeating a request",
    text: `GET, PATCH and DELETE may be repeated. A POST that takes an \`Idempotency-Key\` (any text of 1 to 255 printable ASCII characters) runs once for that key: a repeat within 24 hours gets the stored response and costs nothing. The newest responses of an account are stored, at most 100,000 and 64 MiB. The same key with another request, or while the first is still running, gets 409 \`idempotency_conflict\`; only the latter has \`Retry-After\`: wait, and repeat with the same key. A call that fails uses no quota, and its key may be used again.`,
  },
];

function stream(serverUrl: string): Chapter {
  const streamUrl = `${serverUrl.replace(/^http/, "ws")}/v1/stream`;
  return {
    id: "stream",
    title: "Realtime stream",
    text: `Open a WebSocket to \`${streamUrl}?api_key=<API_KEY>\`, or send the Authorization header with the upgrade request. Frames are JSON objects with a \`type\`; ignore types you do not know. Send \`subscribe\` to start. Each \`feed\` frame has the item in \`data\`, and a \`cursor\`. After a lost connection send \`subscribe\` with \`after\` and the newest cursor: you get every matching item after it, in order, then live items. \`resumed: false\` in the response means that the service could not resume from that cursor. \`/asyncapi.json\` (AsyncAPI 3.0) describes every frame, filter, limit and close code. Browsers may read the same frames as server-sent events: \`/v1/stream/sse?api_key=<API_KEY>\`. \`GET /v1/replay\` reads what the stream carried again, from any time or cursor.

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
    text: `The service posts each item that matches an endpoint's filters to its URL, as \`{"type": "feed.scored", "timestamp", "data", "seq", "latency"}\`, with \`data\` as on the stream. The headers follow Standard Webhooks 1.0.0: \`webhook-id\` (the same on every retry), \`webhook-timestamp\` and \`webhook-signature\`. The signature is \`v1,\` and the base64 HMAC-SHA256 of \`id.timestamp.body\`; the key is the base64 text after \`whsec_\`, decoded. For 24 hours after a rotation the header holds two signatures.

- Answer 2xx within 15 seconds. Otherwise the delivery is retried after 5 s, 5 min, 30 min, 2 h, 5 h and 10 h (the operator may set other waits), until the item is older than the endpoint's \`max_age\`. A 410 disables the endpoint.
- A delivery may arrive twice: remember each \`webhook-id\`. Of two versions of an item the one with the higher \`seq\` is newer.`,
  },
  {
    id: "errors",
    title: "Errors",
    text: `Errors are RFC 9457 problem documents, \`application/problem+json\`. Decide by \`code\`. \`errors\` lists the fields that are wrong. Give \`request_id\` to the operator when you report a failure. A method that a path does not support gets 405; \`Allow\` lists the methods it supports.`,
  },
  {
    id: "versions",
    title: "Versions",
    text: `The version is in the path, \`/v1\`. Within a version endpoints, parameters, members, error codes and frame types are only added. A removal is announced in CHANGELOG.md at least 6 months ahead. From then on responses of the endpoint carry \`Deprecation\` (RFC 9745) and \`Sunset\` (RFC 8594) with the dates.`,
  },
];

/** The chapters as one Markdown text. */
export function guideMarkdown(chapters: readonly Chapter[]): string {
  return chapters.map(({ title, text }) => `## ${title}\n\n${text}`).join("\n\n");
}
