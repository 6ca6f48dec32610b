/** What the service says about the limit of requests; null: it says nothing. */
export interface RateLimit {
  /** Requests allowed per minute. */
  readonly limit: number;
  /** Requests that are allowed now. */
  readonly remaining: number;
  /** Time until all are allowed again. */
  readonly resetMs: number;
}

export interface Answered<T> {
  readonly data: T;
  /** Its body is read. */
  readonly response: Response;
  readonly requestId: string | null;
  readonly rateLimit: RateLimit | null;
}

/** A request that has been sent: a promise of its data, or of the whole response. */
export class Call<T> implements Promise<T> {
  readonly [Symbol.toStringTag] = "Call";
  readonly #answered: Promise<Answered<T>>;

  constructor(answered: Promise<Answered<T>>) {
    this.#answered = answered;
  }

  /** The data together with the response, its request id and the rate limit. */
  withResponse(): Promise<Answered<T>> {
    return this.#answered;
  }

  // biome-ignore lint/suspicious/noThenProperty: a call is a promise
  then<A = T, B = never>(
    done?: ((data: T) => A | PromiseLike<A>) | null,
    failed?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#answered.then(({ data }) => data).then(done, failed);
  }

  catch<B = never>(failed?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.then(null, failed);
  }

  finally(last?: (() => void) | null): Promise<T> {
    return this.then().finally(last);
  }
}

export function rateLimitIn(headers: Headers): RateLimit | null {
  const read = (name: string) => Number(headers.get(`x-ratelimit-${name}`) ?? Number.NaN);
  const given = { limit: read("limit"), remaining: read("remaining"), resetMs: read("reset") * 1_000 };
  return Object.values(given).some(Number.isNaN) ? null : given;
}
