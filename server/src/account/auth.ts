import { ApiError } from "@tapewire/contract/errors.ts";
import type { Plan, PlanName, PlanTable } from "@tapewire/contract/plans.ts";
import { planName } from "@tapewire/contract/plans.ts";
import { LRUCache } from "lru-cache";
import type { Clock } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import { type KeyRow, keyByHash, keysByHash, touchKeys } from "../store/accounts/accounts.ts";
import type { Queries } from "../store/engine/db.ts";
import { clientNetwork, type Origin } from "./client-network.ts";
import { FailedAttempts } from "./failed-attempts.ts";
import { hashKey, isWellFormedKey } from "./key.ts";
import { RateLimits } from "./rate-limit.ts";
import { Usage } from "./usage.ts";

/** Who is calling, and what the plan allows. */
export interface Caller {
  readonly keyId: string;
  readonly accountId: string;
  readonly tier: PlanName;
  readonly plan: Plan;
}

interface Reading {
  readonly readAtMs: number;
  readonly generation: number;
}

/** A key as it was found; `row` is null when nobody has it. */
interface Cached extends Reading {
  readonly row: KeyRow | null;
  readonly caller: Caller | null;
}

interface UnderWay {
  count: number;
  next: PromiseWithResolvers<void>;
}

/** A revocation or a change of plan made elsewhere shows after this long; the promise is 5 s. */
const cacheMs = 3_000;
const mostKnown = 50_000;
const mostUnknown = 20_000;
const touchEveryMs = 10_000;
const keysAtOnce = 500;

/**
 * The accounts' side of every edge: who is calling, how often yet, and what was used. Keys are remembered for 3 s,
 * unknown ones included; a network whose keys are looked up in vain too often gets no more look-ups.
 */
export class Authenticator implements AsyncDisposable {
  /** Requests of each account. */
  readonly rates: RateLimits;
  readonly usage: Usage;
  readonly #db: Queries;
  readonly #plans: PlanTable;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #trustedProxies: number;
  readonly #refused: FailedAttempts;
  /** In vain. */
  readonly #lookedUp: FailedAttempts;
  /** By the key itself. Guesses have a cache of their own and push out no key. */
  readonly #known = new LRUCache<string, Cached>({ max: mostKnown });
  readonly #unknown = new LRUCache<string, Cached>({ max: mostUnknown });
  readonly #looking = new Map<string, Promise<Cached>>();
  /** Of networks, the first look-ups that are not done; `next` resolves when one is. */
  readonly #underWay = new Map<string, UnderWay>();
  readonly #used = new Map<string, Date>();
  readonly #timer: NodeJS.Timeout;
  #generation = 0;

  /** @param deps.trustedProxies see clientNetwork */
  constructor(deps: { db: Queries; plans: PlanTable; clock: Clock; log: Log; trustedProxies?: number }) {
    this.#db = deps.db;
    this.#plans = deps.plans;
    this.#clock = deps.clock;
    this.#log = deps.log;
    this.#trustedProxies = deps.trustedProxies ?? 0;
    this.#refused = new FailedAttempts(deps.clock);
    this.#lookedUp = new FailedAttempts(deps.clock);
    this.rates = new RateLimits(deps);
    this.usage = new Usage(deps);
    this.#timer = setInterval(() => void this.#saveUses(), touchEveryMs);
    this.#timer.unref();
  }

  /**
   * Lets a request in by its key.
   * @param key empty when none was given
   * @throws {ApiError} unauthorized, or rate_limited (see refusal); rate_limited also for a key that would have to be
   *   looked up while the client's network has had too many looked up in vain. Keys seen lately are not held up by what
   *   others try from the same network
   */
  async admit(key: string, origin: Origin): Promise<Caller> {
    const cached = this.#fresh(key);
    const caller = cached === null ? await this.#firstLook(key, origin) : this.#callerIn(cached);
    if (caller === null) throw this.refusal(origin);
    return caller;
  }

  /** What to tell a client without a valid secret: 401, and 429 once its network has come like that too often. */
  refusal(origin: Origin, detail?: string): ApiError {
    const waitSeconds = this.#refused.begin(clientNetwork(origin, this.#trustedProxies));
    if (waitSeconds > 0) return tooMany(waitSeconds);
    return new ApiError("unauthorized", detail === undefined ? {} : { detail });
  }

  /** @returns null when the key is malformed, unknown, revoked or expired */
  async authenticate(key: string): Promise<Caller | null> {
    const cached = this.#fresh(key) ?? (isWellFormedKey(key) ? await this.#lookUp(key) : null);
    return cached === null ? null : this.#callerIn(cached);
  }

