import { isDeepStrictEqual } from "node:util";
import { filterOfSubscription } from "@tapewire/contract/filter.ts";
import type { PlanTable } from "@tapewire/contract/plans.ts";
import type { SealedSecrets } from "../../account/sealed-secrets.ts";
import { asksForScores, matches } from "../../feed/filter.ts";
import type { LogItem } from "../../feed/item.ts";
import { forEachBit, hasBit } from "../../feed/members.ts";
import { SubscriptionIndex } from "../../feed/subscription-index.ts";
import type { EndpointRow } from "../../store/webhooks/delivering-endpoints.ts";
import type { Entry, Matched } from "../log-entries.ts";
import { signingKey } from "../send/sign.ts";
import { Endpoint } from "./endpoint.ts";
import type { Shard } from "./shards.ts";
import type { DeliveryPolicy, EndpointSettings } from "./types.ts";

export interface EndpointSetOptions {
  readonly plans: PlanTable;
  readonly secrets: SealedSecrets;
  readonly policy: DeliveryPolicy;
  /** Attempts per second at one endpoint. */
  readonly perS: number;
  readonly now: () => Date;
}

/** The position of an endpoint in the index. */
interface Place {
  readonly slot: number;
  /** State of the index from which on the slot belongs to the endpoint. */
  readonly generation: number;
}

/** The endpoints of this worker, and the index of their filters. */
export class EndpointSet {
  readonly #options: EndpointSetOptions;
  readonly #byId = new Map<string, Endpoint>();
  readonly #index = new SubscriptionIndex();
  readonly #bySlot: Set<Endpoint>[] = [];
  /** Endpoints in the index: those that have joined and may see the scores that their filters need. */
  readonly #places = new Map<Endpoint, Place>();
  #generation = 0;

  constructor(options: EndpointSetOptions) {
    this.#options = options;
  }

  get all(): IterableIterator<Endpoint> {
    return this.#byId.values();
  }

  get(id: string): Endpoint | undefined {
    return this.#byId.get(id);
  }

  /** @throws {SecretError} when its secret cannot be opened */
  add(row: EndpointRow, shard: Shard): void {
    const { policy, perS } = this.#options;
    const endpoint = new Endpoint(row, { shard, settings: this.#settingsOf(row), policy, perS });
    this.#byId.set(endpoint.id, endpoint);
    this.#file(endpoint);
  }

  /** Its earlier entries are counted; from now on its matches are found. */
  join(endpoint: Endpoint, matched: number): void {
    endpoint.join(matched);
    this.#file(endpoint);
  }

  /**
   * Applies changes within the same run.
   * @throws {SecretError} when its secret cannot be opened
   */
  change(endpoint: Endpoint, row: EndpointRow): void {
    const settings = this.#settingsOf(row);
    this.#refile(endpoint, settings, () => endpoint.change(row, settings));
  }

  changePlan(endpoint: Endpoint, name: keyof PlanTable): void {
    const { settings } = endpoint;
    const plan = this.#options.plans[name];
    if (settings.plan === plan) return;
    const changed = { ...settings, plan };
    this.#refile(endpoint, changed, () => endpoint.set(changed));
  }

  remove(endpoint: Endpoint): void {
    endpoint.remove();
    this.#unfile(endpoint);
    if (this.#byId.get(endpoint.id) === endpoint) this.#byId.delete(endpoint.id);
  }

  match({ item }: LogItem): Matched {
    return { bits: this.#index.match(item).slice(), generation: this.#generation };
  }

  /** Calls back with the joined endpoints whose filters the entry passes. */
  forEachMatch(entry: Entry, visit: (endpoint: Endpoint) => void): void {
    const { bits, generation } = entry.matched;
    const current = generation === this.#generation ? bits : this.#index.match(entry.item.item);
    forEachBit(current, current.length, (slot) => {
      for (const endpoint of this.#bySlot[slot] ?? []) visit(endpoint);
    });
  }

  passes(endpoint: Endpoint, { item, matched }: Entry): boolean {
    const { settings } = endpoint;
    if (isBlind(settings)) return false;
    const place = this.#places.get(endpoint);
    if (place === undefined || matched.generation < place.generation)
      return matches(item.item, settings.filter);
    return hasBit(matched.bits, place.slot);
  }

  /** @param apply gives the endpoint the new settings */
  #refile(endpoint: Endpoint, to: EndpointSettings, apply: () => void): void {
    const { settings: from } = endpoint;
    const isSame = isDeepStrictEqual(from.filter, to.filter) && isBlind(from) === isBlind(to);
    if (!isSame) this.#unfile(endpoint);
    apply();
    this.#file(endpoint);
  }

  #file(endpoint: Endpoint): void {
    const { settings, isJoining } = endpoint;
    if (isJoining || isBlind(settings) || this.#places.has(endpoint)) return;
    const slot = this.#index.add(settings.filter);
    this.#generation += 1;
    this.#places.set(endpoint, { slot, generation: this.#generation });
    const sharing = this.#bySlot[slot] ?? new Set();
    sharing.add(endpoint);
    this.#bySlot[slot] = sharing;
  }

  #unfile(endpoint: Endpoint): void {
    const place = this.#places.get(endpoint);
    if (place === undefined) return;
    this.#places.delete(endpoint);
    this.#index.remove(place.slot);
    this.#generation += 1;
    this.#bySlot[place.slot]?.delete(endpoint);
  }

  #settingsOf(row: EndpointRow): EndpointSettings {
    const { plans, secrets, now } = this.#options;
    const key = (sealed: Uint8Array) => signingKey(secrets.open(sealed, row.id));
    const { previousSecret, previousSecretUntil } = row;
    const signsStill = previousSecret !== null && previousSecretUntil !== null && previousSecretUntil > now();
    return {
      url: row.url,
      filter: filterOfSubscription(row.filters),
      plan: plans[row.plan],
      maxAgeMs: row.maxAgeS * 1000,
      format: row.format,
      key: key(row.secret),
      previous: signsStill ? { key: key(previousSecret), untilMs: previousSecretUntil.getTime() } : null,
    };
  }
}

/** Whether its filter needs scores that its plan withholds, so that nothing passes. */
function isBlind({ filter, plan }: EndpointSettings): boolean {
  return asksForScores(filter) && !plan.scores_visible;
}
