import type { Endpoint } from "./endpoints/endpoint.ts";

/**
 * Which share of the process's slots an attempt takes. `late`: a probe of an endpoint that recovers, or a retry;
 * `slow`: to an endpoint that is known to answer slowly; else `prompt`.
 */
export type SlotKind = "prompt" | "slow" | "late";

export interface SlotLimits {
  /** Attempts in flight, of all kinds. */
  readonly total: number;
  readonly slow: number;
  readonly late: number;
  /** To one host, which may serve thousands of endpoints: its outage must not take all slots. */
  readonly host: number;
  /** Late ones of one account: its slow endpoints must not keep the retries of all others waiting. */
  readonly lateOfAccount: number;
}

/** Whose attempt it is, and where it goes. */
export interface SlotUser {
  readonly host: string;
  readonly accountId: string;
}

export const slotLimits: SlotLimits = { total: 512, slow: 128, late: 64, host: 128, lateOfAccount: 16 };

/** The attempts that a process has in flight: bulkheads, so that neither slow nor dead endpoints can take all of them. */
export class Slots {
  readonly #limits: SlotLimits;
  readonly #used = { prompt: 0, slow: 0, late: 0 };
  readonly #hosts = new Map<string, number>();
  readonly #lateOf = new Map<string, number>();

  constructor(limits: Partial<SlotLimits> = {}) {
    this.#limits = { ...slotLimits, ...limits };
  }

  get used(): number {
    return this.#used.prompt + this.#used.slow + this.#used.late;
  }

  /** @returns false when there is no room; else `free` must follow, with the same values */
  take(kind: SlotKind, { host, accountId }: SlotUser): boolean {
    const { total, host: ofHost, lateOfAccount } = this.#limits;
    if (this.used >= total || (this.#hosts.get(host) ?? 0) >= ofHost) return false;
    if (kind !== "prompt" && this.#used[kind] >= this.#limits[kind]) return false;
    if (kind === "late" && (this.#lateOf.get(accountId) ?? 0) >= lateOfAccount) return false;
    this.#used[kind] += 1;
    add(this.#hosts, host, 1);
    if (kind === "late") add(this.#lateOf, accountId, 1);
    return true;
  }

  free(kind: SlotKind, { host, accountId }: SlotUser): void {
    this.#used[kind] -= 1;
    add(this.#hosts, host, -1);
    if (kind === "late") add(this.#lateOf, accountId, -1);
  }
}

function add(counts: Map<string, number>, name: string, more: number): void {
  const count = (counts.get(name) ?? 0) + more;
  if (count > 0) counts.set(name, count);
  else counts.delete(name);
}

/** A slot that was taken; to be freed. */
export interface Slot extends SlotUser {
  readonly kind: SlotKind;
}

/** Whether one more attempt may begin: as far as its endpoint goes, and as far as the process goes. */
export class AttemptCapacity {
  readonly #slots = new Slots();
  /** Endpoints for which the process had no slot, or no turn, longest first. */
  readonly #waiting = new Set<Endpoint>();
  #isClosed = false;

  /** Attempts under way. */
  get used(): number {
    return this.#slots.used;
  }

  get waiting(): ReadonlySet<Endpoint> {
    return this.#waiting;
  }

  /** From now on nothing begins. */
  close(): void {
    this.#isClosed = true;
  }

  /** @param reserved attempts at a time that are for others */
  mayBegin(endpoint: Endpoint, nowMs: number, reserved = 0): boolean {
    const { shard } = endpoint;
    if (this.#isClosed || shard.closing || shard.lost || performance.now() >= shard.leaseUntilMs)
      return false;
    return endpoint.mayBegin(nowMs, reserved);
  }

  /** @returns null when the process has none: the endpoint is among the first that get one then */
  take(endpoint: Endpoint, kind: SlotKind): Slot | null {
    const { host, accountId } = endpoint;
    const slot = { kind, host, accountId };
    if (this.#slots.take(kind, slot)) {
      this.#waiting.delete(endpoint);
      return slot;
    }
    this.enqueue(endpoint);
    return null;
  }

  free(slot: Slot): void {
    this.#slots.free(slot.kind, slot);
  }

  /** It is to be among the first that get a slot, or a turn. */
  enqueue(endpoint: Endpoint): void {
    this.#waiting.add(endpoint);
  }

  /** Whoever waits longest; it waits no longer. */
  nextWaiting(): Endpoint | null {
    const [longest = null] = this.#waiting;
    if (longest !== null) this.#waiting.delete(longest);
    return longest;
  }
}
