import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { Agent, interceptors, request } from "undici";
import type { Clock } from "../runtime/clock.ts";
import type { FetchedResponse, FetchRequest } from "./adapter.ts";
import { HostGates } from "./host-gates.ts";

/** Caps of one fetch. A body is counted as it is decompressed: a gzip bomb stops at the cap. */
export const fetchLimits = {
  bodyBytes: 15 * 1024 * 1024,
  totalMs: 20_000,
  redirects: 5,
} as const;

const blockedHostMs = 10 * 60_000;
/** Full fetches heal a validator that a broken cache hands out for ever. */
const unconditionalShare = 0.01;

/** Validators of the last complete poll. */
export interface Validators {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

export type Fetched =
  | { readonly status: "ok"; readonly response: FetchedResponse; readonly validators: Validators }
  | { readonly status: "not_modified" };

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

/** Does every HTTP request of ingest: caps, time-outs, conditional GET, politeness per host. */
export class Fetcher implements AsyncDisposable {
  readonly #clock: Clock;
  readonly #userAgent: string;
  readonly #gates = new HostGates();
  readonly #agent = new Agent({
    connect: { timeout: 10_000 },
    headersTimeout: 15_000,
    bodyTimeout: 15_000,
    maxHeaderSize: 32 * 1024,
    keepAliveTimeout: 30_000,
  });
  readonly #dispatcher = this.#agent.compose(
    interceptors.redirect({ maxRedirections: fetchLimits.redirects }),
  );

  constructor({ clock, userAgent }: { clock: Clock; userAgent: string }) {
    this.#clock = clock;
    this.#userAgent = userAgent;
  }

  /**
   * @param requestsPerS pace of this host, shared by all that fetch from it
   * @throws {FetchError}; or the signal's reason when it aborts
   */
  async fetch(
    wanted: FetchRequest,
    {
      validators,
      requestsPerS,
      signal,
    }: { validators: Validators | null; requestsPerS: number; signal: AbortSignal },
  ): Promise<Fetched> {
    const { host } = new URL(wanted.url);
    const release = await this.#gates.enter(host, requestsPerS, signal);
    try {
      return await this.#get(wanted, validators, signal);
    } catch (error) {
      signal.throwIfAborted();
      const failed = error instanceof FetchError ? error : new FetchError(reason(error), { cause: error });
      if (failed.retryAfterMs !== null) this.#gates.pause(host, failed.retryAfterMs);
      throw failed;
    } finally {
      release();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#agent.destroy();
  }

  async #get(wanted: FetchRequest, validators: Validators | null, stop: AbortSignal): Promise<Fetched> {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(fetchLimits.totalMs)]);
    const response = await request(wanted.url, {
      dispatcher: this.#dispatcher,
      signal,
      headers: {
        "user-agent": this.#userAgent,
        accept: wanted.accept,
        "accept-encoding": "gzip, deflate, br",
        ...(wanted.conditional ? conditions(validators) : {}),
      },
    });
    const headers = flat(response.headers);
    if (response.statusCode === 304) {
      await response.body.dump();
      return { status: "not_modified" };
    }
    if (response.statusCode !== 200) throw await this.#refusal(response, headers);
    const body = await readCapped(response.body, headers["content-encoding"] ?? "");
    const hop = response.context;
    return {
      status: "ok",
      response: { url: finalUrl(hop, wanted.url), headers, body, fetchedAt: this.#clock.now() },
      validators: { etag: headers.etag ?? null, lastModified: headers["last-modified"] ?? null },
    };
  }

  async #refusal(
    { statusCode, body }: { statusCode: number; body: Readable },
    headers: Readonly<Record<string, string>>,
  ): Promise<FetchError> {
    const text = await readHead(body, headers["content-encoding"] ?? "");
    // The SEC blocks an address for ten minutes and starts again with every request made meanwhile.
    const blocked = /request rate threshold exceeded|undeclared automated tool/i.test(text);
    const told = retryAfterMs(headers["retry-after"], this.#clock.now());
    return new FetchError(blocked ? `blocked by the host (HTTP ${statusCode})` : `HTTP ${statusCode}`, {
      status: statusCode,
      retryAfterMs: blocked ? blockedHostMs : told,
    });
  }
}

function conditions(validators: Validators | null): Record<string, string> {
  if (validators === null || Math.random() < unconditionalShare) return {};
  return {
    ...(validators.etag === null ? {} : { "if-none-match": validators.etag }),
    ...(validators.lastModified === null ? {} : { "if-modified-since": validators.lastModified }),
  };
}

function flat(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [
    name.toLowerCase(),
    [value].flat().join(", "),
  ]);
  return Object.fromEntries(entries);
}

function finalUrl(context: object | null | undefined, asked: string): string {
  const history: unknown =
    context !== null && context !== undefined && "history" in context ? context.history : [];
  return Array.isArray(history) ? String(history.at(-1) ?? asked) : asked;
}

/** The body, decompressed. @throws {FetchError} beyond the cap */
async function readCapped(body: Readable, encoding: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of decoded(body, encoding)) {
    size += chunk.byteLength;
    if (size > fetchLimits.bodyBytes)
      throw new FetchError(`the answer is larger than ${fetchLimits.bodyBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The first 4 KB of an error page, as text; empty when it cannot be read. */
async function readHead(body: Readable, encoding: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of decoded(body, encoding)) {
      chunks.push(chunk);
      size += chunk.byteLength;
      if (size >= 4096) break;
    }
  } catch {
    // An error page that breaks off says as much as it says.
  }
  return Buffer.concat(chunks).toString("latin1");
}

/** Closing the iteration early destroys the connection too. */
async function* decoded(body: Readable, encoding: string): AsyncGenerator<Buffer> {
  try {
    const decoder = decoderOf(encoding.trim().toLowerCase());
    const source = decoder === null ? body : body.pipe(decoder);
    if (decoder !== null) body.on("error", (error) => decoder.destroy(error));
    for await (const chunk of source) yield Buffer.from(chunk);
  } finally {
    body.destroy();
  }
}

function decoderOf(coding: string) {
  switch (coding) {
    case "gzip":
    case "x-gzip":
      return createGunzip();
    case "deflate":
      return createInflate();
    case "br":
      return createBrotliDecompress();
    case "":
    case "identity":
      return null;
    default:
      throw new FetchError(`unknown content-encoding '${coding}'`);
  }
}

/** Retry-After in seconds or as a date; capped at a day, since a host's error must not silence a source for good. */
export function retryAfterMs(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null;
  const seconds = /^\d{1,9}$/.test(header.trim())
    ? Number(header)
    : (Date.parse(header) - now.getTime()) / 1000;
  return Number.isFinite(seconds) ? Math.min(86_400, Math.max(0, seconds)) * 1000 : null;
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return `no complete answer within ${fetchLimits.totalMs} ms`;
  return error.message;
}