  /** Reads many keys anew, some hundreds in a statement: those of open streams, again and again. */
  async refresh(keys: readonly string[]): Promise<void> {
    for (let from = 0; from < keys.length; from += keysAtOnce) {
      const reading = { generation: this.#generation, readAtMs: performance.now() };
      const hashes = new Map(keys.slice(from, from + keysAtOnce).map((key) => [key, hashKey(key)]));
      const rows = await keysByHash(this.#db, [...hashes.values()]);
      if (reading.generation !== this.#generation) continue;
      for (const [key, hash] of hashes) this.#keep(key, rows.get(hash.toString("hex")) ?? null, reading);
    }
  }

  /** Changes made in this process count at once. */
  forget(): void {
    this.#generation += 1;
  }

  /** When the key was last used, as far as this process knows and has not saved yet. */
  lastUse(keyId: string): Date | null {
    return this.#used.get(keyId) ?? null;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.#saveUses();
    await this.usage[Symbol.asyncDispose]();
  }

  /** Of a key about which nothing is known right now. */
  async #firstLook(key: string, origin: Origin): Promise<Caller | null> {
    const wasGood = (this.#known.get(key)?.caller ?? null) !== null;
    // Requests that come together with one key are one look-up; a malformed key is none.
    if (wasGood || this.#looking.has(key) || !isWellFormedKey(key)) return this.authenticate(key);
    const network = clientNetwork(origin, this.#trustedProxies);
    await this.#beginLookUp(network);
    let caller: Caller | null | undefined;
    try {
      caller = await this.authenticate(key);
      return caller;
    } finally {
      // A look-up that could not be made was not in vain either.
      if (caller !== null) this.#lookedUp.giveBack(network);
      this.#endLookUp(network);
    }
  }

  /**
   * After a start a network may have many good keys, none seen yet: whoever finds the attempts taken waits for what the
   * look-ups under way give back.
   */
  async #beginLookUp(network: string): Promise<void> {
    for (;;) {
      const waitSeconds = this.#lookedUp.begin(network);
      if (waitSeconds === 0) break;
      const underWay = this.#underWay.get(network);
      if (underWay === undefined) throw tooMany(waitSeconds);
      await underWay.next.promise;
    }
    const underWay = this.#underWay.get(network);
    if (underWay === undefined) this.#underWay.set(network, { count: 1, next: Promise.withResolvers() });
    else underWay.count += 1;
  }

  #endLookUp(network: string): void {
    const underWay = this.#underWay.get(network);
    if (underWay === undefined) return;
    underWay.next.resolve();
    underWay.next = Promise.withResolvers();
    underWay.count -= 1;
    if (underWay.count === 0) this.#underWay.delete(network);
  }

  #callerIn({ row, caller }: Cached): Caller | null {
    if (row === null || caller === null) return null;
    const now = this.#clock.now();
    if (row.expires_at !== null && row.expires_at <= now) return null;
    this.#used.set(row.id, now);
    return caller;
  }

  #fresh(key: string): Cached | null {
    const cached = this.#known.get(key) ?? this.#unknown.get(key);
    if (cached === undefined || cached.generation !== this.#generation) return null;
    return performance.now() - cached.readAtMs < cacheMs ? cached : null;
  }

  /** Requests that come together with a key share its look-up. */
  #lookUp(key: string): Promise<Cached> {
    const under = this.#looking.get(key);
    if (under !== undefined) return under;
    const looking = this.#read(key).finally(() => this.#looking.delete(key));
    this.#looking.set(key, looking);
    return looking;
  }

  async #read(key: string): Promise<Cached> {
    const generation = this.#generation;
    const readAtMs = performance.now();
    const row = await keyByHash(this.#db, hashKey(key));
    // Read before a change that was made meanwhile.
    if (generation !== this.#generation) return this.#read(key);
    return this.#keep(key, row, { generation, readAtMs });
  }

  #keep(key: string, row: KeyRow | null, { generation, readAtMs }: Reading): Cached {
    const caller = row === null || row.revoked_at !== null ? null : this.#callerOf(row);
    const cached = { row, caller, readAtMs, generation };
    const [of, other] = row === null ? [this.#unknown, this.#known] : [this.#known, this.#unknown];
    other.delete(key);
    of.set(key, cached);
    return cached;
  }

  #callerOf(row: KeyRow): Caller {
    const tier = planName.parse(row.plan);
    return { keyId: row.id, accountId: row.account_id, tier, plan: this.#plans[tier] };
  }

  async #saveUses(): Promise<void> {
    if (this.#used.size === 0) return;
    const used = new Map(this.#used);
    this.#used.clear();
    try {
      await touchKeys(this.#db, used);
    } catch (error) {
      this.#log.warn({ err: error }, "saving last_used_at failed");
      for (const [id, at] of used) if (!this.#used.has(id)) this.#used.set(id, at);
    }
  }
}

function tooMany(waitSeconds: number): ApiError {
  return new ApiError("rate_limited", {
    detail: "Too many requests without a valid key have come from this address",
    headers: { "Retry-After": String(waitSeconds) },
    violatedPolicies: ["address"],
  });
}

/** The token of an `Authorization: Bearer ...` header; null when there is none. */
export function bearerToken(header: string | null | undefined): string | null {
  return /^Bearer +([^\s]+) *$/i.exec(header ?? "")?.[1] ?? null;
}
