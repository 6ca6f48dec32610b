import type { LookupAddress, LookupOptions } from "node:dns";
import { Agent, type Dispatcher, request } from "undici";
import { checkUrl, isPublicAddress, publicLookup } from "../../runtime/addresses.ts";
import type { Clock } from "../../runtime/clock.ts";
import { type Asker, isOwnHost, strangersPace } from "./asker.ts";
import { BodyRoom } from "./body-room.ts";
import { boundedConnector, type ConnectOptions } from "./bounded-connection.ts";
import { type BodyLimits, hangUp, readBody, readHead, tooLarge } from "./content-coding.ts";
import { blockInstead, errorPageBytes, refusal } from "./error-page.ts";
import type { HostGates, Visit } from "./host-gates.ts";
import { asFetchError, networkReason } from "./network-failure.ts";
import { firstHop, type Hop, isRedirect, nextHop } from "./redirects.ts";
import { flatHeaders, freshForMs } from "./response-headers.ts";
import type { BlockNotice, Fetched, FetchRequest, HeaderFacts, Validators } from "./types.ts";
import { FetchError } from "./types.ts";

/** Limits of one fetch. */
export const fetchLimits: FetchLimits = {
  bodyBytes: 15 * 1024 * 1024,
  totalMs: 20_000,
  strangerMs: 10_000,
  redirects: 5,
};

export interface FetchLimits {
  /** Counted while decompressing: a gzip bomb stops at the cap. */
  readonly bodyBytes: number;
  /** From the first request to the end of the body, over all redirects, without the waits for slots of hosts. */
  readonly totalMs: number;
  /** The same for a fetch that leads to a host which is not the asker's. */
  readonly strangerMs: number;
  readonly redirects: number;
}

/** Share of polls without validators, to recover from a broken cache that always answers 304. */
const unconditionalShare = 0.01;
/** What may stand around a body: headers, interim answers, the lengths of its chunks. */
const aroundBytes = 1024 * 1024;
/** Of all answers under way: many large ones would fill the memory, however few bytes they were on the wire. */
const allBodiesBytes = 128 * 1024 * 1024;
const protocols = ["http:", "https:"];

export interface FetcherOptions {
  readonly clock: Clock;
  readonly userAgent: string;
  readonly gates: HostGates;
  /** The pace of strangers at a host; by default no host has sources of its own. */
  readonly strangersPace?: (host: string) => number;
  readonly limits?: Partial<FetchLimits>;
  /** Error pages that mean a block. */
  readonly blockNotices?: readonly BlockNotice[];
  /** Addresses that requests not chosen by the operator may lead to; by default public ones. */
  readonly isAllowed?: (ip: string) => boolean;
  /** Replaces the system's resolver where only public addresses are allowed. */
  readonly resolve?: (host: string, options: LookupOptions) => Promise<readonly LookupAddress[]>;
}

interface FetchOptions {
  readonly validators: Validators | null;
  readonly asker: Asker;
  readonly signal: AbortSignal;
}

/** One request, and how it uses its host. */
interface Call extends Visit {
  readonly hop: Hop;
  readonly headers: Record<string, string>;
  readonly leftMs: number;
  /** The time limit of the whole fetch, for the error message. */
  readonly capMs: number;
}

/**
 * Makes every HTTP request of ingest: caps, timeouts, redirects, conditional GET, pace per host. Addresses that the
 * operator has not chosen (links, targets of redirects) must be public.
 */
export class Fetcher implements AsyncDisposable {
  /** Fetches that have ended; refused: with an error status. */
  readonly counts = { ok: 0, not_modified: 0, refused: 0, failed: 0 };
  readonly #clock: Clock;
  readonly #userAgent: string;
  readonly #gates: HostGates;
  readonly #strangersPace: (host: string) => number;
  readonly #limits: FetchLimits;
  readonly #blockNotices: readonly BlockNotice[];
  readonly #bodies: BodyLimits;
  readonly #isAllowed: (ip: string) => boolean;
  readonly #anywhere: Agent;
  /** Has connections of its own: one that was opened without the check must not serve a checked request. */
  readonly #publicOnly: Agent;

