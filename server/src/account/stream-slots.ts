import { randomUUID } from "node:crypto";
import { ApiError } from "@tapewire/contract/errors.ts";
import type { Log } from "../runtime/log.ts";
import type { Queries } from "../store/db.ts";
import { freeSlots, gatewayGone, gatewaySeen, restoreSlots, takeSlot } from "../store/stream-slots.ts";
import type { Caller } from "./auth.ts";

const signOfLifeEveryMs = 3_000;

/** Counts the open streams of accounts against their plans, over all processes. */
export class StreamSlots implements AsyncDisposable {
  readonly #db: Queries;
  readonly #log: Log;
  readonly #gateway = randomUUID();
  readonly #open = new Map<string, number>();
  /** Ended streams that the database does not know of yet, by account. */
  #closed = new Map<string, number>();
  #freeing: Promise<void> | null = null;
  readonly #timer: NodeJS.Timeout;

  private constructor(deps: { db: Queries; log: Log }) {
    this.#db = deps.db;
    this.#log = deps.log;
    this.#timer = setInterval(() => void this.#seen(), signOfLifeEveryMs);
    this.#timer.unref();
  }

  static async start(deps: { db: Queries; log: Log }): Promise<StreamSlots> {
    const slots = new StreamSlots(deps);
    await gatewaySeen(deps.db, slots.#gateway);
    return slots;
  }

  /** Streams of the account in this process. */
  openHere(accountId: string): number {
    return this.#open.get(accountId) ?? 0;
  }

  /** @throws {ApiError} too_many_connections */
  async take({ accountId, tier, plan }: Caller): Promise<void> {
    const most = plan.stream_connections;
    const granted = await takeSlot(this.#db, { accountId, gateway: this.#gateway, most });
    if (!granted)
      throw new ApiError("too_many_connections", {
        detail: `The ${tier} plan allows ${most} at a time`,
        headers: { "Retry-After": "10" },
      });
    this.#open.set(accountId, this.openHere(accountId) + 1);
  }

  free({ accountId }: Caller): void {
    const left = this.openHere(accountId) - 1;
    if (left > 0) this.#open.set(accountId, left);
    else this.#open.delete(accountId);
    this.#closed.set(accountId, (this.#closed.get(accountId) ?? 0) + 1);
    this.#freeing ??= this.#flush();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.#freeing;
    await gatewayGone(this.#db, this.#gateway).catch((error: unknown) =>
      this.#log.warn(
        { err: error },
        "signing off failed: this process's streams count for some seconds more",
      ),
    );
  }

  async #seen(): Promise<void> {
    try {
      const wasGone = await gatewaySeen(this.#db, this.#gateway);
      if (wasGone) await restoreSlots(this.#db, this.#gateway, this.#open);
    } catch (error) {
      this.#log.warn({ err: error }, "the sign of life of the streams failed");
    }
    this.#freeing ??= this.#flush();
  }

  /** What could not be written is tried again with the next sign of life. */
  async #flush(): Promise<void> {
    // One turn later: streams that end together are written together.
    await Promise.resolve();
    while (this.#closed.size > 0) {
      const closed = this.#closed;
      this.#closed = new Map();
      try {
        await freeSlots(this.#db, this.#gateway, closed);
      } catch (error) {
        this.#log.warn({ err: error }, "freeing streams of accounts failed");
        for (const [accountId, count] of this.#closed)
          closed.set(accountId, (closed.get(accountId) ?? 0) + count);
        this.#closed = closed;
        break;
      }
    }
    this.#freeing = null;
  }
}
