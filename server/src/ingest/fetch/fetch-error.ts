interface FetchErrorOptions extends ErrorOptions {
  readonly status?: number | null;
  readonly retryAfterMs?: number | null;
  readonly isUnreached?: boolean;
}

/** A fetch that brought nothing to parse. */
export class FetchError extends Error {
  override readonly name = "FetchError";
  /** HTTP status; null when there was no answer. */
  readonly status: number | null;
  /** Do not ask again before this long. */
  readonly retryAfterMs: number | null;
  /** Not a byte of HTTP came back: the host, its name, or our own network is away. */
  readonly isUnreached: boolean;

  constructor(message: string, { status, retryAfterMs, isUnreached, cause }: FetchErrorOptions = {}) {
    super(message, { cause });
    this.status = status ?? null;
    this.retryAfterMs = retryAfterMs ?? null;
    this.isUnreached = isUnreached ?? false;
  }
}
