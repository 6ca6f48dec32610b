/**
 * running: items are delivered as they come. page, units, work: delivery waits for a page of the log, for units of the
 * day's cap, or for earlier work (a snapshot), one of them at a time. stopped: the day's cap is used up, and items are
 * skipped. ended: for good.
 */
export type DeliveryState = "running" | Waiting | "stopped" | "ended";
export type Waiting = "page" | "units" | "work";
export type DeliveryEvent =
  | "page_missing"
  | "units_missing"
  | "work_begun"
  | "arrived"
  | "cap_reached"
  | "day_turned"
  | "end";

const waits = { arrived: "running", end: "ended" } as const;

/** All moves. A second wait during another is not one of them, since the end of one would end both. */
export const deliveryMoves: Readonly<Record<DeliveryState, Partial<Record<DeliveryEvent, DeliveryState>>>> = {
  running: {
    page_missing: "page",
    units_missing: "units",
    work_begun: "work",
    cap_reached: "stopped",
    end: "ended",
  },
  page: waits,
  units: waits,
  work: waits,
  stopped: { day_turned: "running", end: "ended" },
  ended: {},
};

/** @returns the state after the event; null: the event is invalid in this state */
export function moved(state: DeliveryState, event: DeliveryEvent): DeliveryState | null {
  return deliveryMoves[state][event] ?? null;
}
