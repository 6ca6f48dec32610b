import type { Endpoint } from "./endpoints/endpoint.ts";

/**
 * The share of the process's slots that an attempt uses. `late`: a probe of a recovering endpoint, or a retry; `slow`: to
 * an endpoint that usually answers slowly; else `prompt`.
 */
export type SlotKind = "prompt" | "slow" | "late";

export interface SlotLimits {
  /** Attempts in flight, of all kinds. */
  readonly total: number;
  readonly slow: number;
  readonly late: number;
  /** To one host, which may serve thousands of endpoints: its outage must not take all slots. */
  readonly host: number;
  /** Of one account: its slow endpoints must delay neither the slow endpoints of others nor their retries. */
  readonly ofAccount: { readonly slow: number; readonly late: number };
}

/** The account of an attempt, and its target. */
export interface SlotUser {
  readonly host: string;
  readonly accountId: string;
}

export const slotLimits: SlotLimits = {
  total: 512,
  slow: 128,
  late: 64,
  host: 128,
  ofAccount: { slow: 32, late: 16 },
};

/** Limits the attempts in flight with bulkheads, so that neither slow nor dead endpoints can take all slots. */
export class Slots {
  readonly #limits: SlotLimits;
  readonly #used = { prompt: 0, slow: 0, late: 0 };
  readonly #hosts = new Map<string, number>();
  /** By account. */
  readonly #usedOf = { slow: new Map<string, number>(), late: new Map<string, number>() };

  constructor(limits: Partial<SlotLimits> = {}) {
    this.#limits = { ...slotLimits, ...limits };
  }

  get used(): number {
    return this.#used.prompt + this.#used.slow + this.#used.late;
  }

  /** @returns false when there is no room; otherwise `free` must follow, with the same values */
  take(kind: SlotKind, user: SlotUser): boolean {
    const { host, accountId } = user;
    const { total, host: ofHost, ofAccount } = this.#limits;
    if (this.used >= total || (this.#hosts.get(host) ?? 0) >= ofHost) return false;
    if (kind !== "prompt") {
      if (this.#used[kind] >= this.#limits[kind]) return false;
      if ((this.#usedOf[kind].get(accountId) ?? 0) >= ofAccount[kind]) return false;
    }
    this.#count(kind, user, 1);
    return true;
  }

  free(kind: SlotKind, user: SlotUser): void {
    this.#count(kind, user, -1);
  }

  #count(kind: SlotKind, { host, accountId }: SlotUser, change: 1 | -1): void {
    this.#used[kind] += change;
    add(this.#hosts, host, change);
    if (kind !== "prompt") add(this.#usedOf[kind], accountId, change);
  }
}

function add(counts: Map<string, number>, name: string, more: number): void {
  const count = (counts.get(name) ?? 0) + more;
  if (count > 0) counts.set(name, count);
  else counts.delete(name);
}

/** A slot that was taken and must be freed. */
export interface Slot extends SlotUser {
  readonly kind: SlotKind;
}

/** Whether another attempt may begin, by the limits of its endpoint and of the process. */
export class AttemptCapacity {
  readonly #slots = new Slots();
  /** Endpoints for which the process had no slot, or no turn, the longest waiting first. */
  readonly #waiting = new Set<Endpoint>();
  #isClosed = false;

  /** Attempts in flight. */
  get used(): number {
    return this.#slots.used;
  }

  get waiting(): ReadonlySet<Endpoint> {
    return this.#waiting;
  }

  /** No attempt begins from now on. */
  close(): void {
    this.#isClosed = true;
  }

  /** @param reserved slots of the endpoint that are kept free for other attempts */
  mayBegin(endpoint: Endpoint, nowMs: number, reserved = 0): boolean {
    const { shard } = endpoint;
    if (this.#isClosed || shard.closing || shard.lost || performance.now() >= shard.leaseUntilMs)
      return false;
    return endpoint.mayBegin(nowMs, reserved);
  }

  /** @returns null when the process has no slot: the endpoint is then among the first to get one */
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

  /** Puts the endpoint among the first to get a slot, or a turn. */
  enqueue(endpoint: Endpoint): void {
    this.#waiting.add(endpoint);
  }

  /** Removes and returns the endpoint that waits longest. */
  nextWaiting(): Endpoint | null {
    for (const longest of this.#waiting) {
      this.#waiting.delete(longest);
      return longest;
    }
    return null;
  }
}
