import type { KeyObject } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { type Filter, filterOfSubscription } from "@tapewire/contract/filter.ts";
import type { Plan, PlanTable } from "@tapewire/contract/plans.ts";
import type { SealedSecrets } from "../../account/sealed-secrets.ts";
import { asksForScores, matches } from "../../feed/filter.ts";
import type { LogItem } from "../../feed/item.ts";
import { forEachBit, hasBit } from "../../feed/members.ts";
import { SubscriptionIndex } from "../../feed/subscription-index.ts";
import type { EndpointRow } from "../../store/webhook-endpoints.ts";
import type { Entry, Matched } from "../log-entries.ts";
import { signingKey } from "../send/sign.ts";
import { Pace } from "../slots.ts";
import { Breaker } from "./breaker.ts";
import { EndpointQueue } from "./endpoint-queue.ts";

/** A shard that this worker has. */
export interface Shard {
  readonly number: number;
  readonly fence: number;
  /** Up to here its items were matched. */
  readSeq: number;
  /** What of it the database knows. */
  committedSeq: number;
  /** By the monotonic clock; behind it nothing is sent. */
  leaseUntilMs: number;
  /** Its endpoints are known here: its items are matched. */
  isLoaded: boolean;
  /** It is to be given back: nothing more is sent. */
  closing: boolean;
  /** Another worker has it. */
  lost: boolean;
}

/** An endpoint of one of this worker's shards. */
export class Endpoint {
  readonly id: string;
  readonly accountId: string;
  readonly shard: Shard;
  readonly run: number;
  readonly queue: EndpointQueue;
  breaker: Breaker;
  readonly pace: Pace;
  resets: number;
  url: string;
  host: string;
  filter: Filter;
  plan: Plan;
  maxAgeMs: number;
  keys: readonly KeyObject[];
  /** Signs beside the current one until then. */
  previous: { readonly key: KeyObject; readonly untilMs: number } | null;
  /** Its place in the index; null: nothing passes (it may not see the scores that it asks for). */
  slot: number | null = null;
  /** State of the index since which the slot is its own. */
  generation = 0;
  /** Whether its matches are counted with its shard's. */
  joined: boolean;
  /** Of what it is owed from before: how far it was counted, and how much it is. */
  joining: { readonly to: number; readonly matched: number } | null = null;
  /** Nothing is sent to it any more. */
  stopped = false;
  disabledReason: string | null = null;
  failingSince: Date | null;
  answeredAt: Date | null = null;
  attempted = false;
  lastStatus: number | null = null;
  /** Of the entry of the log that failed last. */
  failedSeq: number | null = null;
  /** Entries of the log that failed and are to be sent from there again. */
  readonly takenBack = new Set<number>();
  /** When the next delivery is to be tried again (epoch). */
  dueAtMs: number;
  replay: { seq: number; readonly to: number; underWay: boolean } | null;
  /** Successes that may still be logged one by one. */
  logAllowance = 0;
  logAllowanceAtMs = 0;

  constructor(row: EndpointRow, shard: Shard, { plan, keys, previous }: Opened, perS: number) {
    this.id = row.id;
    this.accountId = row.accountId;
    this.shard = shard;
    this.run = row.run;
    this.resets = row.resets;
    this.queue = new EndpointQueue({ position: row.position, due: row.due });
    const { breakerOpenings: openings, breakerUntil } = row;
    const kept =
      openings === null || breakerUntil === null ? null : { openings, openUntilMs: breakerUntil.getTime() };
    this.breaker = new Breaker({ kept });
    this.pace = new Pace({ perS });
    this.url = row.url;
    this.host = hostOf(row.url);
    this.filter = filterOfSubscription(row.filters);
    this.plan = plan;
    this.maxAgeMs = row.maxAgeS * 1000;
    this.keys = keys;
    this.previous = previous;
    this.joined = row.joined;
    this.failingSince = row.failingSince;
    this.dueAtMs = row.dueAt?.getTime() ?? Number.POSITIVE_INFINITY;
    this.replay = replayOf(row);
  }

  /** Its owner has decided anew: nothing that was found of it holds any more. */
  forget(resets: number): void {
    this.resets = resets;
    this.breaker = new Breaker();
    this.failingSince = null;
    this.disabledReason = null;
    this.stopped = false;
  }
}

interface Opened {
  readonly plan: Plan;
  readonly keys: readonly KeyObject[];
  readonly previous: Endpoint["previous"];
}

export interface EndpointSetOptions {
  readonly plans: PlanTable;
  readonly secrets: SealedSecrets;
  readonly perS: number;
  readonly now: () => Date;
}

/** The endpoints of this worker, and the index of their filters. */
export class EndpointSet {
  readonly #plans: PlanTable;
  readonly #secrets: SealedSecrets;
  readonly #byId = new Map<string, Endpoint>();
  readonly #index = new SubscriptionIndex();
  readonly #bySlot: Set<Endpoint>[] = [];
  readonly #perS: number;
  readonly #now: () => Date;
  #generation = 0;

