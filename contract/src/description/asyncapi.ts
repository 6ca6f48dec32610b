import { type ErrorCode, errorTable } from "../errors.ts";
import { clientExamples, serverExamples } from "../examples/stream.ts";
import { maxFilterValues } from "../filter.ts";
import {
  type ClientFrame,
  clientFrame,
  closeCodes,
  type ServerFrame,
  serverFrame,
  streamLimits,
} from "../stream.ts";
import type { TagDictionary } from "../tags.ts";
import { schemaOf } from "./json-schema.ts";
import type { Reference, Schema } from "./openapi-types.ts";

interface Message {
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  readonly contentType: "application/json";
  readonly payload: Schema;
  readonly examples: readonly { readonly name: string; readonly summary: string; readonly payload: object }[];
}

interface Operation {
  /** As the server sees it: `receive` what clients send. */
  readonly action: "send" | "receive";
  readonly title: string;
  readonly summary: string;
  readonly channel: Reference;
  readonly messages: readonly Reference[];
  readonly reply?: { readonly channel: Reference; readonly messages: readonly Reference[] };
}

export interface AsyncApiDocument {
  readonly asyncapi: "3.0.0";
  readonly info: Readonly<Record<"title" | "version" | "description", string>> & {
    readonly license: { readonly name: string; readonly url: string };
  };
  readonly defaultContentType: "application/json";
  readonly servers: {
    readonly stream: {
      readonly host: string;
      readonly pathname?: string;
      readonly protocol: "ws" | "wss";
      readonly description: string;
      readonly security: readonly Reference[];
    };
  };
  readonly channels: {
    readonly stream: {
      readonly address: "/v1/stream";
      readonly title: string;
      /** Markdown. */
      readonly description: string;
      readonly messages: Readonly<Record<string, Reference>>;
      readonly bindings: {
        readonly ws: { readonly method: "GET"; readonly query: Schema; readonly bindingVersion: "0.1.0" };
      };
      readonly "x-close-codes": readonly CloseCode[];
      readonly "x-refusals": readonly {
        readonly status: number;
        readonly code: ErrorCode;
        readonly message: string;
      }[];
    };
  };
  readonly operations: Readonly<Record<string, Operation>>;
  readonly components: {
    readonly messages: Readonly<Record<string, Message>>;
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly securitySchemes: Readonly<Record<"key" | "keyInQuery", object>>;
  };
}

interface CloseCode {
  readonly code: number;
  readonly meaning: string;
  /** What a client does about it. */
  readonly reconnect: string;
}

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
const closes: readonly CloseCode[] = [
  ...protocolCodes,
  ...Object.keys(closeCodes)
    .filter(isCloseName)
    .map((name) => ({ code: closeCodes[name], ...closeMeanings[name] })),
].sort((a, b) => a.code - b.code);

