import type { ServerResponse } from "node:http";
import { ApiError } from "@tapewire/contract/errors/errors.ts";
import type { Authenticator, Caller } from "../../account/keys/auth.ts";
import type { LogItem } from "../../feed/item.ts";
import type { ItemTail } from "../../itemlog/tail.ts";
import type { Who } from "./inner-fetch.ts";

/** A resource that changes often is told of once in this time. */
const tellEveryMs = 1_000;
/** Changes that wait to be told; more are told at once. */
const mostWaiting = 10_000;
/** Keys are checked, and clients that read nothing are looked for, this often. The interface promises 5 s. */
const checkEveryMs = 2_500;

/** Resources of a subscription: each change of an item is looked for among them, one by one. */
const mostResources = 100;

/** @throws {ApiError} invalid_body, when a subscription names too many resources */
export function checkResources(count: number): void {
  if (count <= mostResources) return;
  const field = { in: "body", name: "params.notifications.resourceSubscriptions" } as const;
  throw new ApiError("invalid_body", { fields: [{ ...field, detail: `at most ${mostResources} entries` }] });
}

interface Open {
  readonly who: Who;
  readonly response: ServerResponse;
  /** At the last check the client had not read everything. */
  isBehind: boolean;
}

/**
 * Subscriptions of agents that are open in this process, and what they are told: that a symbol has a new item, or that an
 * item has changed. An account may have as many open as its plan has streams.
 */
export class Subscriptions implements Disposable {
  readonly #auth: Authenticator;
  readonly #tail: ItemTail;
  readonly #changed: (uri: string) => void;
  readonly #open = new Set<Open>();
  readonly #waiting = new Set<string>();
  #ends: (() => void) | null = null;

  /** @param changed tells the subscribers of a resource */
  constructor(deps: { auth: Authenticator; tail: ItemTail }, changed: (uri: string) => void) {
    this.#auth = deps.auth;
    this.#tail = deps.tail;
    this.#changed = changed;
  }

  /**
   * Counts a subscription until its response ends.
   * @throws {ApiError} too_many_connections
   */
  enter(who: Who, response: ServerResponse): void {
    const { accountId, plan } = who.caller;
    const count = [...this.#open].filter(({ who: { caller } }) => caller.accountId === accountId).length;
    if (count >= plan.stream_connections)
      throw new ApiError("too_many_connections", {
        detail: `The ${who.caller.tier} plan allows ${plan.stream_connections} subscriptions at a time`,
      });
    const open = { who, response, isBehind: false };
    this.#open.add(open);
    this.#ends ??= this.#begin();
    response.once("close", () => this.#leave(open));
  }

  [Symbol.dispose](): void {
    this.#ends?.();
    this.#ends = null;
  }

  #leave(open: Open): void {
    this.#open.delete(open);
    if (this.#open.size === 0) this[Symbol.dispose]();
  }

  /** Follows the log, as long as somebody listens. */
  #begin(): () => void {
    const unobserve = this.#tail.observe({ extended: (items) => this.#note(items) });
    const timers = [
      setInterval(() => this.#tell(), tellEveryMs),
      setInterval(() => void this.#check(), checkEveryMs),
    ];
    return () => {
      unobserve();
      for (const timer of timers) clearInterval(timer);
      this.#waiting.clear();
    };
  }

  #note(items: readonly LogItem[]): void {
    for (const { item } of items) {
      this.#waiting.add(`tapewire://item/${item.id}`);
      for (const { symbol, short_symbol: ticker } of item.symbols)
        for (const name of [symbol, ticker ?? symbol]) {
          this.#waiting.add(`tapewire://symbol/${name}`);
          // As clients make the address from its template: NASDAQ%3AAAPL.
          this.#waiting.add(`tapewire://symbol/${encodeURIComponent(name)}`);
        }
    }
    if (this.#waiting.size > mostWaiting) this.#tell();
  }

  #tell(): void {
    const uris = [...this.#waiting];
    this.#waiting.clear();
    for (const uri of uris) this.#changed(uri);
  }

  /** Ends those whose key is no longer valid, and those that have read nothing since the last check. */
  async #check(): Promise<void> {
    for (const open of this.#open) {
      const { response, who } = open;
      const caller: Caller | null | undefined = await this.#auth.authenticate(who.key).catch(() => undefined);
      if (caller === null || (open.isBehind && response.writableNeedDrain)) response.destroy();
      open.isBehind = response.writableNeedDrain;
    }
  }
}
