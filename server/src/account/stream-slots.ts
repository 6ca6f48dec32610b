import { randomUUID } from "node:crypto";
import { ApiError } from "@tapewire/contract/errors/errors.ts";
import type { Log } from "../runtime/log.ts";
import {
  freeSlots,
  gatewayGone,
  gatewaySeen,
  restoreSlots,
  takeSlots,
} from "../store/accounts/stream-slots.ts";
import type { Queries } from "../store/engine/db.ts";
import type { Caller } from "./keys/auth.ts";

const signOfLifeEveryMs = 3_000;

/** Streams of an account that ask for slots in one transaction. */
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
  /** Streams that ended, by account, until the database counts them as freed. */
  #closed = new Map<string, number>();
  #freeing: Promise<void> | null = null;
  /**
   * A write failed, but it may have been committed and only its answer lost: streams entered or freed, or a sign of life
   * that would have told that this process was taken for gone. The next sign of life writes all counts anew.
   */
  #isUnsure = false;
  /** By account: the round that has not begun, and the newest that has not ended. */
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

  /** One transaction at a time per account: otherwise clients that reconnect at once would queue for its row. */
  #newRound(accountId: string, most: number): Round {
    const before = this.#last.get(accountId)?.granted.catch(() => {});
    const begin = async () => {
      await before;
      this.#next.delete(accountId);
      try {
        const { wanted } = round;
        return await takeSlots(this.#db, { accountId, gateway: this.#gateway, most, wanted });
      } catch (error) {
        this.#isUnsure = true;
        throw error;
      } finally {
        if (this.#last.get(accountId) === round) this.#last.delete(accountId);
      }
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
        "signing off failed: this process's streams still count for some seconds",
      ),
    );
  }

  async #seen(): Promise<void> {
    try {
      const isNew = await gatewaySeen(this.#db, this.#gateway);
      if (isNew || this.#isUnsure) await this.#restore();
    } catch (error) {
      this.#isUnsure = true;
      this.#log.warn({ err: error }, "the sign of life of the streams failed");
    }
    this.#freeing ??= this.#flush();
  }

  /** Writes this process's rows anew. They no longer count ended streams, so those must not be freed a second time. */
  async #restore(): Promise<void> {
    while (this.#freeing !== null) await this.#freeing;
    this.#closed = new Map();
    const slots = { open: this.#open, entering: [...this.#last.keys()] };
    // Of accounts that are entering streams no count is lowered.
    this.#isUnsure = slots.entering.length > 0;
    this.#freeing = restoreSlots(this.#db, this.#gateway, slots).finally(() => {
      this.#freeing = null;
    });
    await this.#freeing;
  }

  /** Frees ended streams in the database; after a failed write the next sign of life writes what is left. */
  async #flush(): Promise<void> {
    // One turn later: streams that end in the same turn are freed in one write.
    await Promise.resolve();
    while (this.#closed.size > 0) {
      const closed = this.#closed;
      this.#closed = new Map();
      try {
        await freeSlots(this.#db, this.#gateway, closed);
      } catch (error) {
        this.#isUnsure = true;
        this.#log.warn({ err: error }, "freeing streams of accounts failed");
        break;
      }
    }
    this.#freeing = null;
  }
}
