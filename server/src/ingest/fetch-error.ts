/** A fetch that brought nothing to parse. */
export class FetchError extends Error {
  override readonly name = "FetchError";
  /** HTTP status; null when there was no answer. */
  readonly status: number | null;
  /** Do not ask again before this long. */
  readonly retryAfterMs: number | null;

  constructor(
    message: string,
    {
      status = null,
      retryAfterMs = null,
      cause,
    }: ErrorOptions & { status?: number | null; retryAfterMs?: number | null } = {},
  ) {
    super(message, { cause });
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}
