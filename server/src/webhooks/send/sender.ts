import { checkTarget } from "../../runtime/addresses.ts";
import type { Clock } from "../../runtime/clock.ts";
import { retryAfterMs } from "../../runtime/retry-after.ts";
import type { Targets } from "../targets.ts";
import { AttemptError } from "./attempt-error.ts";
import { type Connection, Connections } from "./connections.ts";
import { type ConnectLimits, Connector } from "./connector.ts";
import { type Answer, Exchange, type Post } from "./exchange.ts";
import type { Resolve } from "./resolver.ts";
import { signedHeaders } from "./sign.ts";
import type { Attempt, AttemptErrorCode, Outgoing } from "./types.ts";

export interface SendLimits extends ConnectLimits {
  /** From resolving the name to the end of the answer's body. */
  readonly totalMs: number;
  /** Free connections kept, over all receivers. */
  readonly maxIdle: number;
}

export const sendLimits: SendLimits = { resolveMs: 2_000, connectMs: 3_000, totalMs: 15_000, maxIdle: 2_000 };

export interface SenderOptions {
  readonly targets: Targets;
  readonly clock: Clock;
  readonly userAgent?: string;
  readonly limits?: Partial<SendLimits>;
  readonly resolve?: Resolve;
  /** Certificates (PEM) of trusted authorities; by default Node's. */
  readonly ca?: readonly string[];
  /** Called with each attempt. */
  readonly watch?: (attempt: Attempt) => void;
}

const keptDestinations = 10_000;

/** A URL, and its parts that each request needs, which a URL object puts together anew each time. */
interface Destination {
  readonly url: URL;
  readonly origin: string;
  readonly path: string;
}

/** Sends signed deliveries: one attempt each, over reused connections, to public addresses and opened ranges only. */
export class Sender implements AsyncDisposable {
  /** Connections that carried requests. */
  readonly counts = { opened: 0, reused: 0 };
  readonly #clock: Clock;
  readonly #userAgent: string;
  readonly #limits: SendLimits;
  readonly #watch: (attempt: Attempt) => void;
  readonly #connections: Connections;
  /** Parsed once for many deliveries; null: not an allowed target. */
  readonly #destinations = new Map<string, Destination | null>();
  readonly #connecting = new Set<AbortController>();
  #isClosed = false;

