/** SQLSTATE of a failed statement, or the system's code of a failed connection; null when the error has none. */
function codeOf(error: unknown): string | null {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;
}

/** The database refuses what it was given (class 22 data exception, 54 limit exceeded): trying again is no use. */
export function isRefusal(error: unknown): boolean {
  return /^(?:22|54)/.test(codeOf(error) ?? "");
}

/** A statement was given up after the time it may take. */
export function isTimeout(error: unknown): boolean {
  return codeOf(error) === "57014";
}

/** The database cannot be reached, or is starting or stopping: the same may work in a moment. */
export function isUnavailable(error: unknown): boolean {
  const code = codeOf(error) ?? "";
  if (/^(?:08|53|57P)/.test(code) || /^E(?:CONN|PIPE|HOST|TIMEDOUT|AI_AGAIN)/.test(code)) return true;
  // pg's own errors carry no code.
  return (
    error instanceof Error &&
    /connection terminated|timeout exceeded when trying to connect/i.test(error.message)
  );
}