  constructor({
    clock,
    userAgent,
    gates,
    strangersPace: paceOf = strangersPace([]),
    limits = {},
    blockNotices = [],
    isAllowed = isPublicAddress,
    resolve,
  }: FetcherOptions) {
    this.#clock = clock;
    this.#userAgent = userAgent;
    this.#gates = gates;
    this.#strangersPace = paceOf;
    this.#limits = { ...fetchLimits, ...limits };
    this.#blockNotices = blockNotices;
    this.#bodies = { maxBytes: this.#limits.bodyBytes, room: new BodyRoom(allBodiesBytes) };
    this.#isAllowed = isAllowed;
    const wireBytes = this.#limits.bodyBytes + aroundBytes;
    this.#anywhere = newAgent({ wireBytes });
    const lookup = publicLookup({ isAllowed, ...(resolve === undefined ? {} : { resolve }) });
    this.#publicOnly = newAgent({ lookup, wireBytes });
  }

  /** @throws {FetchError}; or the signal's reason when it aborts */
  async fetch(wanted: FetchRequest, options: FetchOptions): Promise<Fetched> {
    try {
      const fetched = await this.#fetch(wanted, options);
      this.counts[fetched.status] += 1;
      return fetched;
    } catch (error) {
      if (error instanceof FetchError) this.counts[error.status === null ? "failed" : "refused"] += 1;
      throw error;
    }
  }