  constructor({ targets, clock, userAgent = "Tapewire", limits = {}, watch, ...options }: SenderOptions) {
    this.#clock = clock;
    this.#watch = watch ?? (() => {});
    this.#userAgent = userAgent;
    this.#limits = { ...sendLimits, ...limits };
    const connector = new Connector({ targets, limits: this.#limits, ...options });
    const { maxIdle } = this.#limits;
    this.#connections = new Connections(connector, { maxIdle, isShown: targets.shown });
  }

  /**
   * Makes one attempt and resolves with its outcome.
   * @throws {RangeError} when the id cannot be signed
   */
  async send(outgoing: Outgoing): Promise<Attempt> {
    const startedAt = performance.now();
    const now = this.#clock.now();
    const destination = this.#destination(outgoing.url);
    const post = this.#postOf(outgoing, destination, now);
    const deadline = new Deadline(this.#limits.totalMs);
    try {
      if (destination === null) throw new AttemptError("invalid_url");
      if (this.#isClosed) throw new AttemptError("stopped");
      const answer = await this.#deliver(destination, post, deadline);
      return this.#told(answered(answer, now, performance.now() - startedAt));
    } catch (error) {
      if (!(error instanceof AttemptError)) throw error;
      return this.#told(unanswered(this.#isClosed ? "stopped" : error.code, performance.now() - startedAt));
    } finally {
      deadline.clear();
    }
  }

  /** Closes the connections of a URL that was changed or is no longer used. */
  forget(url: string): void {
    const known = this.#destination(url);
    this.#destinations.delete(url);
    if (known !== null) this.#connections.forget(known.origin);
  }

  /** Cuts running attempts; wait for them first. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    for (const connecting of this.#connecting) connecting.abort();
    await this.#connections[Symbol.asyncDispose]();
  }

  #told(attempt: Attempt): Attempt {
    this.#watch(attempt);
    return attempt;
  }

  /**
   * A reused connection may have died unnoticed: if it did so before any byte of an answer, the request is repeated on a
   * fresh one.
   * @throws {AttemptError}
   */
  async #deliver({ url, origin }: Destination, post: Post, deadline: Deadline): Promise<Answer> {
    const kept = this.#connections.reuse(origin);
    if (kept !== null) {
      this.counts.reused += 1;
      const exchange = new Exchange(kept);
      try {
        return await this.#over(kept, exchange, post, deadline);
      } catch (error) {
        const died = error instanceof AttemptError && error.code === "reset" && !exchange.hasBytes;
        if (!died || this.#isClosed) throw error;
      }
    }
    const fresh = await this.#connect(url, deadline);
    this.counts.opened += 1;
    return this.#over(fresh, new Exchange(fresh), post, deadline);
  }

  async #connect(url: URL, deadline: Deadline): Promise<Connection> {
    const connecting = new AbortController();
    deadline.onLate(() => connecting.abort());
    this.#connecting.add(connecting);
    try {
      return await this.#connections.open(url, connecting.signal);
    } finally {
      this.#connecting.delete(connecting);
    }
  }

  async #over(connection: Connection, exchange: Exchange, post: Post, deadline: Deadline): Promise<Answer> {
    deadline.onLate(() => exchange.cut("timeout"));
    try {
      const answer = await exchange.post(post);
      return connection.isShown || answer.head === null ? answer : { ...answer, head: null };
    } finally {
      if (exchange.isWhole) this.#connections.free(connection);
      else this.#connections.drop(connection);
    }
  }

  #destination(text: string): Destination | null {
    const known = this.#destinations.get(text);
    if (known !== undefined) return known;
    const rules = { protocols: ["https:", "http:"], insideNames: true, isAllowed: () => true };
    const url = checkTarget(text, rules) === null ? URL.parse(text) : null;
    const found = url === null ? null : { url, origin: url.origin, path: `${url.pathname}${url.search}` };
    if (this.#destinations.size >= keptDestinations) this.#destinations.clear();
    this.#destinations.set(text, found);
    return found;
  }

  #postOf({ id, body, keys }: Outgoing, destination: Destination | null, now: Date): Post {
    const headers = signedHeaders({ id, body, keys }, { userAgent: this.#userAgent, now });
    return { path: destination?.path ?? "/", headers, body };
  }
}

/** One timer for all steps of an attempt; the running step decides how it ends. */
class Deadline {
  readonly #timer: NodeJS.Timeout;
  #isLate = false;
  #act: (() => void) | null = null;

  constructor(ms: number) {
    this.#timer = setTimeout(() => {
      this.#isLate = true;
      this.#act?.();
    }, ms);
  }

  onLate(act: () => void): void {
    this.#act = act;
    if (this.#isLate) act();
  }

  clear(): void {
    clearTimeout(this.#timer);
  }
}

function answered({ status, retryAfter, head }: Answer, now: Date, ms: number): Attempt {
  return {
    ok: status >= 200 && status < 300,
    status,
    error: null,
    ms: Math.round(ms),
    retryAfterMs: status === 429 || status === 503 ? retryAfterMs(retryAfter, now) : null,
    gone: status === 410,
    response: head === null ? null : printable(head),
  };
}

function unanswered(error: AttemptErrorCode, ms: number): Attempt {
  return {
    ok: false,
    status: null,
    error,
    ms: Math.round(ms),
    retryAfterMs: null,
    gone: false,
    response: null,
  };
}

/** Drops a truncated character at the end, and replaces characters that cannot be shown or stored. */
function printable(bytes: Buffer): string {
  const text = new TextDecoder().decode(bytes, { stream: true });
  return text.replace(/(?![\n\t])\p{Cc}/gu, "\ufffd");
}
