/** One HTTP GET that an adapter asks for; the fetcher does it (conditional headers, caps, time-outs, politeness). */
export interface FetchRequest {
  readonly url: string;
  readonly accept: string;
  /**
   * true for lists: the first page of a poll is requested with If-None-Match / If-Modified-Since from the source's state,
   * the pages behind it without.
   */
  readonly conditional: boolean;
  /**
   * Whether the address is the operator's, or made from it. Any other (the link of an item, the target of a redirect)
   * comes from outside and must lead to a public address.
   */
  readonly trusted: boolean;
  /** What is requested in place of a document that exceeds the cap; absent: nothing. */
  readonly ifTooLarge?: FetchRequest;
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
  /** The new address by permanent redirects (301, 308); null: none. */
  readonly movedTo: string | null;
  /** How long the answer stays fresh by the server, at most a day; null: unknown. */
  readonly freshForMs: number | null;
}

export type Fetched =
  | ({
      readonly status: "ok";
      readonly response: FetchedResponse;
      readonly validators: Validators;
    } & HeaderFacts)
  | ({ readonly status: "not_modified" } & HeaderFacts);

/** How a host says that it has blocked this client, and for how long it then wants no requests. */
export interface BlockNotice {
  /** Matches a part of the error page. */
  readonly page: RegExp;
  readonly quietMs: number;
}

interface FetchErrorOptions extends ErrorOptions {
  readonly status?: number | null;
  readonly retryAfterMs?: number | null;
  readonly isUnreached?: boolean;
  readonly isTooLarge?: boolean;
}

/** A fetch without anything to parse. */
export class FetchError extends Error {
  override readonly name = "FetchError";
  /** HTTP status; null when there was no answer. */
  readonly status: number | null;
  /** Make no request to the host before this time has passed. */
  readonly retryAfterMs: number | null;
  /** Not a byte of HTTP came back: the host, its name or our own network is down. */
  readonly isUnreached: boolean;
  /** The answer exceeds the cap, and will the next time. */
  readonly isTooLarge: boolean;

  constructor(
    message: string,
    { status, retryAfterMs, isUnreached, isTooLarge, cause }: FetchErrorOptions = {},
  ) {
    super(message, { cause });
    this.status = status ?? null;
    this.retryAfterMs = retryAfterMs ?? null;
    this.isUnreached = isUnreached ?? false;
    this.isTooLarge = isTooLarge ?? false;
  }
}