  /**
   * Sends a form to an address from outside, a hub's: any success status will do, and the body is not read.
   * @throws {FetchError}; or the signal's reason when it aborts
   */
  async post(address: string, form: URLSearchParams, signal: AbortSignal): Promise<void> {
    const hop = firstHop(address, false);
    this.#refusePrivate(hop);
    const release = await this.#gates.enter(hop.url.host, this.#visitOf(hop, null), signal);
    try {
      const { statusCode, body } = await request(hop.url, {
        method: "POST",
        dispatcher: this.#publicOnly,
        signal: AbortSignal.any([signal, AbortSignal.timeout(this.#limits.strangerMs)]),
        headers: {
          "user-agent": this.#userAgent,
          "content-type": "application/x-www-form-urlencoded",
        },
        body: form.toString(),
      });
      hangUp(body);
      if (statusCode < 200 || statusCode > 299)
        throw new FetchError(`HTTP ${statusCode}`, { status: statusCode });
    } catch (error) {
      signal.throwIfAborted();
      throw asFetchError(networkReason(error), error);
    } finally {
      release();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#anywhere.destroy(), this.#publicOnly.destroy()]);
  }

  async #fetch(wanted: FetchRequest, options: FetchOptions): Promise<Fetched> {
    const headers = {
      "user-agent": this.#userAgent,
      accept: wanted.accept,
      "accept-encoding": "gzip, deflate, br",
      ...(wanted.conditional ? conditions(options.validators) : {}),
    };
    const { asker, signal } = options;
    let hop = firstHop(wanted.url, wanted.trusted);
    let capMs = this.#limits.totalMs;
    let tookMs = 0;
    for (;;) {
      this.#refusePrivate(hop);
      const visit = this.#visitOf(hop, asker);
      if (visit.isStranger) capMs = Math.min(capMs, this.#limits.strangerMs);
      const release = await this.#gates.enter(hop.url.host, visit, signal);
      const startedAt = performance.now();
      try {
        const answer = await this.#visit({ ...visit, hop, headers, leftMs: capMs - tookMs, capMs }, signal);
        if ("status" in answer) return answer;
        hop = answer;
      } finally {
        tookMs += performance.now() - startedAt;
        release();
      }
    }
  }

  /** @param asker null: it has no host of its own */
  #visitOf({ url, trusted }: Hop, asker: Asker | null): Visit {
    const own = asker !== null && (trusted || isOwnHost(asker, url.host)) ? asker : null;
    return own === null
      ? { requestsPerS: this.#strangersPace(url.host), isStranger: true }
      : { requestsPerS: own.requests_per_s, isStranger: false };
  }

  /** Makes one request, in a slot of its host: returns the answer, or the redirect's target. */
  async #visit(call: Call, stop: AbortSignal): Promise<Fetched | Hop> {
    const { hop, headers, leftMs, capMs } = call;
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), Math.max(0, leftMs));
    const signal = AbortSignal.any([stop, late.signal]);
    const dispatcher = hop.trusted ? this.#anywhere : this.#publicOnly;
    // If a redirect's target is unreachable, the source's own host still was reached.
    let isUnreached = hop.trail.length === 1;
    try {
      const response = await request(hop.url, { dispatcher, signal, headers });
      isUnreached = false;
      return await this.#read(call, response);
    } catch (error) {
      stop.throwIfAborted();
      const reason = late.signal.aborted ? `no complete answer within ${capMs} ms` : networkReason(error);
      const failed = asFetchError(reason, error, isUnreached);
      if (failed.retryAfterMs !== null) await this.#gates.pause(hop.url.host, failed.retryAfterMs, call);
      throw failed;
    } finally {
      clearTimeout(timer);
    }
  }

  async #read({ hop, headers }: Call, response: Dispatcher.ResponseData): Promise<Fetched | Hop> {
    const { statusCode, body } = response;
    const answered = flatHeaders(response.headers);
    const encoding = answered["content-encoding"] ?? "";
    if (isRedirect(statusCode)) {
      hangUp(body);
      return nextHop(hop, statusCode, answered.location, this.#limits.redirects);
    }
    const now = this.#clock.now();
    const said: HeaderFacts = { movedTo: hop.movedTo, freshForMs: freshForMs(answered, now) };
    if (statusCode === 304) {
      hangUp(body);
      // A broken cache: nothing was read that could be unchanged.
      if (!isConditional(headers))
        throw new FetchError("HTTP 304 to an unconditional request", { status: 304 });
      return { status: "not_modified", ...said };
    }
    if (statusCode !== 200) {
      const head = await readHead(body, encoding, errorPageBytes);
      throw refusal({ status: statusCode, headers: answered, head }, now, this.#blockNotices);
    }
    if (Number(answered["content-length"]) > this.#limits.bodyBytes) {
      hangUp(body);
      throw tooLarge(this.#limits.bodyBytes);
    }
    const read = await readBody(body, encoding, this.#bodies);
    const block = blockInstead({ headers: answered, head: read }, now, this.#blockNotices);
    if (block !== null) throw block;
    return {
      status: "ok",
      response: {
        url: hop.url.href,
        headers: answered,
        body: read,
        fetchedAt: this.#clock.now(),
      },
      validators: { etag: answered.etag ?? null, lastModified: answered["last-modified"] ?? null },
      ...said,
    };
  }

  /** Checks literal addresses, which Node does not look up; names are checked when they are resolved for the connection. */
  #refusePrivate({ url, trusted, trail }: Hop): void {
    if (trusted) return;
    const problem = checkUrl(url, { protocols, isAllowed: this.#isAllowed });
    const what = trail.length > 1 ? "redirect" : "link";
    if (problem !== null) throw new FetchError(`a ${what} may lead to public addresses only: ${problem}`);
  }
}

/** HTTP/1.1 only, since its limits on headers are known and tested. */
function newAgent(options: ConnectOptions): Agent {
  return new Agent({
    connect: boundedConnector(options),
    allowH2: false,
    headersTimeout: 15_000,
    bodyTimeout: 15_000,
    maxHeaderSize: 32 * 1024,
    keepAliveTimeout: 30_000,
  });
}

function conditions(validators: Validators | null): Record<string, string> {
  if (validators === null || Math.random() < unconditionalShare) return {};
  return {
    ...(validators.etag === null ? {} : { "if-none-match": validators.etag }),
    ...(validators.lastModified === null ? {} : { "if-modified-since": validators.lastModified }),
  };
}

function isConditional(headers: Record<string, string>): boolean {
  return headers["if-none-match"] !== undefined || headers["if-modified-since"] !== undefined;
}
