import { FetchError } from "./types.ts";

/** @param reason what an error that is none of ours means */
export function asFetchError(reason: string, error: unknown, isUnreached = false): FetchError {
  return error instanceof FetchError ? error : new FetchError(reason, { cause: error, isUnreached });
}

/** As the operator reads it in a source's health. */
export function networkReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Several addresses were tried: the error of the whole says nothing.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : undefined;
  if (error.message === "" && first instanceof Error) return first.message;
  return error.message === "" ? error.name : error.message;
}
