import type { Exception } from "../../store/webhooks/deliveries.ts";
import type { NextStep } from "./endpoint-state.ts";
import type { Delivery } from "./types.ts";

/** A delivery that is found parked, and by nobody under way, is tried again after this long: longer than an attempt. */
const parkedMs = 20_000;
/** One that could not be made is to be made again after this long. */
const unmadeMs = 1_000;
/** last_error of what is parked. */
export const underWay = "under_way";

/** An entry of the log as its first attempt knows it. */
export type First = Pick<Delivery, "seq" | "itemId">;

/** How a delivery is kept whose attempt has failed. */
export function failedRow(
  { seq, itemId, trigger, counts, attempts, firstAt }: Delivery,
  { status, error }: { readonly status: number | null; readonly error: string | null },
  { next, nowMs }: { readonly next: NextStep & { do: "retry" | "give_up" }; readonly nowMs: number },
): Exception {
  const isDue = next.do === "retry";
  return {
    ...{ seq, itemId, trigger, counts, firstAt, attempts: attempts + 1 },
    state: isDue ? "due" : "dead",
    dueAt: new Date(isDue ? next.atMs : nowMs),
    lastStatus: status,
    lastError: !isDue && next.expired ? "expired" : error,
  };
}

/** How a first attempt that hangs is kept. */
export const parkedRow = (first: First, nowMs: number): Exception => untriedRow(first, nowMs, parkedMs);

/** How a first attempt that was not made, for want of a socket, is kept. */
export const unmadeRow = (first: First, nowMs: number): Exception => untriedRow(first, nowMs, unmadeMs);

/** One that failed, was to be tried again from the log, and is too old now. */
export function expiredRow({ seq, itemId }: First, nowMs: number): Exception {
  const what = { seq, itemId, trigger: "item", counts: true, attempts: 1 } as const;
  const now = new Date(nowMs);
  return { ...what, state: "dead", dueAt: now, firstAt: now, lastStatus: null, lastError: "expired" };
}

/** What a delivery that was tried again adds to the counts of its endpoint. @param row null: delivered */
export function endingOf(
  { counts }: Delivery,
  row: Exception | null,
): "delivered" | "failed" | "expired" | null {
  if (!counts || row?.state === "due") return null;
  if (row === null) return "delivered";
  return row.lastError === "expired" ? "expired" : "failed";
}

function untriedRow({ seq, itemId }: First, nowMs: number, waitMs: number): Exception {
  const what = { seq, itemId, trigger: "item", counts: true, attempts: 0 } as const;
  const dueAt = new Date(nowMs + waitMs);
  return { ...what, state: "due", dueAt, firstAt: new Date(nowMs), lastStatus: null, lastError: underWay };
}
