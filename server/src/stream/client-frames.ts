import { fieldErrors } from "@tapewire/contract/errors/errors.ts";
import { accountFilterRule } from "@tapewire/contract/filter.ts";
import {
  type ClientFrame,
  type clientFrame,
  clientFrameId,
  closeCodes,
  type ServerFrame,
  type SubscriptionFilters,
  streamLimits,
} from "@tapewire/contract/stream.ts";
import { z } from "zod";

/** A client's subscribe frame, checked. */
export interface SubscribeRequest {
  readonly filters: SubscriptionFilters;
  /** 0: none. */
  readonly snapshot: number;
  readonly after: string | null;
  readonly id: string | number | undefined;
}

/** The outcome of a client's frame. */
export type ClientRequest =
  | { readonly do: "subscribe"; readonly request: SubscribeRequest }
  | { readonly do: "unsubscribe"; readonly id: string | number | undefined }
  | { readonly do: "pong" }
  | { readonly do: "refuse"; readonly frame: ServerFrame & { type: "error" } }
  | { readonly do: "close"; readonly code: number; readonly reason: string };

/** A refused frame, with the id by which its sender knows it. */
interface BadFrame {
  readonly problem: string;
  readonly id?: string | number | undefined;
}
const echoedId = z.object({ id: clientFrameId });

const framesWindowMs = 10_000;
const framesPerWindow = 100;

export type HasRoom = (filters: SubscriptionFilters) => boolean;

/** Made once for all connections, since a schema takes more memory than a connection. */
export type ClientFrameSchema = ReturnType<typeof clientFrame>;

/** The rules for clients' frames, without I/O or clock: takes a frame and a time, returns a request or a refusal. */
export class ClientFrames {
  readonly #schema: ClientFrameSchema;
  readonly #hasRoom: HasRoom;
  #badInARow = 0;
  readonly #frames = new Window(framesWindowMs, framesPerWindow);
  readonly #subscribes = new Window(streamLimits.subscribesWindowMs, streamLimits.subscribes);

  /** @param hasRoom takes room for the filters of a subscription, if there is any */
  constructor(schema: ClientFrameSchema, hasRoom: HasRoom = () => true) {
    this.#schema = schema;
    this.#hasRoom = hasRoom;
  }

  /**
   * @param text a text message of the client; null for a binary one
   * @param nowMs monotonic
   */
  receive(text: string | null, nowMs: number): ClientRequest[] {
    if (!this.#frames.allows(nowMs))
      return [{ do: "close", code: closeCodes.too_many_frames, reason: "too many frames" }];
    const frame = this.#parse(text);
    if ("problem" in frame) return this.#bad(frame);
    this.#badInARow = 0;
    switch (frame.type) {
      case "ping":
        return [{ do: "pong" }];
      case "unsubscribe":
        return [{ do: "unsubscribe", id: frame.id }];
      case "subscribe":
        return [this.#subscribe(frame, nowMs)];
    }
  }

  #parse(text: string | null): ClientFrame | BadFrame {
    if (text === null) return { problem: "frames must be JSON text, not binary" };
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return { problem: "the frame is not JSON" };
    }
    const parsed = this.#schema.safeParse(value);
    if (parsed.success) return fitting(parsed.data);
    const problem = fieldErrors(parsed.error, "body")
      .map(({ name, detail }) => `${name || "frame"}: ${detail}`)
      .join("; ");
    return { problem, ...echoedId.safeParse(value).data };
  }

  #bad({ problem, id }: BadFrame): ClientRequest[] {
    this.#badInARow += 1;
    const fatal = this.#badInARow >= streamLimits.badFramesInARow;
    const refusal = refuse("invalid_frame", problem, id, fatal);
    return fatal ? [refusal, { do: "close", code: closeCodes.bad_frames, reason: "bad frames" }] : [refusal];
  }

  #subscribe(frame: ClientFrame & { type: "subscribe" }, nowMs: number): ClientRequest {
    const { filters, snapshot = 0, after = null, id } = frame;
    if (!this.#subscribes.allows(nowMs))
      return refuse("rate_limited", "at most 5 subscribes in 10 seconds", id);
    if (!this.#hasRoom(filters)) return refuse("invalid_frame", `filters: ${accountFilterRule}`, id);
    return {
      do: "subscribe",
      request: { filters, snapshot: Math.min(snapshot, streamLimits.snapshotItems), after, id },
    };
  }
}

/** Checks members that are valid each by itself for valid combinations. */
function fitting(frame: ClientFrame): ClientFrame | BadFrame {
  if (frame.type !== "subscribe" || frame.after === undefined || frame.snapshot === undefined) return frame;
  return { problem: "after: cannot be combined with snapshot", id: frame.id };
}

function refuse(
  code: "invalid_frame" | "rate_limited",
  message: string,
  id: string | number | undefined,
  fatal = false,
): ClientRequest {
  return {
    do: "refuse",
    frame: { type: "error", code, message, fatal, ...(id === undefined ? {} : { id }) },
  };
}

/** Allows `most` events in any span of `spanMs`. Refused events do not count. */
class Window {
  readonly #spanMs: number;
  readonly #most: number;
  #times: number[] = [];

  constructor(spanMs: number, most: number) {
    this.#spanMs = spanMs;
    this.#most = most;
  }

  allows(nowMs: number): boolean {
    this.#times = this.#times.filter((time) => time > nowMs - this.#spanMs);
    if (this.#times.length >= this.#most) return false;
    this.#times.push(nowMs);
    return true;
  }
}
