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
import { Gate } from "../runtime/gate.ts";

export interface TargetOptions {
  /** Ranges (CIDR) beyond the public internet that the operator has opened. */
  readonly opened: readonly string[];
  /** Where this service itself listens, on whichever address: it is no target. null: nowhere (yet). */
  readonly ownPort?: () => number | null;
  /** Stands in for what is shown: answers of the public internet alone. */
  readonly isShown?: (ip: string) => boolean;
  /** Stands in for the system's resolver. */
  readonly resolve?: (host: string) => Promise<readonly { readonly address: string }[]>;
  readonly resolveTimeoutMs?: number;
}

/**
 * Where deliveries may go: to public addresses by https, and to the ranges that the operator has opened by http as well.
 * A name of a private network (localhost, printer.local, one without a dot) may lead to those ranges only.
 */
export class Targets {
  readonly #hasOpened: boolean;
  readonly #isOpened: (ip: string) => boolean;
  readonly #resolve: NonNullable<TargetOptions["resolve"]>;
  readonly #resolveTimeoutMs: number;
  readonly #ownPort: () => number | null;
  /**
   * Whether the owner of an endpoint may read what an address answers. What only the operator's ranges let a delivery
   * reach is not for whoever has a key: that something listens there is told, and no more.
   */
  readonly shown: (ip: string) => boolean;
  /**
   * Few names at a time: the system's resolver takes threads that the whole process shares, and cannot be stopped. One
   * of an account: its silent name holds up its own.
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

  /** Which addresses a connection for the URL may lead to; to be asked again at every connect (`publicLookup`). */
  allowed(url: URL): (ip: string) => boolean {
    const isInside = url.protocol !== "https:" || isInsideName(url.hostname);
    const isAllowed = isInside ? this.#isOpened : (ip: string) => isPublicAddress(ip) || this.#isOpened(ip);
    if (portOf(url) !== this.#ownPort()) return isAllowed;
    return (ip) => isAllowed(ip) && !isOfThisMachine(ip);
  }

  /**
   * Why deliveries may not go to a URL, or null. A public name that does not resolve, or not in time, passes: it may not
   * be there yet, and is judged at every connect. One that leads to a refused address, if only among others, does not.
   * The reason tells nothing of the operator's network.
   * @param accountId who asks
   */
  async refusal(text: string, accountId: string): Promise<string | null> {
    if (text.length > webhookLimits.url) return `at most ${webhookLimits.url} characters`;
    const protocols = this.#hasOpened ? ["https:", "http:"] : ["https:"];
    const isAllowed = () => true;
    const malformed = checkTarget(text, { protocols, insideNames: this.#hasOpened, isAllowed });
    if (malformed !== null) return malformed;
    const url = new URL(text);
    const addresses = await this.#addressesOf(url.hostname, accountId);
    const isPlain = url.protocol === "http:";
    if (addresses === null && !isPlain && !isInsideName(url.hostname)) return null;
    if (addresses !== null && addresses.length > 0 && addresses.every(this.allowed(url))) return null;
    return isPlain
      ? "its scheme is http, which is for addresses that the operator has opened: use https"
      : "its host leads to no address that deliveries may go to";
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

/** The port that a connection for the URL goes to. */
export function portOf({ protocol, port }: URL): number {
  if (port !== "") return Number(port);
  return protocol === "https:" ? 443 : 80;
}

const loopback = ["127.0.0.0/8", "::1/128"];
/** A connection to it ends at this machine too. */
const unspecified = ["0.0.0.0/8", "::/128"];

function isOfThisMachine(ip: string): boolean {
  const interfaces = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const own = interfaces.map(({ family, address }) => `${address}/${family === "IPv6" ? 128 : 32}`);
  return withinRanges([...loopback, ...unspecified, ...own])(ip);
}
