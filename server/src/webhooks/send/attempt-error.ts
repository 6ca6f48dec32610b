import { type AttemptErrorCode, attemptErrors } from "./types.ts";

export class AttemptError extends Error {
  override readonly name = "AttemptError";
  readonly code: AttemptErrorCode;

  constructor(code: AttemptErrorCode, options?: ErrorOptions) {
    super(attemptErrors[code], options);
    this.code = code;
  }
}

/** The code of a system's or library's error; an AggregateError means that several addresses were tried. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
