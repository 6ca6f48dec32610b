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
  | "dueFull"
  | "welcomed"
  | "subscribed"
  | "refused"
  | "full"
  | "unsubscribed"
  | "room"
  | "changed"
  | "moved"
  | "ended"
  | "close";

const close = "closed";
const lost = { ended: "waiting", close } as const;

/** All moves. A signal that a state does not list changes nothing. */
export const moves: Readonly<Record<State, Partial<Record<Signal, State>>>> = {
  idle: { due: "connecting", close },
  connecting: { welcomed: "subscribing", ...lost },
  // refused: of new filters only; the old ones stay in force.
  subscribing: { subscribed: "live", refused: "live", ...lost },
  // changed: new filters by a frame. moved: new filters by a new connection.
  live: { full: "draining", changed: "subscribing", moved: "connecting", ...lost },
  draining: { unsubscribed: "paused", ...lost },
  paused: { room: "subscribing", ...lost },
  waiting: { due: "connecting", dueFull: "held", close },
  held: { room: "connecting", close },
  closed: {},
};
