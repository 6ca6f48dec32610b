import { fieldErrors } from "@tapewire/contract/errors.ts";
import {
  type ClientFrame,
  clientFrame,
  closeCodes,
  frameId,
  type ServerFrame,
  type SubscriptionFilters,
  streamLimits,
} from "@tapewire/contract/stream.ts";
import type { TagDictionary } from "@tapewire/contract/tags.ts";
import { z } from "zod";

/** What a client asked for, checked. */
export interface SubscribeRequest {
  readonly filters: SubscriptionFilters;
  /** 0: none. */
  readonly snapshot: number;
  readonly after: string | null;
  readonly id: string | number | undefined;
}

/** What the connection is to do, in order. */
export type Action =
  | { readonly do: "send"; readonly frame: ServerFrame }
  | { readonly do: "subscribe"; readonly request: SubscribeRequest }
  | { readonly do: "unsubscribe"; readonly id: string | number | undefined }
  | { readonly do: "pong" }
  | { readonly do: "close"; readonly code: number; readonly reason: string };

/** A frame that is none, with the id its sender knows it by. */
interface BadFrame {
  readonly problem: string;
  readonly id?: string | number | undefined;
}
const echoedId = z.object({ id: frameId });

const framesWindowMs = 10_000;
const framesPerWindow = 100;
const snapshotWindowMs = 60_000;

/**
 * The rules of the client's side of the stream, without I/O or clock: a frame and a time in, actions out.
 * A refused subscribe leaves the subscription that is in force as it is.
 */
export class Session {
  readonly #schema: ReturnType<typeof clientFrame>;
  #badInARow = 0;
  readonly #frames = new Window(framesWindowMs, framesPerWindow);
  readonly #subscribes = new Window(streamLimits.subscribesWindowMs, streamLimits.subscribes);
  readonly #snapshots = new Window(snapshotWindowMs, streamLimits.snapshotsPerMinute);

  constructor(dictionary: TagDictionary) {
    this.#schema = clientFrame(dictionary);
  }

  /**
   * @param text a text message of the client; null for a binary one
   * @param nowMs monotonic
   */
  receive(text: string | null, nowMs: number): Action[] {
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
    if (text === null) return { problem: "frames are JSON text" };
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return { problem: "the frame is not JSON" };
    }
    const parsed = this.#schema.safeParse(value);
    if (parsed.success) return parsed.data;
    const problem = fieldErrors(parsed.error, "body")
      .map(({ name, detail }) => `${name || "frame"}: ${detail}`)
      .join("; ");
    return { problem, ...echoedId.safeParse(value).data };
  }

  #bad({ problem: message, id }: BadFrame): Action[] {
    this.#badInARow += 1;
    const fatal = this.#badInARow >= streamLimits.badFramesInARow;
    const frame = {
      type: "error",
      code: "invalid_frame",
      message,
      fatal,
      ...(id === undefined ? {} : { id }),
    } as const;
    const error: Action = { do: "send", frame };
    return fatal ? [error, { do: "close", code: closeCodes.bad_frames, reason: "bad frames" }] : [error];
  }

  #subscribe(frame: ClientFrame & { type: "subscribe" }, nowMs: number): Action {
    const { filters, snapshot = 0, after = null, id } = frame;
    const refuse = (code: "invalid_frame" | "rate_limited", message: string): Action => ({
      do: "send",
      frame: { type: "error", code, message, fatal: false, ...(id === undefined ? {} : { id }) },
    });
    if (after !== null && frame.snapshot !== undefined)
      return refuse("invalid_frame", "after: cannot be combined with snapshot");
    if (!this.#subscribes.allows(nowMs)) return refuse("rate_limited", "at most 5 subscribes in 10 seconds");
    if (snapshot > 0 && !this.#snapshots.allows(nowMs))
      return refuse("rate_limited", "at most 5 snapshot requests a minute");
    return {
      do: "subscribe",
      request: { filters, snapshot: Math.min(snapshot, streamLimits.snapshotItems), after, id },
    };
  }
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
