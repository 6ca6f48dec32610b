import { ApiError } from "@tapewire/contract/errors/errors.ts";
import type { Plan, PlanName, PlanTable } from "@tapewire/contract/plans.ts";
import { planName } from "@tapewire/contract/plans.ts";
import { inProcessBus } from "../../bus/bus.ts";
import type { Bus } from "../../bus/types.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Log } from "../../runtime/log.ts";
import { AttemptLimit } from "../../runtime/sharing/attempt-limit.ts";
import { lruOf } from "../../runtime/sharing/lru.ts";
import { type KeyRow, keyByHash, keysByHash, touchKeys } from "../../store/accounts/accounts.ts";
import type { Queries } from "../../store/engine/db.ts";
import { RateLimits } from "../request-buckets.ts";
import { hashSecret } from "../secrets.ts";
import { Usage } from "../usage.ts";
import { clientNetwork, type Origin } from "./client-network.ts";
import { isWellFormedKey } from "./key.ts";
import { Lookups, tooMany } from "./lookups.ts";

export { isLiveKey, isTabKey } from "./key.ts";

/** Who is calling, and what the plan allows. */
export interface Caller {
  readonly keyId: string;
  readonly accountId: string;
  readonly tier: PlanName;
  readonly plan: Plan;
  /** read: only reads. operator: also the admin API. */
  readonly scope: "full" | "read" | "operator";
  /** The person who created the key, for the audit; null: the operator. */
  readonly creator: string | null;
}

interface Reading {
  readonly readAtMs: number;
  readonly generation: number;
}

/** A cached key; `row` is null when no account has it. */
interface Cached extends Reading {
  readonly row: KeyRow | null;
  readonly caller: Caller | null;
}

/** The last use of a key by this process, and the one before. */
interface Use {
  readonly at: Date;
  readonly before: Date | null;
}

/**
 * A revocation or a change of plan that another process made takes effect after this long when the bus does not tell; the
 * interface promises 5 s.
 */
const cacheMs = 3_000;
const mostKnown = 50_000;
const mostUnknown = 20_000;
const touchEveryMs = 10_000;
const keysAtOnce = 500;

/**
 * Authenticates callers for REST, streams and the admin API, and holds the request rates and the usage of accounts.
 * Keys are cached for 3 s, unknown ones included; a network that makes too many failed lookups gets no more of them.
 */
export class Authenticator implements AsyncDisposable {
  /** Requests of each account. */
  readonly rates: RateLimits;
  readonly usage: Usage;
  readonly #db: Queries;
  readonly #lentUntilMs: () => number;
  readonly #plans: PlanTable;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #trustedProxies: number;
  readonly #refused: AttemptLimit;
  readonly #lookups: Lookups;
  /** By the key itself. Unknown keys have a cache of their own, so guesses evict no valid key. */
  readonly #known = lruOf<string, Cached>(mostKnown);
  readonly #unknown = lruOf<string, Cached>(mostUnknown);
  readonly #looking = new Map<string, Promise<Cached>>();
  /** By key id: what is not saved yet. */
  readonly #used = new Map<string, Date>();
  readonly #uses = lruOf<string, Use>(mostKnown);
  readonly #bus: Bus;
  readonly #unsubscribe: () => void;
  readonly #timer: NodeJS.Timeout;
  #generation = 0;

