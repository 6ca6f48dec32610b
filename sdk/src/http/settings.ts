/**
 * An API key, or a function that returns one. The function is called for every request. After a 401, and when the key of an
 * open stream ends, it is called once more with the key that was refused, so that it can get a new one.
 */
export type Key = string | ((refused?: string) => string | Promise<string>);

export interface ConnectionOptions {
  /** Address of the service. Default: TAPEWIRE_URL in Node. */
  readonly baseUrl?: string | undefined;
  /** Default: TAPEWIRE_KEY in Node. */
  readonly key?: Key | undefined;
  /** Time limit of one attempt, its body included; Infinity: none. Default: 30,000. */
  readonly timeoutMs?: number | undefined;
  /** Repeats after the first attempt. Default: 2. */
  readonly maxRetries?: number | undefined;
  readonly fetch?: typeof fetch | undefined;
}

/** How to reach the service, with all defaults filled in. */
export interface Connection {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly key: (refused?: string) => Promise<string>;
  /** Whether the key may change. */
  readonly renews: boolean;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly fetch: typeof fetch;
}

/** @throws {TypeError} without a usable baseUrl */
export function connectionOf({
  baseUrl = environment("TAPEWIRE_URL") ?? "",
  key = environment("TAPEWIRE_KEY") ?? "",
  timeoutMs = 30_000,
  maxRetries = 2,
  // Called as a plain function: browsers refuse fetch as a method of another object.
  fetch = (input, init) => globalThis.fetch(input, init),
}: ConnectionOptions): Connection {
  if (!/^https?:\/\/./.test(baseUrl))
    throw new TypeError(`baseUrl must be an http(s) address, not '${baseUrl}': pass it or set TAPEWIRE_URL`);
  return {
    baseUrl: baseUrl.replace(/\/+$/, ""),
    key: async (refused) => (typeof key === "string" ? key : key(refused)),
    renews: typeof key !== "string",
    timeoutMs,
    maxRetries,
    fetch,
  };
}

/** A variable of the environment where there is one. Browsers and workers have none. */
const environment = (name: string): string | undefined => Object(globalThis).process?.env?.[name];