const refusals = (
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

type FrameType = ClientFrame["type"] | ServerFrame["type"];

/** What a frame is for; one line each. */
const summaries: Readonly<Record<FrameType, string>> = {
  subscribe: "Starts delivery, or replaces the filters in one step.",
  unsubscribe: "Stops delivery and keeps the connection.",
  ping: "Asks for a pong.",
  welcome: "The first frame: what the plan allows.",
  subscribed: "Answers a subscribe, before any of its items.",
  unsubscribed: "Answers an unsubscribe.",
  feed: "One item. Look at `data.scoring.locked` first.",
  quota_exceeded: "The day's live items are used up: silence until 00:00 UTC, then it goes on from the tip.",
  pong: "Answers a ping, with the cursor to resume from.",
  heartbeat: "Comes every 15 s while subscribed, with the cursor to resume from.",
  error: "A frame was refused or, when `fatal`, the connection ends.",
};

interface Exchange {
  readonly action: Operation["action"];
  readonly messages: readonly FrameType[];
  readonly reply?: readonly FrameType[];
  readonly title: string;
}
const exchanges: Readonly<Record<string, Exchange>> = {
  subscribe: {
    action: "receive",
    title: "Subscribe",
    messages: ["subscribe"],
    reply: ["subscribed", "error"],
  },
  unsubscribe: {
    action: "receive",
    title: "Unsubscribe",
    messages: ["unsubscribe"],
    reply: ["unsubscribed", "error"],
  },
  ping: { action: "receive", title: "Ping", messages: ["ping"], reply: ["pong", "error"] },
  greet: { action: "send", title: "Welcome", messages: ["welcome"] },
  deliver: { action: "send", title: "Deliver items", messages: ["feed"] },
  stopForToday: { action: "send", title: "Stop for the day", messages: ["quota_exceeded"] },
  showLife: { action: "send", title: "Heartbeat", messages: ["heartbeat"] },
  warn: { action: "send", title: "Error", messages: ["error"] },
};

/** The AsyncAPI 3.0 document of the realtime stream, made from the schemas that its frames are checked with. */
export function asyncApiDocument(dictionary: TagDictionary, baseUrl: string): AsyncApiDocument {
  const schemas: Record<string, Schema> = {};
  const frames = [
    ...clientFrame(dictionary).options.map((schema) => ({
      schema,
      examples: clientExamples[schema.shape.type.value],
    })),
    ...serverFrame.options.map((schema) => ({ schema, examples: serverExamples[schema.shape.type.value] })),
  ];
  const messages = Object.fromEntries(
    frames.map(({ schema, examples }) => {
      const name = schema.shape.type.value;
      const payload = schemaOf(schema, schemas);
      return [name, message(name, payload, examples)];
    }),
  );
  const { host, pathname, protocol } = new URL(baseUrl);
  const prefix = pathname.replace(/\/+$/, "");
  return {
    asyncapi: "3.0.0",
    info: {
      title: "Tapewire realtime stream",
      version: "1.0.0",
      description:
        "Scored news and regulatory filings as they come. Operations are named from the server's side: it receives what clients send.",
      license: { name: "Apache License 2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
    },
    defaultContentType: "application/json",
    servers: {
      stream: {
        host,
        ...(prefix === "" ? {} : { pathname: prefix }),
        protocol: protocol === "https:" ? "wss" : "ws",
        description: "This server.",
        security: [ref("securitySchemes", "key"), ref("securitySchemes", "keyInQuery")],
      },
    },
    channels: {
      stream: {
        address: "/v1/stream",
        title: "Realtime stream",
        description: channelText(),
        messages: Object.fromEntries(Object.keys(messages).map((name) => [name, ref("messages", name)])),
        bindings: { ws: { method: "GET", query: querySchema, bindingVersion: "0.1.0" } },
        "x-close-codes": closes,
        "x-refusals": refusals,
      },
    },
    operations: Object.fromEntries(Object.entries(exchanges).map(([name, one]) => [name, operation(one)])),
    components: { messages, schemas, securitySchemes },
  };
}

const querySchema: Schema = {
  type: "object",
  properties: {
    api_key: { type: "string", description: "The API key, where no header can be set." },
  },
};

const securitySchemes = {
  key: { type: "http", scheme: "bearer", description: "An API key, `tw_live_...`, in Authorization." },
  keyInQuery: {
    type: "httpApiKey",
    name: "api_key",
    in: "query",
    description: "An API key in the address, for browsers.",
  },
} as const;

function ref(kind: "messages" | "securitySchemes", name: string): Reference {
  return { $ref: `#/components/${kind}/${name}` };
}

function message(
  name: FrameType,
  payload: Schema,
  examples: readonly { readonly says: string; readonly frame: object }[],
): Message {
  return {
    name,
    title: name,
    summary: summaries[name],
    contentType: "application/json",
    payload,
    examples: examples.map(({ says, frame }, index) => ({
      name: `${name}${index + 1}`,
      summary: `${says}.`,
      payload: frame,
    })),
  };
}

function operation({ action, title, messages, reply }: Exchange): Operation {
  const channel = { $ref: "#/channels/stream" };
  const inChannel = (names: readonly FrameType[]) =>
    names.map((name) => ({ $ref: `#/channels/stream/messages/${name}` }));
  return {
    action,
    title,
    summary: messages.map((name) => summaries[name]).join(" "),
    channel,
    messages: inChannel(messages),
    ...(reply === undefined ? {} : { reply: { channel, messages: inChannel(reply) } }),
  };
}

function channelText(): string {
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