  /** @param perS attempts a second at one endpoint */
  constructor({ plans, secrets, perS, now }: EndpointSetOptions) {
    this.#now = now;
    this.#plans = plans;
    this.#secrets = secrets;
    this.#perS = perS;
  }

  get all(): IterableIterator<Endpoint> {
    return this.#byId.values();
  }

  get size(): number {
    return this.#byId.size;
  }

  get(id: string): Endpoint | undefined {
    return this.#byId.get(id);
  }

  /** @throws {SecretError} when its secret cannot be opened */
  add(row: EndpointRow, shard: Shard): Endpoint {
    const endpoint = new Endpoint(row, shard, this.#open(row), this.#perS);
    this.#byId.set(endpoint.id, endpoint);
    if (endpoint.joined) this.join(endpoint);
    return endpoint;
  }

  /** From now on its matches are found. */
  join(endpoint: Endpoint): void {
    endpoint.joined = true;
    this.#file(endpoint);
  }

  /**
   * Takes over what was changed within the same run.
   * @throws {SecretError} when its secret cannot be opened
   */
  change(endpoint: Endpoint, row: EndpointRow): void {
    const { keys, previous, plan } = this.#open(row);
    Object.assign(endpoint, { url: row.url, host: hostOf(row.url), keys, previous, plan });
    endpoint.maxAgeMs = row.maxAgeS * 1000;
    if (row.resets !== endpoint.resets) endpoint.forget(row.resets);
    if (row.replayTo !== endpoint.replay?.to) endpoint.replay = replayOf(row);
    const filter = filterOfSubscription(row.filters);
    if (isDeepStrictEqual(filter, endpoint.filter) && isBlind(endpoint) === (endpoint.slot === null)) return;
    this.#unfile(endpoint);
    endpoint.filter = filter;
    if (endpoint.joined) this.#file(endpoint);
  }

  changePlan(endpoint: Endpoint, name: keyof PlanTable): void {
    if (endpoint.plan === this.#plans[name]) return;
    this.#unfile(endpoint);
    endpoint.plan = this.#plans[name];
    if (endpoint.joined) this.#file(endpoint);
  }

  remove(endpoint: Endpoint): void {
    endpoint.stopped = true;
    this.#unfile(endpoint);
    if (this.#byId.get(endpoint.id) === endpoint) this.#byId.delete(endpoint.id);
  }

  match({ item }: LogItem): Matched {
    return { bits: this.#index.match(item).slice(), generation: this.#generation };
  }

  /** Calls back with the endpoints that have joined whose filters the entry passes. */
  forEachMatch(entry: Entry, visit: (endpoint: Endpoint) => void): void {
    const { bits, generation } = entry.matched;
    const current = generation === this.#generation ? bits : this.#index.match(entry.item.item);
    forEachBit(current, current.length, (slot) => {
      for (const endpoint of this.#bySlot[slot] ?? []) visit(endpoint);
    });
  }

  passes(endpoint: Endpoint, { item, matched }: Entry): boolean {
    if (isBlind(endpoint)) return false;
    if (endpoint.slot === null || matched.generation < endpoint.generation)
      return matches(item.item, endpoint.filter);
    return hasBit(matched.bits, endpoint.slot);
  }

  #file(endpoint: Endpoint): void {
    if (isBlind(endpoint) || endpoint.slot !== null) return;
    const slot = this.#index.add(endpoint.filter);
    this.#generation += 1;
    endpoint.slot = slot;
    endpoint.generation = this.#generation;
    const sharing = this.#bySlot[slot] ?? new Set();
    sharing.add(endpoint);
    this.#bySlot[slot] = sharing;
  }

  #unfile(endpoint: Endpoint): void {
    const { slot } = endpoint;
    if (slot === null) return;
    this.#index.remove(slot);
    this.#generation += 1;
    this.#bySlot[slot]?.delete(endpoint);
    endpoint.slot = null;
  }

  #open(row: EndpointRow): Opened {
    const key = (sealed: Uint8Array) => signingKey(this.#secrets.open(sealed, row.id));
    const { previousSecret, previousSecretUntil } = row;
    return {
      plan: this.#plans[row.plan],
      keys: [key(row.secret)],
      previous:
        previousSecret === null || previousSecretUntil === null || previousSecretUntil <= this.#now()
          ? null
          : { key: key(previousSecret), untilMs: previousSecretUntil.getTime() },
    };
  }
}

function isBlind({ filter, plan }: Endpoint): boolean {
  return asksForScores(filter) && !plan.scores_visible;
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? "";
}

function replayOf({ replaySeq, replayTo }: EndpointRow): Endpoint["replay"] {
  return replaySeq === null || replayTo === null ? null : { seq: replaySeq, to: replayTo, underWay: false };
}
