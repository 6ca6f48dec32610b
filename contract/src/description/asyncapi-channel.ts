import { errorTable } from "../errors/errors.ts";
import { maxFilterValues } from "../input.ts";
import { closeCodes, streamLimits } from "../stream.ts";
import type { CloseCode } from "./asyncapi-types.ts";

const withCursor = "yes, with the newest cursor, after a random wait";
const no = "no";
const closeMeanings: Readonly<Record<keyof typeof closeCodes, Omit<CloseCode, "code">>> = {
  restart: {
    meaning: "The server stops or restarts. The reason carries `cursor=...`",
    reconnect: withCursor,
  },
  silence: { meaning: "The client sent nothing for 60 s, not even a pong", reconnect: withCursor },
  slow_client: {
    meaning: "The client read nothing for 30 s. The reason carries `cursor=...`",
    reconnect: withCursor,
  },
  too_many_frames: { meaning: "More than 100 frames, or 512 KiB, in 10 s", reconnect: "yes; send less" },
  bad_frames: { meaning: "Three bad frames in a row", reconnect: "no: correct the client" },
  key_revoked: { meaning: "The key was revoked or has expired", reconnect: no },
  connection_limit: { meaning: "More streams than the plan allows", reconnect: no },
  plan_changed: { meaning: "The account's plan has changed", reconnect: "only after checking the new plan" },
};
const protocolCodes: readonly CloseCode[] = [
  { code: 1002, meaning: "The client broke the WebSocket protocol", reconnect: "no: correct the client" },
  {
    code: 1007,
    meaning: "A message that is not valid UTF-8, or that cannot be decompressed",
    reconnect: "no: correct the client",
  },
  {
    code: 1009,
    meaning: `A message larger than ${streamLimits.clientFrameBytes / 1024} KiB after decompression`,
    reconnect: "no: correct the client",
  },
];
const isCloseName = (name: string): name is keyof typeof closeCodes => name in closeCodes;
/** By code. */
export const closes: readonly CloseCode[] = [
  ...protocolCodes,
  ...Object.keys(closeCodes)
    .filter(isCloseName)
    .map((name) => ({ code: closeCodes[name], ...closeMeanings[name] })),
].sort((a, b) => a.code - b.code);

/** Errors before the upgrade. */
export const refusals = (
  [
    "invalid_parameter",
    "unauthorized",
    "not_found",
    "upgrade_required",
    "too_many_connections",
    "rate_limited",
    "internal",
    "not_ready",
    "overloaded",
  ] as const
).map((code) => ({ status: errorTable[code].status, code, message: errorTable[code].message }));

/** What a client needs to know about the channel, as Markdown. */
export function channelText(): string {
  const codes = closes.map(({ code, meaning, reconnect }) => `| ${code} | ${meaning} | ${reconnect} |`);
  const refused = refusals.map(({ status, code, message }) => `| ${status} | \`${code}\` | ${message} |`);
  return `A WebSocket, also at \`/v1/stream/\` and \`/\`. Frames are JSON objects with a \`type\`: ignore types and members that you do not know. The first frame is \`welcome\`. Nothing else is sent until you send \`subscribe\`.

Put the filters of a \`subscribe\` into \`filters\`. An unknown member of \`filters\` is an error; a filter outside of \`filters\` is ignored. An empty list restricts nothing. A second \`subscribe\` replaces the filters in one step. If it is refused, the old filters stay in force.

\`subscribed.snapshot\` is the number of items granted; you get fewer when fewer match. They are sent first, oldest first, with \`snapshot\` true and the cursor of the \`subscribed\` frame. Live items follow. A \`snapshot\` above ${streamLimits.snapshotItems} is lowered to ${streamLimits.snapshotItems}. It cannot be combined with \`after\`. The Free plan gets ${streamLimits.freeSnapshotItemsPerDay} snapshot items a day.

Keep the newest \`cursor\` of any frame. After a lost connection send \`subscribe\` with \`after\`: you get every matching item after that cursor, in order, then live items. If \`resumed\` is false, you get live items only and have missed some: \`reason\` says why, and \`oldest\` is the oldest cursor you can resume from. Read what you missed from \`GET /v1/feeds?since=...\`.

The server accepts permessage-deflate, unless the offer has \`server_max_window_bits\`. It pings every 30 s. Limits: ${streamLimits.clientFrameBytes / 1024} KiB per frame of yours, 100 frames and ${streamLimits.receivedBytes / 1024} KiB (control frames included) in 10 s, ${streamLimits.subscribes} subscribes in ${streamLimits.subscribesWindowMs / 1000} s, ${maxFilterValues} values per filter. An account may request ${streamLimits.snapshotsPerMinute} snapshots a minute over all its streams. Beyond that \`subscribed.snapshot\` is 0, an \`error\` with \`rate_limited\` says why, and live items follow. Opening a stream counts as one of the account's requests per minute.

Errors before the upgrade, each with a problem document (RFC 9457). 429 and 503 have Retry-After:

| status | code | |
| --- | --- | --- |
${refused.join("\n")}

Close codes:

| code | meaning | reconnect |
| --- | --- | --- |
${codes.join("\n")}

\`/v1/stream/sse\` sends the same frames as server-sent events; \`/openapi.json\` describes it. Its filters are query parameters with the names of \`GET /v1/feeds\`: \`symbol\`, \`exchange\`, \`aggregator\`, and one per tag dimension. In a frame they are \`symbols\`, \`exchanges\`, \`aggregators\` and \`tags\`.`;
}
