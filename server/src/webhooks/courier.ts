import type { NoUnits, RealtimeQuota } from "../account/realtime-quota.ts";
import { deliveryIdOf } from "../feed/delivery-id.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import type { Exception } from "../store/webhook-deliveries.ts";
import { AttemptCapacity, type Slot } from "./attempt-capacity.ts";
import type { ClockSteps } from "./endpoints/clock-steps.ts";
import type { Endpoint, EndpointSet } from "./endpoints/endpoint-set.ts";
import { longestRetryAfterMs } from "./endpoints/retry-schedule.ts";
import type { Entry, Found, LogEntries } from "./log-entries.ts";
import type { Delivery, Outcomes } from "./outcomes.ts";
import type { Attempt, Outgoing } from "./send/sender.ts";
import type { SlotKind } from "./slots.ts";

export interface CourierDeps {
  readonly sender: { send(outgoing: Outgoing): Promise<Attempt> };
  readonly quota: RealtimeQuota;
  readonly clock: Clock;
  readonly log: Log;
  readonly endpoints: EndpointSet;
  readonly entries: LogEntries;
  readonly outcomes: Outcomes;
  readonly steps: ClockSteps;
  /** Something of the endpoint is to be committed. */
  readonly touch: (endpoint: Endpoint) => void;
}

/** Exceptions of an endpoint that fails: beyond these it is tried with one item of the log again and again. */
const mostWhileFailing = 50;
/** More than can be recovered at once: recovering holds nothing back. */
const mostExceptions = 20_000;
const brokenOff: Attempt = {
  ok: false,
  status: null,
  error: null,
  ms: 0,
  retryAfterMs: null,
  gone: false,
  response: null,
};

/** Begins deliveries as far as their endpoints have room, and books how they end. */
export class Courier {
  /** Entries that were not sent because the day's cap of the plan was used up. */
  withheld = 0;
  readonly #deps: CourierDeps;
  readonly #capacity = new AttemptCapacity();
  readonly #reading = new WeakSet<Endpoint>();

  constructor(deps: CourierDeps) {
    this.#deps = deps;
  }

  /** Attempts under way. */
  get underWay(): number {
    return this.#capacity.used;
  }

  /** Endpoints that got no slot, or no turn, longest first. */
  get waiting(): ReadonlySet<Endpoint> {
    return this.#capacity.waiting;
  }

  /** It is to be among the first that get one. */
  wait(endpoint: Endpoint): void {
    this.#capacity.wait(endpoint);
  }

  /** From now on nothing begins. */
  stop(): void {
    this.#capacity.close();
  }

  /** An item of the log has come that the endpoint, which is up to date, is owed. */
  arrive(endpoint: Endpoint, entry: Entry): void {
    const { queue } = endpoint;
    if (queue.seen !== null) return;
    if (!this.#beginsFirst(endpoint)) queue.look(entry.seq - 1);
    else this.#first(endpoint, entry);
  }

  /** Sends what the endpoint is owed of the log, as far as it has room. */
  pump(endpoint: Endpoint): void {
    const { queue, shard } = endpoint;
    for (let seen = queue.seen; seen !== null && seen <= shard.readSeq; seen = queue.seen) {
      if (!this.#beginsFirst(endpoint)) return;
      const found = this.#scan(endpoint, seen, shard.readSeq);
      if (found === null) return;
      this.#deps.touch(endpoint);
      const { entry, reached } = found;
      if (entry === null) {
        queue.look(reached >= shard.readSeq ? null : reached);
        continue;
      }
      queue.look(entry.seq);
      if (!this.#first(endpoint, entry)) return;
    }
  }

  /** Sends the next of a range of the log once more. */
  pumpReplay(endpoint: Endpoint): void {
    const { queue, replay, shard } = endpoint;
    while (replay !== null && endpoint.replay === replay && !replay.underWay) {
      if (replay.seq >= replay.to || !this.#capacity.mayBegin(endpoint, this.#nowMs())) return;
      // What failed is delivered before more of the range: it goes on when there is room again.
      if (queue.due >= mostExceptions) return;
      const found = this.#scan(endpoint, replay.seq, Math.min(replay.to, shard.readSeq));
      if (found === null) return;
      this.#deps.touch(endpoint);
      if (found.entry === null) {
        if (found.reached === replay.seq) return;
        replay.seq = found.reached;
        continue;
      }
      const { entry } = found;
      const slot = this.#capacity.take(endpoint, "late");
      if (slot === null) return;
      if (this.#takeUnit(endpoint) !== null) {
        // The next round asks again; what is spent comes back with the day.
        this.#capacity.free(slot);
        return;
      }
      const delivery = this.#deliveryOf(endpoint, entry, { trigger: "replay", counts: false });
      replay.underWay = true;
      void this.#attempt(delivery, entry, slot).then((attempt) => {
        replay.underWay = false;
        if (attempt === null) return;
        replay.seq = entry.seq;
        if (!attempt.ok) queue.except(this.#deps.outcomes.failure(delivery, attempt));
        this.#deps.touch(endpoint);
        this.pumpReplay(endpoint);
      });
    }
  }

  /** Tries a delivery again. @returns false when there is no room */
  retry(endpoint: Endpoint, row: Exception): boolean {
    if (!this.#capacity.mayBegin(endpoint, this.#nowMs())) return false;
    endpoint.queue.beginAgain(row.seq);
    void this.#retry(endpoint, row).catch((error: unknown) => {
      // Reading the item failed: it stays due.
      this.#deps.log.warn({ err: error }, "reading an item to deliver again failed");
      this.#leave(endpoint, row.seq);
    });
    return true;
  }

  async #retry(endpoint: Endpoint, row: Exception): Promise<void> {
    const { queue } = endpoint;
    const entry = await this.#deps.entries.at(row.seq);
    const tooOld = row.trigger === "item" && entry !== null && this.#isTooOld(endpoint, entry.madeAtMs);
    if (entry === null || tooOld) {
      const dueAt = this.#deps.clock.now();
      const counts = row.counts ? "expired" : null;
      queue.endAgain(row.seq, { ...row, state: "dead", dueAt, lastError: "expired" }, counts);
      this.#deps.touch(endpoint);
      return;
    }
    const delivery = { ...row, endpoint, madeAtMs: entry.madeAtMs };
    // Meanwhile others may have taken the room.
    const slot = this.#capacity.mayBegin(endpoint, this.#nowMs())
      ? this.#capacity.take(endpoint, "late")
      : null;
    const attempt = slot === null ? null : await this.#attempt(delivery, entry, slot);
    if (attempt === null) {
      this.#leave(endpoint, row.seq);
      return;
    }
    this.#endAgain(delivery, attempt);
    this.pump(endpoint);
  }

  /** What was to be tried again is so still: it is looked for in the next round. */
  #leave(endpoint: Endpoint, seq: number): void {
    endpoint.queue.dropAgain(seq);
    endpoint.dueAtMs = this.#nowMs();
  }

