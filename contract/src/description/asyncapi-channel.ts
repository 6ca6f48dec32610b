import { errorTable } from "../errors.ts";
import { maxFilterValues } from "../filter.ts";
import { closeCodes, streamLimits } from "../stream.ts";
import type { CloseCode } from "./asyncapi-types.ts";

const withCursor = "yes, with the newest cursor, after a random wait";
const no = "no";
const closeMeanings: Readonly<Record<keyof typeof closeCodes, Omit<CloseCode, "code">>> = {
  restart: {
    meaning: "The server stops or restarts; the reason carries `cursor=...`",
    reconnect: withCursor,
  },
  silence: { meaning: "Nothing came from the client for 60 s, no pong either", reconnect: withCursor },
  slow_client: {
    meaning: "The client took nothing of what was sent for 30 s; the reason carries `cursor=...`",
    reconnect: withCursor,
  },
  too_many_frames: { meaning: "Over 100 frames in 10 s", reconnect: "yes, slower" },
  bad_frames: { meaning: "Three bad frames in a row", reconnect: "no: mend the client" },
  key_revoked: { meaning: "The key was revoked or has expired", reconnect: no },
  connection_limit: { meaning: "More streams than the plan allows", reconnect: no },
  plan_changed: { meaning: "The account's plan has changed", reconnect: "after a look at the new plan" },
};
const protocolCodes: readonly CloseCode[] = [
  { code: 1002, meaning: "The client broke the WebSocket protocol", reconnect: "no: mend the client" },
  { code: 1007, meaning: "Text that is no UTF-8, or does not unpack", reconnect: "no: mend the client" },
  {
    code: 1009,
    meaning: `A message over ${streamLimits.clientFrameBytes / 1024} KiB, unpacked`,
    reconnect: "no: mend the client",
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

/** Answers before the upgrade. */
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

/** What a client has to know of the channel, as Markdown. */
export function channelText(): string {
  const codes = closes.map(({ code, meaning, reconnect }) => `| ${code} | ${meaning} | ${reconnect} |`);
  const refused = refusals.map(({ status, code, message }) => `| ${status} | \`${code}\` | ${message} |`);
  return `A WebSocket; \`/v1/stream/\` and \`/\` answer too. Frames are JSON objects with a \`type\`: ignore types and members that you do not know. The first frame is \`welcome\`; nothing more comes before a \`subscribe\`.

A \`subscribe\` has its filters in \`filters\`: an unknown one there is an error, but one that stands outside of it is ignored. An empty list restricts nothing. A second \`subscribe\` replaces the filters in one step; one that is refused leaves the old in force.

\`subscribed.snapshot\` is the number of items granted; fewer come where fewer match. They come first, oldest first, with \`snapshot\` true and the cursor of the \`subscribed\`; what follows is live. A \`snapshot\` above ${streamLimits.snapshotItems} counts as ${streamLimits.snapshotItems}, and cannot be combined with \`after\`; on Free ${streamLimits.freeSnapshotItemsPerDay} such items a day are granted.

Keep the newest \`cursor\` of any frame. After a lost connection subscribe with \`after\`: every matching item behind it comes, in order, then live. Where \`resumed\` is then false you are live from now with a gap behind you: \`reason\` says why, \`oldest\` is the oldest cursor still known; fill the gap from \`GET /v1/feeds?since=...\`.

permessage-deflate is agreed on when offered, unless with \`server_max_window_bits\`. The server pings every 30 s. A frame of yours is at most ${streamLimits.clientFrameBytes / 1024} KiB; at most ${streamLimits.subscribes} subscribes in ${streamLimits.subscribesWindowMs / 1000} s, ${maxFilterValues} values a filter, and 100 frames in 10 s. An account has ${streamLimits.snapshotsPerMinute} snapshots a minute over all of its streams; beyond them \`subscribed.snapshot\` is 0, an \`error\` with \`rate_limited\` says why, and live items follow. To open a stream is one of its requests a minute.

Refused before the upgrade, with a problem document (RFC 9457; 429 and 503 with Retry-After):

| status | code | |
| --- | --- | --- |
${refused.join("\n")}

Close codes:

| code | meaning | reconnect |
| --- | --- | --- |
${codes.join("\n")}

The same frames come as server-sent events from \`/v1/stream/sse\`, which \`/openapi.json\` describes. Its filters are parameters under the names of the list, \`symbol\`, \`exchange\`, \`aggregator\`, the tag dimensions by themselves; in a frame they are \`symbols\`, \`exchanges\`, \`aggregators\` and \`tags\`.`;
}
