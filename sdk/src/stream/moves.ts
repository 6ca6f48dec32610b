/**
 * - idle: nobody has asked for an event yet, or the stored cursor is read.
 * - connecting: a connection is opened. subscribing: a subscribe was sent, and its reply has not come.
 * - live: items come, those of the past first. draining: delivery was asked to stop, and items may be under way.
 * - paused: nothing comes until the consumer has caught up.
 * - waiting: until the next attempt. held: that is due, but the consumer has not caught up.
 * - closed: for good.
 */
export type State =
  | "idle"
  | "connecting"
  | "subscribing"
  | "live"
  | "draining"
  | "paused"
  | "waiting"
  | "held"
  | "closed";

export type Signal =
  | "due"
  | "welcome"
  | "subscribed"
  | "full"
  | "unsubscribed"
  | "room"
  | "changed"
  | "moved";

/**
 * The moves by a signal. One that a state does not list changes nothing. Besides, a connection that ends leads to waiting,
 * and everything to closed.
 */
export const moves: Readonly<Record<State, Partial<Record<Signal, State>>>> = {
  idle: { due: "connecting" },
  connecting: { welcome: "subscribing" },
  subscribing: { subscribed: "live" },
  // changed: new filters by a frame. moved: new filters by a new connection. They need no room.
  live: { full: "draining", changed: "subscribing", moved: "connecting" },
  draining: { unsubscribed: "paused" },
  paused: { room: "subscribing", changed: "subscribing", moved: "connecting" },
  waiting: { due: "connecting", full: "held" },
  held: { room: "connecting", changed: "connecting", moved: "connecting" },
  closed: {},
};
