import { closeCodes, type ServerFrame } from "@tapewire/contract/stream.ts";
import {
  type ClientFrameSchema,
  ClientFrames,
  type ClientRequest,
  type HasRoom,
  type SubscribeRequest,
} from "./client-frames.ts";

/**
 * connected: nothing is delivered. subscribed: items are. stopped: the day's cap is used up, and delivery resumes from
 * the tip on the next day. closed: for good.
 */
export type ConversationState = "connected" | "subscribed" | "stopped" | "closed";
export type ConversationEvent = "subscribe" | "unsubscribe" | "cap_reached" | "day_turned" | "close";

/** All moves; an event that a state does not list changes nothing. */
export const transitions: Readonly<
  Record<ConversationState, Partial<Record<ConversationEvent, ConversationState>>>
> = {
  connected: { subscribe: "subscribed", unsubscribe: "connected", close: "closed" },
  subscribed: {
    subscribe: "subscribed",
    unsubscribe: "connected",
    cap_reached: "stopped",
    close: "closed",
  },
  stopped: { subscribe: "subscribed", unsubscribe: "connected", day_turned: "subscribed", close: "closed" },
  closed: {},
};

/** What the connection should do, in order. */
export type Action =
  | { readonly do: "send"; readonly frame: ServerFrame }
  | { readonly do: "subscribe"; readonly request: SubscribeRequest }
  | { readonly do: "unsubscribe"; readonly id: string | number | undefined }
  | { readonly do: "pong" | "heartbeat" | "ping" }
  /** `withCursor`: the close reason includes where to resume. */
  | { readonly do: "close"; readonly code: number; readonly reason: string; readonly withCursor?: true };

/** The state of the world at a tick. */
export interface Tick {
  /** Monotonic. */
  readonly nowMs: number;
  /** UTC, YYYY-MM-DD. */
  readonly day: string;
  readonly unsentBytes: number;
}

const pingEveryMs = 30_000;
const silenceMs = 60_000;
const heartbeatEveryMs = 15_000;
const slowAfterMs = 30_000;

/**
 * The conversation with one client of the stream, as a state machine without I/O or clock: takes frames, caps and time,
 * returns actions. A refused frame changes nothing.
 */
export class Conversation {
  readonly #frames: ClientFrames;
  #state: ConversationState = "connected";
  #heardAtMs: number;
  #pingAtMs: number;
  #heartbeatAtMs = 0;
  #stoppedOn: string | null = null;
  #unsent = 0;
  #unsentSinceMs: number;

  /**
   * @param jitter 0..1, when the first ping is sent, so that clients that connected together are not pinged together
   * @param hasRoom see ClientFrames
   */
  constructor(
    schema: ClientFrameSchema,
    { nowMs, jitter, hasRoom }: Pick<Tick, "nowMs"> & { jitter: number; hasRoom?: HasRoom },
  ) {
    this.#frames = new ClientFrames(schema, hasRoom);
    this.#heardAtMs = nowMs;
    this.#pingAtMs = nowMs + jitter * pingEveryMs;
    this.#unsentSinceMs = nowMs;
  }

  get state(): ConversationState {
    return this.#state;
  }

  /** The client gave a sign of life. */
  alive(nowMs: number): void {
    this.#heardAtMs = nowMs;
  }

  /** @param text a message of the client; null for a binary one */
  receive(text: string | null, nowMs: number): Action[] {
    if (this.#state === "closed") return [];
    this.alive(nowMs);
    return this.#frames.receive(text, nowMs).map((request) => this.#answer(request, nowMs));
  }

  /** Stops when the day's cap is used up. The client is told once a day, however often it subscribes again. */
  capReached(limit: number, day: string): Action[] {
    if (this.#state !== "subscribed") return [];
    this.#move("cap_reached");
    if (this.#stoppedOn === day) return [];
    this.#stoppedOn = day;
    const message = `The plan's daily cap of ${limit} live items is reached. Delivery resumes at 00:00 UTC.`;
    return [{ do: "send", frame: { type: "quota_exceeded", limit, message } }];
  }

  /** Resumes delivery on the day after the cap was reached. */
  dayIs(day: string): void {
    if (this.#state === "stopped" && this.#stoppedOn !== day) this.#move("day_turned");
  }

  /** Does what is due by time. */
  tick({ nowMs, day, unsentBytes }: Tick): Action[] {
    if (this.#state === "closed") return [];
    if (unsentBytes < this.#unsent || unsentBytes === 0) this.#unsentSinceMs = nowMs;
    this.#unsent = unsentBytes;
    if (nowMs - this.#unsentSinceMs >= slowAfterMs)
      return [{ ...this.close(closeCodes.slow_client, "slow"), withCursor: true }];
    if (nowMs - this.#heardAtMs >= silenceMs)
      return [this.close(closeCodes.silence, "nothing received for 60 s")];
    this.dayIs(day);
    const actions: Action[] = [];
    if (this.#state !== "connected" && nowMs >= this.#heartbeatAtMs) {
      this.#heartbeatAtMs = nowMs + heartbeatEveryMs;
      actions.push({ do: "heartbeat" });
    }
    if (nowMs >= this.#pingAtMs) {
      this.#pingAtMs = nowMs + pingEveryMs;
      actions.push({ do: "ping" });
    }
    return actions;
  }

  close(code: number, reason: string): Action & { do: "close" } {
    this.#move("close");
    return { do: "close", code, reason };
  }

  #answer(request: ClientRequest, nowMs: number): Action {
    switch (request.do) {
      case "refuse":
        return { do: "send", frame: request.frame };
      case "subscribe":
        this.#move("subscribe");
        this.#heartbeatAtMs = nowMs + heartbeatEveryMs;
        return request;
      case "unsubscribe":
        this.#move("unsubscribe");
        return request;
      case "close":
        return this.close(request.code, request.reason);
      case "pong":
        return { do: "pong" };
    }
  }

  #move(event: ConversationEvent): void {
    this.#state = transitions[this.#state][event] ?? this.#state;
  }
}
