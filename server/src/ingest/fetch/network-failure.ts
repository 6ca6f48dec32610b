import { FetchError } from "./types.ts";

/** @param reason message for an error that is not a FetchError */
export function asFetchError(reason: string, error: unknown, isUnreached = false): FetchError {
  return error instanceof FetchError ? error : new FetchError(reason, { cause: error, isUnreached });
}

/** The message for the operator in a source's health. */
export function networkReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // After several addresses failed, only the single errors have messages.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : undefined;
  if (error.message === "" && first instanceof Error) return first.message;
  return error.message === "" ? error.name : error.message;
}
