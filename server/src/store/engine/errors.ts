const storeFailures = {
  busy: "Too many searches of the past are waiting",
  timeout: "The query took too long and was given up",
} as const;

/** The store cannot answer now; the same call may succeed in a moment. Only for reads, so safe to repeat. */
export class StoreError extends Error {
  override readonly name = "StoreError";
  readonly reason: keyof typeof storeFailures;

  constructor(reason: keyof typeof storeFailures, options?: ErrorOptions) {
    super(storeFailures[reason], options);
    this.reason = reason;
  }
}

/** The error that a search throws for one of its statements. */
export function searchError(error: unknown): unknown {
  return isTimeout(error) ? new StoreError("timeout", { cause: error }) : error;
}

/** SQLSTATE of a failed statement, or the system's code of a failed connection; null when the error has none. */
export function codeOf(error: unknown): string | null {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;
}

/** The database refuses the given values (class 22 data exception, 54 limit exceeded): another try is useless. */
export function isRefusal(error: unknown): boolean {
  return /^(?:22|54)/.test(codeOf(error) ?? "");
}

/** A unique value is there already. */
export function isKnownRow(error: unknown): boolean {
  return codeOf(error) === "23505";
}

/** A statement exceeded its time limit. */
export function isTimeout(error: unknown): boolean {
  return codeOf(error) === "57014";
}

/** Two transactions waited for each other, and the database ended this one: the same one may work at once. */
export function isDeadlock(error: unknown): boolean {
  return codeOf(error) === "40P01";
}

/** The disk has no room, or is about to have none. */
export function isDiskFull(error: unknown): boolean {
  return codeOf(error) === "53100";
}

/** A row's month has no table: the item tables have no check constraints that could give this code. */
export function isMissingPartition(error: unknown): boolean {
  return codeOf(error) === "23514";
}

/** A statement names a table that is gone. */
export function isMissingTable(error: unknown): boolean {
  return codeOf(error) === "42P01";
}

/**
 * The database cannot be reached, is starting or stopping, or takes no writes (25006 and, from functions for the
 * write-ahead log, 55000: a standby, also after a failover): the same call may work in a moment. An error that ends or
 * refuses the session (FATAL) counts whatever its code.
 */
export function isUnavailable(error: unknown): boolean {
  const code = codeOf(error) ?? "";
  if (/^(?:08|53|57P|25006|55000)/.test(code) || /^E(?:CONN|PIPE|HOST|TIMEDOUT|AI_AGAIN)/.test(code))
    return true;
  if (error instanceof Error && "severity" in error && error.severity === "FATAL") return true;
  // Errors of pg itself have no code.
  return (
    error instanceof Error &&
    /connection terminated|is not queryable|timeout exceeded when trying to connect/i.test(error.message)
  );
}