  #endAgain(delivery: Delivery, attempt: Attempt): void {
    const { endpoint, seq, counts } = delivery;
    if (attempt.ok) endpoint.queue.endAgain(seq, null, counts ? "delivered" : null);
    else {
      const row = this.#deps.outcomes.failure(delivery, attempt);
      const over = row.lastError === "expired" ? "expired" : "failed";
      endpoint.queue.endAgain(seq, row, row.state === "dead" && counts ? over : null);
    }
    this.#deps.touch(endpoint);
  }

  /** Without a cap there is nothing to count: what the plan allows is not used up by deliveries. */
  #takeUnit({ plan, accountId }: Endpoint): NoUnits | null {
    const cap = plan.realtime_feeds_per_day;
    const units = cap === null ? null : this.#deps.quota.of(accountId).take(cap, 1);
    return typeof units === "string" ? units : null;
  }

  /** @returns false when it must wait */
  #first(endpoint: Endpoint, entry: Entry): boolean {
    const { queue, accountId } = endpoint;
    this.#deps.touch(endpoint);
    const wasTried = endpoint.takenBack.has(entry.seq);
    if (this.#isTooOld(endpoint, entry.madeAtMs)) {
      // One that was tried is in the log of deliveries: what became of it must be there too.
      queue.skip(entry, wasTried ? this.#deps.outcomes.expired(entry) : "expired");
      endpoint.takenBack.delete(entry.seq);
      return true;
    }
    // Somebody asked for it before its turn came, and it is under way: it has its turn when that has ended.
    const slot = queue.isAgainUnderWay(entry.seq)
      ? null
      : this.#capacity.take(endpoint, this.#kindOf(endpoint));
    if (slot === null) {
      queue.look(entry.seq - 1);
      return false;
    }
    const lacking = wasTried ? null : this.#takeUnit(endpoint);
    if (lacking !== null) this.#capacity.free(slot);
    if (lacking === "spent") {
      queue.skip(entry, "withheld");
      this.withheld += 1;
      return true;
    }
    if (lacking === "wait") {
      queue.look(entry.seq - 1);
      void this.#deps.quota
        .of(accountId)
        .leased()
        .then(() => this.pump(endpoint));
      return false;
    }
    const delivery = this.#deliveryOf(endpoint, entry, { trigger: "item", counts: true });
    queue.begin(entry, performance.now());
    void this.#attempt(delivery, entry, slot).then((attempt) => {
      if (attempt !== null) this.#endFirst(delivery, attempt);
      else if (!endpoint.shard.lost) this.#unmade(delivery);
    });
    return true;
  }

  /** A first attempt that told nothing: it is to be made in the next round. */
  #unmade({ endpoint, seq, itemId }: Delivery): void {
    const { queue } = endpoint;
    this.#deps.touch(endpoint);
    // What it took of the day's quota is not taken again.
    if (queue.takeBack(seq)) endpoint.takenBack.add(seq);
    else if (!queue.end(seq, this.#deps.outcomes.unmade({ seq, itemId }))) this.#leave(endpoint, seq);
  }

  #endFirst(delivery: Delivery, attempt: Attempt): void {
    const { endpoint, seq } = delivery;
    const { queue, breaker } = endpoint;
    this.#deps.touch(endpoint);
    const fails = breaker.state(this.#nowMs()) !== "closed";
    const isTakenBack = !attempt.ok && fails && queue.due >= mostWhileFailing && queue.takeBack(seq);
    if (isTakenBack) endpoint.takenBack.add(seq);
    else {
      endpoint.takenBack.delete(seq);
      const ending = attempt.ok ? "delivered" : this.#deps.outcomes.failure(delivery, attempt);
      if (!queue.end(seq, ending)) this.#endAgain(delivery, attempt);
    }
    this.pump(endpoint);
  }

  /** @returns null when it counts for nothing: the endpoint or its shard is not this worker's any more, or it stops */
  async #attempt(delivery: Delivery, entry: Entry, slot: Slot): Promise<Attempt | null> {
    const { endpoint, seq, itemId } = delivery;
    const { keys, previous, plan, url, pace, breaker, resets } = endpoint;
    const startedAt = this.#deps.clock.now();
    const nowMs = startedAt.getTime();
    pace.begin(nowMs);
    const signing = previous === null || previous.untilMs <= nowMs ? keys : [...keys, previous.key];
    const attempt = await this.#deps.sender
      .send({ url, keys: signing, id: deliveryIdOf(itemId, seq), body: entry.body(!plan.scores_visible) })
      .catch((error: unknown) => {
        this.#deps.log.error({ err: error, endpoint: endpoint.id }, "a delivery broke off");
        return brokenOff;
      });
    this.#capacity.free(slot);
    pace.end(attempt);
    if (attempt.error === "stopped") return null;
    if (endpoint.shard.lost) return null;
    breaker.record(attempt.ok, this.#nowMs());
    const { retryAfterMs } = attempt;
    if (retryAfterMs !== null) breaker.holdUntil(this.#nowMs() + Math.min(retryAfterMs, longestRetryAfterMs));
    this.#deps.outcomes.note(delivery, attempt, { at: startedAt, tells: resets === endpoint.resets });
    this.#beginWaiting();
    return attempt;
  }

  #deliveryOf(
    endpoint: Endpoint,
    { seq, itemId, madeAtMs }: Entry,
    how: Pick<Delivery, "trigger" | "counts">,
  ): Delivery {
    return { endpoint, seq, itemId, madeAtMs, attempts: 0, firstAt: this.#deps.clock.now(), ...how };
  }

  #isTooOld({ maxAgeMs }: Endpoint, madeAtMs: number): boolean {
    return this.#nowMs() - this.#deps.steps.since(madeAtMs) > maxAgeMs;
  }

  /** Whether the next item of the log may be sent: what is due again goes first when only one may go at a time. */
  #beginsFirst(endpoint: Endpoint): boolean {
    const { queue } = endpoint;
    const isDue = queue.due > 0 && endpoint.dueAtMs <= this.#nowMs();
    return (
      queue.hasRoom &&
      queue.due < mostExceptions &&
      this.#capacity.mayBegin(endpoint, this.#nowMs(), isDue ? 1 : 0)
    );
  }

  #kindOf({ pace, breaker }: Endpoint): SlotKind {
    if (breaker.state(this.#nowMs()) !== "closed") return "late";
    return pace.isSlow ? "slow" : "prompt";
  }

  #beginWaiting(): void {
    const longest = this.#capacity.nextWaiting();
    if (longest !== null) this.pump(longest);
  }

  /** @returns null when a page must be read first: it is pumped again then */
  #scan(endpoint: Endpoint, after: number, upTo: number): Found | null {
    const { entries, endpoints, log } = this.#deps;
    const found = entries.scan(after, upTo, (entry) => endpoints.passes(endpoint, entry));
    if (!(found instanceof Promise)) return found;
    if (this.#reading.has(endpoint)) return null;
    this.#reading.add(endpoint);
    void found
      .then(
        () => true,
        (error: unknown) => {
          // The next round tries again.
          log.warn({ err: error }, "reading the item log for deliveries failed");
          return false;
        },
      )
      .then((isRead) => {
        this.#reading.delete(endpoint);
        if (!isRead) return;
        this.pump(endpoint);
        this.pumpReplay(endpoint);
      });
    return null;
  }

  #nowMs(): number {
    return this.#deps.clock.now().getTime();
  }
}