  /** @param deps.trustedProxies see clientNetwork; @param deps.lentUntilMs see Db, absent: it is lent to nobody */
  constructor(deps: {
    db: Queries;
    lentUntilMs?: () => number;
    plans: PlanTable;
    clock: Clock;
    log: Log;
    bus?: Bus;
    trustedProxies?: number;
  }) {
    this.#db = deps.db;
    this.#lentUntilMs = deps.lentUntilMs ?? (() => 0);
    this.#plans = deps.plans;
    this.#clock = deps.clock;
    this.#log = deps.log;
    this.#trustedProxies = deps.trustedProxies ?? 0;
    this.#refused = new AttemptLimit(deps.clock);
    this.#lookups = new Lookups(deps.clock);
    this.rates = new RateLimits(deps);
    this.usage = new Usage(deps);
    this.#bus = deps.bus ?? inProcessBus();
    this.#unsubscribe = this.#bus.subscribe((message) => {
      if (message.kind === "missed" || (message.kind === "changed" && message.change === "keys"))
        this.forget();
    });
    this.#timer = setInterval(() => void this.#saveUses(), touchEveryMs);
    this.#timer.unref();
  }

  /**
   * Authenticates a request by its key.
   * @param key empty when none was given
   * @throws {ApiError} unauthorized, or rate_limited (see refusal); rate_limited also when the key is not cached and the
   *   client's network has made too many failed lookups. Failed attempts from a network do not delay keys that are cached
   */
  async admit(key: string, origin: Origin): Promise<Caller> {
    const cached = this.#fresh(key);
    const caller = cached === null ? await this.#firstLook(key, origin) : this.#callerIn(cached);
    if (caller === null) throw this.refusal(origin, key === "" ? noKey : badKey);
    return caller;
  }

  /**
   * Looks for a secret that a client sent and this process does not know: once its network has made too many lookups that
   * found nothing, of keys or of anything else, it gets no more of them.
   * @throws {ApiError} rate_limited
   */
  lookUp<T>(network: string, look: () => Promise<T | null>): Promise<T | null> {
    return this.#lookups.run(network, look);
  }

  /** The network of a client; see clientNetwork. */
  networkOf(origin: Origin): string {
    return clientNetwork(origin, this.#trustedProxies);
  }

  /** The error for a client without a valid secret: 401, or 429 once its network has sent too many such requests. */
  refusal(origin: Origin, detail?: string): ApiError {
    return this.refusalOf(this.networkOf(origin), detail);
  }

  /** See refusal. */
  refusalOf(network: string, detail?: string): ApiError {
    const waitSeconds = this.#refused.begin(network);
    if (waitSeconds > 0) return tooMany(waitSeconds);
    return new ApiError("unauthorized", detail === undefined ? {} : { detail });
  }

  /** @returns null when the key is malformed, unknown, revoked or expired */
  async authenticate(key: string): Promise<Caller | null> {
    const cached = this.#fresh(key) ?? (isWellFormedKey(key) ? await this.#lookUp(key) : null);
    return cached === null ? null : this.#callerIn(cached);
  }

  /** Reads many keys again, some hundreds per statement. Streams call it regularly for the keys they were opened with. */
  async refresh(keys: readonly string[]): Promise<void> {
    for (let from = 0; from < keys.length; from += keysAtOnce) {
      const reading = { generation: this.#generation, readAtMs: performance.now() };
      const hashes = new Map(keys.slice(from, from + keysAtOnce).map((key) => [key, hashSecret(key)]));
      const rows = await keysByHash(this.#db, [...hashes.values()]);
      if (reading.generation !== this.#generation) continue;
      for (const [key, hash] of hashes) this.#keep(key, rows.get(hash.toString("hex")) ?? null, reading);
    }
  }

  /** Drops all cached keys, so that keys made in this process are known at once. */
  forget(): void {
    this.#generation += 1;
  }

  /** As `forget`, in all processes: keys, sessions or plans were changed. */
  changed(): void {
    this.#bus.announce("keys");
  }

  /**
   * When a key was used before its last use by this process, which is the request that asks.
   * @param saved the last use that is stored: of any process, perhaps the same request
   */
  useBefore(keyId: string, saved: Date | null): Date | null {
    const use = this.#uses.get(keyId);
    if (use === undefined) return saved;
    const { at, before } = use;
    if (saved === null || saved >= at) return before;
    return before === null || saved > before ? saved : before;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#unsubscribe();
    clearInterval(this.#timer);
    await this.#saveUses();
    await this.usage[Symbol.asyncDispose]();
  }

  /** Authenticates a key that is not cached. */
  async #firstLook(key: string, origin: Origin): Promise<Caller | null> {
    const wasGood = (this.#known.get(key)?.caller ?? null) !== null;
    // Concurrent requests with one key share a lookup; a malformed key needs none.
    if (wasGood || this.#looking.has(key) || !isWellFormedKey(key)) return this.authenticate(key);
    return this.lookUp(this.networkOf(origin), () => this.authenticate(key));
  }

  #callerIn({ row, caller }: Cached): Caller | null {
    if (row === null || caller === null) return null;
    const now = this.#clock.now();
    if (row.expires_at !== null && row.expires_at <= now) return null;
    this.#used.set(row.id, now);
    this.#uses.set(row.id, { at: now, before: this.#uses.get(row.id)?.at ?? null });
    return caller;
  }

  #fresh(key: string): Cached | null {
    const cached = this.#known.get(key) ?? this.#unknown.get(key);
    if (cached === undefined || cached.generation !== this.#generation) return null;
    const trueAtMs = Math.max(cached.readAtMs, this.#lentUntilMs());
    return performance.now() - trueAtMs < cacheMs ? cached : null;
  }

  /** Concurrent calls for one key share a lookup. */
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
    const row = await keyByHash(this.#db, hashSecret(key));
    // Keys changed during the read: read again.
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
    return {
      keyId: row.id,
      accountId: row.account_id,
      tier,
      plan: this.#plans[tier],
      scope: row.scope,
      creator: row.creator_email ?? row.creator,
    };
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

const howToSend =
  "`Authorization: Bearer <API_KEY>`; streams and feeds for readers also take `api_key=<API_KEY>` in the address";
const noKey = `No API key came with the request: send the header ${howToSend}`;
const badKey = `The API key is unknown, revoked or expired, or was not copied whole: send another in ${howToSend}`;
