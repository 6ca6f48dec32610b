/** One HTTP GET that an adapter asks for; the fetcher does it (conditional headers, caps, time-outs, politeness). */
export interface FetchRequest {
  readonly url: string;
  readonly accept: string;
  /** true for the poll itself: sends If-None-Match / If-Modified-Since from the source's state. */
  readonly conditional: boolean;
  /**
   * The address is the operator's, or made from it. Any other (the link of an item, the target of a redirect) comes
   * from outside and must lead to a public address.
   */
  readonly trusted: boolean;
}

/** A 200 answer, its body decompressed and within the cap. */
export interface FetchedResponse {
  /** After redirects. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly fetchedAt: Date;
}

/** Validators of the last complete poll. */
export interface Validators {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/** What the headers of an answer say beyond its content. */
export interface HeaderFacts {
  /** Where permanent redirects (301, 308) say that the address has gone; null: it has not. */
  readonly movedTo: string | null;
  /** How long the server says that the answer stays good, at most a day; null: it does not say. */
  readonly freshForMs: number | null;
}

export type Fetched =
  | ({
      readonly status: "ok";
      readonly response: FetchedResponse;
      readonly validators: Validators;
    } & HeaderFacts)
  | ({ readonly status: "not_modified" } & HeaderFacts);

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
