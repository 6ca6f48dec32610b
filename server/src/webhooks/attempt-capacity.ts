import type { Endpoint } from "./endpoints/endpoint-set.ts";
import { type SlotKind, Slots, type SlotUser } from "./slots.ts";

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
    const { shard, pace, breaker } = endpoint;
    if (this.#isClosed || endpoint.stopped || shard.closing || shard.lost) return false;
    if (performance.now() >= shard.leaseUntilMs) return false;
    return endpoint.joined && pace.waitMs(nowMs, breaker.limit(nowMs) - reserved) === 0;
  }

  /** @returns null when the process has none: the endpoint is among the first that get one then */
  take(endpoint: Endpoint, kind: SlotKind): Slot | null {
    const { host, accountId } = endpoint;
    const slot = { kind, host, accountId };
    if (this.#slots.take(kind, slot)) {
      this.#waiting.delete(endpoint);
      return slot;
    }
    this.wait(endpoint);
    return null;
  }

  free(slot: Slot): void {
    this.#slots.free(slot.kind, slot);
  }

  /** It is to be among the first that get a slot. */
  wait(endpoint: Endpoint): void {
    this.#waiting.add(endpoint);
  }

  /** Whoever waits longest; it waits no longer. */
  nextWaiting(): Endpoint | null {
    const [longest = null] = this.#waiting;
    if (longest !== null) this.#waiting.delete(longest);
    return longest;
  }
}
