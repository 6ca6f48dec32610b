import type { Plan, PlanName, PlanTable } from "@tapewire/contract/plans.ts";
import { planName } from "@tapewire/contract/plans.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import { type KeyRow, keyByHash, touchKeys } from "../store/accounts.ts";
import type { Queries } from "../store/db.ts";
import { hashKey, isWellFormedKey } from "./key.ts";

/** Who is calling, and what the plan allows. */
export interface Caller {
  readonly keyId: string;
  readonly accountId: string;
  readonly tier: PlanName;
  readonly plan: Plan;
}

interface Cached {
  readonly row: KeyRow | null;
  readonly readAtMs: number;
}

/** A revocation or a change of plan made elsewhere shows after this long; the promise is 5 s. */
const cacheMs = 3_000;
const cacheEntries = 20_000;
const touchEveryMs = 10_000;

/** Knows callers by their keys. Answers are kept for 3 s, unknown keys included. */
export class Authenticator implements AsyncDisposable {
  readonly #db: Queries;
  readonly #plans: PlanTable;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #cache = new Map<string, Cached>();
  readonly #used = new Map<string, Date>();
  readonly #timer: NodeJS.Timeout;
  #generation = 0;

  constructor(deps: { db: Queries; plans: PlanTable; clock: Clock; log: Log }) {
    this.#db = deps.db;
    this.#plans = deps.plans;
    this.#clock = deps.clock;
    this.#log = deps.log;
    this.#timer = setInterval(() => void this.#flush(), touchEveryMs);
    this.#timer.unref();
  }

  /** @returns null when the key is malformed, unknown, revoked or expired */
  async authenticate(key: string): Promise<Caller | null> {
    if (!isWellFormedKey(key)) return null;
    const row = await this.#lookUp(hashKey(key));
    const now = this.#clock.now();
    if (row === null || row.revoked_at !== null || (row.expires_at !== null && row.expires_at <= now))
      return null;
    this.#used.set(row.id, now);
    const tier = planName.parse(row.plan);
    return { keyId: row.id, accountId: row.account_id, tier, plan: this.#plans[tier] };
  }

  /** Changes made in this process count at once. */
  forget(): void {
    this.#generation += 1;
    this.#cache.clear();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.#flush();
  }

  async #lookUp(hash: Buffer): Promise<KeyRow | null> {
    const id = hash.toString("base64");
    const cached = this.#cache.get(id);
    const nowMs = performance.now();
    if (cached !== undefined && nowMs - cached.readAtMs < cacheMs) return cached.row;
    const generation = this.#generation;
    const row = await keyByHash(this.#db, hash);
    // Read before a change that was made meanwhile.
    if (generation !== this.#generation) return this.#lookUp(hash);
    // Guessed keys must not grow the cache; a full one starts again.
    if (this.#cache.size >= cacheEntries) this.#cache.clear();
    this.#cache.set(id, { row, readAtMs: nowMs });
    return row;
  }

  async #flush(): Promise<void> {
    if (this.#used.size === 0) return;
    const used = new Map(this.#used);
    this.#used.clear();
    await touchKeys(this.#db, used).catch((error: unknown) =>
      this.#log.warn({ err: error }, "saving last_used_at failed"),
    );
  }
}

/** The token of an `Authorization: Bearer ...` header; null when there is none. */
export function bearerToken(header: string | null | undefined): string | null {
  return /^Bearer +([^\s]+) *$/i.exec(header ?? "")?.[1] ?? null;
}
