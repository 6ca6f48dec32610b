import type { ClientFrame, ServerFrame } from "../stream.ts";
import type { Message, Operation } from "./asyncapi-types.ts";
import type { Schema } from "./openapi-types.ts";

type FrameType = ClientFrame["type"] | ServerFrame["type"];

/** The purpose of each frame, in one line. */
const summaries: Readonly<Record<FrameType, string>> = {
  subscribe: "Starts delivery, or replaces the filters in one step.",
  unsubscribe: "Stops delivery and keeps the connection.",
  ping: "Requests a pong.",
  welcome: "The first frame. States the plan and its limits.",
  subscribed: "Confirms a subscribe, before any of its items.",
  unsubscribed: "Confirms an unsubscribe.",
  feed: "One item. Check `data.scoring.locked` first.",
  quota_exceeded:
    "The daily cap of live items is reached. Delivery stops until 00:00 UTC, then continues with new items.",
  pong: "Reply to a ping, with the cursor to resume from.",
  heartbeat: "Sent every 15 s while subscribed, with the cursor to resume from.",
  error: "A frame was refused. When `fatal` is true, the connection is closed next.",
};

interface Exchange {
  readonly action: Operation["action"];
  readonly messages: readonly FrameType[];
  readonly reply?: readonly FrameType[];
  readonly title: string;
}
/** Which side sends which frames, and the frames that reply to them. */
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

export function operations(): Readonly<Record<string, Operation>> {
  return Object.fromEntries(Object.entries(exchanges).map(([name, one]) => [name, operation(one)]));
}

export function message(
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
