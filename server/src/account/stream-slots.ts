import { randomUUID } from "node:crypto";
import { ApiError } from "@tapewire/contract/errors.ts";
import type { Log } from "../runtime/log.ts";
import {
  freeSlots,
  gatewayGone,
  gatewaySeen,
  restoreSlots,
  takeSlots,
} from "../store/accounts/stream-slots.ts";
import type { Queries } from "../store/engine/db.ts";
import type { Caller } from "./auth.ts";

const signOfLifeEveryMs = 3_000;

/** Streams of an account that ask to be let in together. */
interface Round {
  wanted: number;
  readonly granted: Promise<number>;
}

/** Counts the open streams of accounts against their plans, over all processes. */
export class StreamSlots implements AsyncDisposable {
  readonly #db: Queries;
  readonly #log: Log;
  readonly #gateway = randomUUID();
  readonly #open = new Map<string, number>();
  /** Ended streams that the database does not know of yet, by account. */
  #closed = new Map<string, number>();
  #freeing: Promise<void> | null = null;
  /** The last sign of life failed: it may have come through, and told that this process had been taken for gone. */
  #isUnsure = false;
  /** By account: the round that is still to begin, and the newest that has not ended. */
  readonly #next = new Map<string, Round>();
  readonly #last = new Map<string, Round>();
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
    const round = this.#next.get(accountId) ?? this.#newRound(accountId, most);
    round.wanted += 1;
    const place = round.wanted;
    if (place > (await round.granted))
      throw new ApiError("too_many_connections", {
        detail: `The ${tier} plan allows ${most} at a time`,
        headers: { "Retry-After": "10" },
        violatedPolicies: ["streams"],
      });
    this.#open.set(accountId, this.openHere(accountId) + 1);
  }

  /** One transaction at a time for an account: clients that all come back at once would else queue up for its row. */
  #newRound(accountId: string, most: number): Round {
    const before = this.#last.get(accountId)?.granted.catch(() => {});
    const begin = async () => {
      await before;
      this.#next.delete(accountId);
      return takeSlots(this.#db, { accountId, gateway: this.#gateway, most, wanted: round.wanted }).finally(
        () => {
          if (this.#last.get(accountId) === round) this.#last.delete(accountId);
        },
      );
    };
    const round: Round = { wanted: 0, granted: begin() };
    this.#next.set(accountId, round);
    this.#last.set(accountId, round);
    return round;
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
      const isNew = await gatewaySeen(this.#db, this.#gateway);
      if (isNew || this.#isUnsure) await this.#restore();
      this.#isUnsure = false;
    } catch (error) {
      this.#isUnsure = true;
      this.#log.warn({ err: error }, "the sign of life of the streams failed");
    }
    this.#freeing ??= this.#flush();
  }

  /** With the rows of this process its streams that ended since are forgotten too: to free them would count them twice. */
  async #restore(): Promise<void> {
    await this.#freeing;
    this.#closed = new Map();
    const slots = { open: this.#open, entering: [...this.#last.keys()] };
    this.#freeing = restoreSlots(this.#db, this.#gateway, slots).finally(() => {
      this.#freeing = null;
    });
    await this.#freeing;
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
