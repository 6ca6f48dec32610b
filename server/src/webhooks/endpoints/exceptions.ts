import type { Exception, Settled } from "../../store/webhooks/exceptions.ts";
import type { NextStep } from "./endpoint-state.ts";
import type { Delivery } from "./types.ts";

/** When a parked delivery whose worker has gone is tried again: longer than an attempt takes. */
const parkedMs = 20_000;
/** When a delivery that could not be attempted is tried. */
const unmadeMs = 1_000;
/** last_error of parked deliveries. */
export const underWay = "under_way";

/** An entry of the log as its first attempt knows it. */
export type First = Pick<Delivery, "seq" | "itemId">;

/** The exception of a delivery whose attempt failed. */
export function failedRow(
  { seq, itemId, trigger, counts, attempts, firstAt, order }: Delivery,
  { status, error }: { readonly status: number | null; readonly error: string | null },
  { next, nowMs }: { readonly next: NextStep & { do: "retry" | "give_up" }; readonly nowMs: number },
): Exception {
  const isDue = next.do === "retry";
  return {
    ...{ seq, itemId, trigger, counts, firstAt, order, attempts: attempts + 1 },
    state: isDue ? "due" : "dead",
    dueAt: new Date(isDue ? next.atMs : nowMs),
    lastStatus: status,
    lastError: !isDue && next.expired ? "expired" : error,
  };
}

/** What a delivery is that was delivered. */
export const settled = ({ counts, order }: Delivery): Settled => ({ state: "settled", counts, order });

/** The exception of a first attempt that hangs. */
export const parkedRow = (first: First, nowMs: number): Exception => untriedRow(first, nowMs, parkedMs);

/** The exception of a first attempt that was not made because there was no socket. */
export const unmadeRow = (first: First, nowMs: number): Exception => untriedRow(first, nowMs, unmadeMs);

/** The exception of a delivery that failed, was to be tried again from the log, and is now too old. */
export function expiredRow({ seq, itemId }: First, nowMs: number): Exception {
  const what = { seq, itemId, trigger: "item", counts: true, attempts: 1, order: null } as const;
  const now = new Date(nowMs);
  return { ...what, state: "dead", dueAt: now, firstAt: now, lastStatus: null, lastError: "expired" };
}

/** The count that a delivery adds when another try ends. @param row null: delivered */
export function endingOf(
  { counts }: Delivery,
  row: Exception | null,
): "delivered" | "failed" | "expired" | null {
  if (!counts || row?.state === "due") return null;
  if (row === null) return "delivered";
  return row.lastError === "expired" ? "expired" : "failed";
}

function untriedRow({ seq, itemId }: First, nowMs: number, waitMs: number): Exception {
  const what = { seq, itemId, trigger: "item", counts: true, attempts: 0, order: null } as const;
  const dueAt = new Date(nowMs + waitMs);
  return { ...what, state: "due", dueAt, firstAt: new Date(nowMs), lastStatus: null, lastError: underWay };
}
