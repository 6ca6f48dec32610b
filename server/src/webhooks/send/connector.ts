import type { LookupAddress } from "node:dns";
import { isIP, connect as openTcp, type Socket } from "node:net";
import { createSecureContext, connect as openTls, type SecureContext, type TLSSocket } from "node:tls";
import { AddressError, literalAddress, publicLookup } from "../../runtime/addresses.ts";
import { portOf, type Targets } from "../targets.ts";
import { AttemptError, codeOf } from "./attempt-error.ts";
import { newResolver, type Resolve } from "./resolver.ts";
import type { AttemptErrorCode } from "./types.ts";

export interface ConnectLimits {
  readonly resolveMs: number;
  /** For TCP over all addresses, and again for TLS. */
  readonly connectMs: number;
}

export interface ConnectorOptions {
  readonly targets: Targets;
  readonly limits: ConnectLimits;
  readonly resolve?: Resolve;
  /** Certificates (PEM) of trusted authorities; by default Node's. */
  readonly ca?: readonly string[];
}

/** Hosts whose last TLS session is kept: resuming saves a third of the cost of a connection. */
const keptSessions = 2_000;

/**
 * Opens connections to allowed targets. A name is resolved once, all its addresses are judged, and TCP connects to one of
 * them, so a later answer of the name server has no effect; TLS runs over that socket. Written here, because Node calls no
 * lookup for a host that is an address, and its TLS ignores a block list.
 */
export class Connector {
  readonly #targets: Targets;
  readonly #limits: ConnectLimits;
  readonly #resolve: Resolve;
  /** Shared: a context per connection would read the authorities' certificates each time. */
  readonly #secureContext: SecureContext;
  /** By origin, the most recently used at the end. */
  readonly #sessions = new Map<string, Buffer>();

  constructor({ targets, limits, resolve = newResolver(), ca }: ConnectorOptions) {
    this.#targets = targets;
    this.#limits = limits;
    this.#resolve = resolve;
    this.#secureContext = createSecureContext(ca === undefined ? {} : { ca: [...ca] });
  }

  /**
   * @returns a connected socket whose errors have a listener
   * @throws {AttemptError}; `timeout` when the signal aborts
   */
  async connect(url: URL, signal: AbortSignal): Promise<Socket> {
    const isAllowed = this.#targets.allowed(url);
    const host = literalAddress(url.hostname) ?? url.hostname;
    if (isIP(host) !== 0 && !isAllowed(host)) throw new AttemptError("address_refused");
    const addresses = isIP(host) !== 0 ? [] : await this.#judged(host, isAllowed, signal);
    const socket = await this.#openTcp(portOf(url), host, addresses, signal);
    if (!isAllowed(socket.remoteAddress ?? "")) {
      socket.destroy();
      throw new AttemptError("address_refused");
    }
    return url.protocol === "https:" ? this.#openTls(url, host, socket, signal) : socket;
  }

  async #judged(
    host: string,
    isAllowed: (ip: string) => boolean,
    signal: AbortSignal,
  ): Promise<readonly LookupAddress[]> {
    const late = new AbortController();
    const { promise, resolve, reject } = Promise.withResolvers<readonly LookupAddress[]>();
    const giveUp = (code: AttemptErrorCode) => {
      reject(new AttemptError(code));
      late.abort();
    };
    const stop = () => giveUp("timeout");
    const timer = setTimeout(() => giveUp("dns_timeout"), this.#limits.resolveMs);
    signal.addEventListener("abort", stop, { once: true });
    publicLookup({ resolve: () => this.#resolve(host, late.signal), isAllowed })(
      host,
      { all: true },
      (error, found) => {
        if (Array.isArray(found)) resolve(found);
        else reject(error);
      },
    );
    try {
      return await promise;
    } catch (cause) {
      if (cause instanceof AttemptError) throw cause;
      throw new AttemptError(cause instanceof AddressError ? "dns_refused" : "dns_failed", { cause });
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
    }
  }

  async #openTcp(
    port: number,
    host: string,
    addresses: readonly LookupAddress[],
    signal: AbortSignal,
  ): Promise<Socket> {
    const [first] = addresses;
    const socket = openTcp({
      host,
      port,
      noDelay: true,
      keepAlive: true,
      lookup: (_host, { all }, done) => {
        if (all === true) done(null, [...addresses]);
        else done(null, first?.address ?? "", first?.family);
      },
    });
    await this.#opened(socket, "connect", signal, (cause) => tcpCodes.get(codeOf(cause)) ?? "connect_failed");
    return socket;
  }

  async #openTls({ origin }: URL, host: string, under: Socket, signal: AbortSignal): Promise<TLSSocket> {
    const session = this.#sessions.get(origin);
    const socket = openTls({
      socket: under,
      host,
      // An address is no server name (RFC 6066, 3), and a name's last dot is not part of it.
      servername: isIP(host) === 0 ? host.replace(/\.$/, "") : "",
      ALPNProtocols: ["http/1.1"],
      secureContext: this.#secureContext,
      // Overrides the environment.
      rejectUnauthorized: true,
      ...(session === undefined ? {} : { session }),
    });
    socket.on("session", (fresh: Buffer) => this.#keepSession(origin, fresh));
    await this.#opened(socket, "secureConnect", signal, tlsCode);
    return socket;
  }

  #keepSession(origin: string, session: Buffer): void {
    this.#sessions.delete(origin);
    this.#sessions.set(origin, session);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > keptSessions && oldest !== undefined) this.#sessions.delete(oldest);
  }

  /** Waits for the event; destroys the socket when something else comes first. */
  async #opened(
    socket: Socket,
    event: "connect" | "secureConnect",
    signal: AbortSignal,
    meaning: (error: unknown) => AttemptErrorCode,
  ): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const stop = () => reject(new AttemptError("timeout"));
    const timer = setTimeout(() => reject(new AttemptError("connect_timeout")), this.#limits.connectMs);
    signal.addEventListener("abort", stop, { once: true });
    socket.once(event, resolve).on("error", (cause) => reject(new AttemptError(meaning(cause), { cause })));
    socket.once("close", () => reject(new AttemptError(meaning(null))));
    try {
      if (signal.aborted) stop();
      await promise;
    } catch (error) {
      socket.destroy();
      throw error;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
    }
  }
}

const tcpCodes = new Map<string, AttemptErrorCode>([
  ["ECONNREFUSED", "connect_refused"],
  ["ETIMEDOUT", "connect_timeout"],
  // Our own shortage of sockets is no failure of the receiver.
  ["EMFILE", "stopped"],
  ["ENFILE", "stopped"],
  ["ENOBUFS", "stopped"],
]);

function tlsCode(error: unknown): AttemptErrorCode {
  const code = codeOf(error);
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") return "tls_name";
  if (code === "CERT_HAS_EXPIRED" || code === "CERT_NOT_YET_VALID") return "tls_expired";
  return /CERT|UNABLE_TO|SELF_SIGNED/.test(code) ? "tls_untrusted" : "tls_failed";
}
