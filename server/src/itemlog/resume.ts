import { parseCursor } from "../feed/log-cursor.ts";

/** The part of the log that can be read. */
export interface LogBounds {
  readonly epoch: string;
  readonly head: number;
  /** All entries up to this seq were dropped. */
  readonly floor: number;
}

/** A cursor that a client has sent; null: none. */
interface Resuming {
  readonly after: string | null;
}

/** Where a subscription or a replay resumes; seq null: at the tip, with the `reason` when a cursor was given. */
export interface ResumePoint {
  readonly seq: number | null;
  readonly reason: "cursor_unknown" | "cursor_expired" | null;
}

export function resumePoint({ after }: Resuming, { epoch, head, floor }: LogBounds): ResumePoint {
  if (after === null) return { seq: null, reason: null };
  const cursor = parseCursor(after);
  const known = cursor !== null && cursor.epoch === epoch && cursor.seq <= head;
  if (!known) return { seq: null, reason: "cursor_unknown" };
  return cursor.seq < floor ? { seq: null, reason: "cursor_expired" } : { seq: cursor.seq, reason: null };
}

/** Whether a request resumes after what this process has read: the client may have been further at another process. */
export function isAhead({ after }: Resuming, { epoch, head }: LogBounds): boolean {
  const cursor = after === null ? null : parseCursor(after);
  return cursor !== null && cursor.epoch === epoch && cursor.seq > head;
}
