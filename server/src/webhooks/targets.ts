import { networkInterfaces } from "node:os";
import { webhookLimits } from "@tapewire/contract/webhooks.ts";
import {
  checkTarget,
  isInsideName,
  isPublicAddress,
  literalAddress,
  resolveAll,
  withinRanges,
} from "../runtime/addresses.ts";
import { Gate } from "../runtime/sharing/gate.ts";

export interface TargetOptions {
  /** Ranges (CIDR) beyond the public internet that the operator has opened. */
  readonly opened: readonly string[];
  /** Port on which this service itself listens, at any address: it is no target. null: none (yet). */
  readonly ownPort?: () => number | null;
  /** Overrides whose answers are shown: by default those of the public internet. */
  readonly isShown?: (ip: string) => boolean;
  /** Replaces the system's resolver. */
  readonly resolve?: (host: string) => Promise<readonly { readonly address: string }[]>;
  readonly resolveTimeoutMs?: number;
}

const plainIsClosed =
  "its scheme is http, which is only for addresses that the operator has opened: use https";
const hostIsClosed = "its host has no address that deliveries may use";
/** The condition is that of config/webhook-ranges.ts. */
const howToOpen =
  "The operator opens private ranges by a setting: TAPEWIRE_WEBHOOK_ALLOW=127.0.0.0/8 opens this machine, which is open without it only while the database is embedded and no other machine can reach the service";

/**
 * Where deliveries may go: to public addresses by https, and to the ranges that the operator has opened by http too.
 * A name of a private network (localhost, printer.local, one without a dot) may lead only to those ranges.
 */
export class Targets {
  readonly #hasOpened: boolean;
  readonly #isOpened: (ip: string) => boolean;
  readonly #resolve: NonNullable<TargetOptions["resolve"]>;
  readonly #resolveTimeoutMs: number;
  readonly #ownPort: () => number | null;
  /**
   * Whether the owner of an endpoint may read what an address answers. Answers from the operator's own ranges are not for
   * everybody with a key: owners only see that something answers there.
   */
  readonly shown: (ip: string) => boolean;
  /**
   * Few names at a time, because the system's resolver takes threads that the whole process shares, and cannot be stopped.
   * One per account, so that a silent name server delays only the account that named it.
   */
  readonly #lookups = new Gate({ inside: 2, each: { inside: 1 } });

  constructor({
    opened,
    ownPort = () => null,
    resolve = resolveAll,
    resolveTimeoutMs = 2_000,
    isShown,
  }: TargetOptions) {
    this.#hasOpened = opened.length > 0;
    this.#isOpened = withinRanges(opened);
    this.#ownPort = ownPort;
    this.shown = isShown ?? ((ip) => isPublicAddress(ip) && !this.#isOpened(ip));
    this.#resolve = resolve;
    this.#resolveTimeoutMs = resolveTimeoutMs;
  }

  /** Which addresses a connection for the URL may use; checked again at every connect (`publicLookup`). */
  allowed(url: URL): (ip: string) => boolean {
    const isReachable = this.#reachable(url);
    if (portOf(url) !== this.#ownPort()) return isReachable;
    return (ip) => isReachable(ip) && !isOfThisMachine(ip);
  }

  /** Which addresses may be used on other ports than the service's own. */
  #reachable(url: URL): (ip: string) => boolean {
    const isInside = url.protocol !== "https:" || isInsideName(url.hostname);
    return isInside ? this.#isOpened : (ip) => isPublicAddress(ip) || this.#isOpened(ip);
  }

  /**
   * Why deliveries may not go to a URL, or null. A public name that does not resolve, or not in time, passes: it may not
   * exist yet, and is judged at every connect. A name with a refused address, even beside others, does not pass.
   * The reason reveals nothing of the operator's network.
   * @param accountId the calling account
   */
  async refusal(text: string, accountId: string): Promise<string | null> {
    if (text.length > webhookLimits.url) return `at most ${webhookLimits.url} characters`;
    const rules = { protocols: ["https:", "http:"], insideNames: true, isAllowed: () => true };
    const malformed = checkTarget(text, rules);
    if (malformed !== null) return malformed;
    const url = new URL(text);
    const isPlain = url.protocol === "http:";
    const isInside = isPlain || isInsideName(url.hostname);
    const closed = `${isPlain ? plainIsClosed : hostIsClosed}. ${howToOpen}`;
    if (isInside && !this.#hasOpened) return closed;
    const addresses = await this.#addressesOf(url.hostname, accountId);
    if (addresses === null && !isInside) return null;
    if (addresses !== null && addresses.length > 0 && addresses.every(this.allowed(url))) return null;
    // Nothing but the port is wrong with it.
    if (addresses !== null && addresses.length > 0 && addresses.every(this.#reachable(url)))
      return "it leads to this service itself, which takes no deliveries: use the port of your receiver";
    return closed;
  }

  /** @returns null when the name does not resolve, or not in time */
  async #addressesOf(hostname: string, accountId: string): Promise<readonly string[] | null> {
    const literal = literalAddress(hostname);
    if (literal !== null) return [literal];
    const signal = AbortSignal.timeout(this.#resolveTimeoutMs);
    const { promise: timedOut, resolve: giveUp } = Promise.withResolvers<null>();
    signal.addEventListener("abort", () => giveUp(null), { once: true });
    try {
      const release = await this.#lookups.enter({ owner: accountId, signal });
      const found = await Promise.race([this.#resolve(hostname).finally(release), timedOut]);
      return found?.map(({ address }) => address) ?? null;
    } catch {
      return null;
    }
  }
}

/** The port that a connection for the URL uses. */
export function portOf({ protocol, port }: URL): number {
  if (port !== "") return Number(port);
  return protocol === "https:" ? 443 : 80;
}

const loopback = ["127.0.0.0/8", "::1/128"];
/** A connection to it also ends at this machine. */
const unspecified = ["0.0.0.0/8", "::/128"];

function isOfThisMachine(ip: string): boolean {
  const interfaces = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const own = interfaces.map(({ family, address }) => `${address}/${family === "IPv6" ? 128 : 32}`);
  return withinRanges([...loopback, ...unspecified, ...own])(ip);
}
