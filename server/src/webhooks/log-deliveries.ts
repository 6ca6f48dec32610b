import type { NoUnits, RealtimeQuota } from "../account/realtime-quota.ts";
import type { Log } from "../runtime/log.ts";
import type { AttemptCapacity, SlotKind } from "./attempt-capacity.ts";
import type { Attempts } from "./attempts.ts";
import type { ClockSteps } from "./clock-steps.ts";
import type { Endpoint } from "./endpoints/endpoint.ts";
import type { EndpointSet } from "./endpoints/endpoint-set.ts";
import type { Delivery } from "./endpoints/types.ts";
import type { Entry, Found, LogEntries } from "./log-entries.ts";

export interface LogDeliveryDeps {
  readonly attempts: Attempts;
  readonly capacity: AttemptCapacity;
  readonly quota: RealtimeQuota;
  readonly steps: ClockSteps;
  readonly log: Log;
  readonly endpoints: EndpointSet;
  readonly entries: LogEntries;
  /** The endpoint has changes to commit. */
  readonly touch: (endpoint: Endpoint) => void;
}

/** More than can be recovered at once, so recovering does not stop a replay. */
const mostExceptions = 20_000;

/** Sends entries of the log to endpoints: first attempts in order, and replayed ranges. */
export class LogDeliveries {
  /** Entries that were not sent because the day's cap of the plan was used up. */
  withheld = 0;
  readonly #deps: LogDeliveryDeps;
  readonly #reading = new WeakSet<Endpoint>();
  /** For an endpoint that joins: how far its earlier entries were counted, and how many match. */
  readonly #counted = new WeakMap<Endpoint, { readonly to: number; readonly matched: number }>();

  constructor(deps: LogDeliveryDeps) {
    this.#deps = deps;
  }

  /** An entry has come that an endpoint must get; endpoints that are behind get it in `pump`. */
  arrive(endpoint: Endpoint, entry: Entry): void {
    const { queue } = endpoint;
    if (queue.seen !== null) return;
    if (!this.#mayBegin(endpoint)) queue.look(entry.seq - 1);
    else this.#begin(endpoint, entry);
  }

  /** Sends the next entries to the endpoint, as far as there is room. */
  pump(endpoint: Endpoint): void {
    const { queue, shard } = endpoint;
    for (let seen = queue.seen; seen !== null && seen <= shard.readSeq; seen = queue.seen) {
      if (!this.#mayBegin(endpoint)) return;
      const found = this.#scan(endpoint, seen, shard.readSeq);
      if (found === null) return;
      this.#deps.touch(endpoint);
      const { entry, reached } = found;
      if (entry === null) {
        queue.look(reached >= shard.readSeq ? null : reached);
        continue;
      }
      queue.look(entry.seq);
      if (!this.#begin(endpoint, entry)) return;
    }
  }

  /** Sends the next entry of a replayed range. */
  pumpReplay(endpoint: Endpoint): void {
    const { queue, shard } = endpoint;
    for (let { replay } = endpoint; replay !== null && !replay.isUnderWay; { replay } = endpoint) {
      if (replay.isDone || !this.#deps.capacity.mayBegin(endpoint, this.#nowMs())) return;
      // Failed deliveries come before more of the range, which continues when there is room again.
      if (queue.due >= mostExceptions) return;
      const found = this.#scan(endpoint, replay.seq, Math.min(replay.to, shard.readSeq));
      if (found === null) return;
      this.#deps.touch(endpoint);
      if (found.entry !== null) {
        this.#beginReplay(endpoint, found.entry);
        return;
      }
      if (found.reached === replay.seq) return;
      replay.skipTo(found.reached);
    }
  }

  /** Counts the matching entries from before its worker knew of it; later ones are counted with its shard. */
  join(endpoint: Endpoint): void {
    const { shard, queue } = endpoint;
    if (!endpoint.isJoining) return;
    let { to, matched } = this.#counted.get(endpoint) ?? { to: queue.position ?? shard.readSeq, matched: 0 };
    if (shard.readSeq < to) return;
    const { entries, endpoints, touch } = this.#deps;
    while (to < shard.readSeq) {
      const found = entries.scan(to, shard.readSeq, (entry) => endpoints.passes(endpoint, entry));
      if (found instanceof Promise) {
        this.#counted.set(endpoint, { to, matched });
        // After a failure the next round asks again.
        void found.then(
          () => this.join(endpoint),
          () => {},
        );
        return;
      }
      to = found.reached;
      if (found.entry !== null) matched += 1;
    }
    endpoints.join(endpoint, matched);
    touch(endpoint);
    this.pump(endpoint);
  }

  /** @returns false when it must wait */
  #begin(endpoint: Endpoint, entry: Entry): boolean {
    const { attempts, capacity, steps, touch } = this.#deps;
    const { queue } = endpoint;
    const time = steps.moment();
    touch(endpoint);
    if (endpoint.isTooOld(entry.madeAtMs, time)) {
      endpoint.expire(entry, time.nowMs);
      return true;
    }
    // A delivery of this entry was ordered before its turn and is in flight: the turn comes when that has ended.
    const slot = queue.isAgainUnderWay(entry.seq)
      ? null
      : capacity.take(endpoint, kindOf(endpoint, time.nowMs));
    if (slot === null) {
      queue.look(entry.seq - 1);
      return false;
    }
    const lacking = endpoint.wasTried(entry.seq) ? null : this.#takeUnit(endpoint);
    if (lacking !== null) {
      capacity.free(slot);
      return this.#lackUnits(endpoint, entry, lacking);
    }
    const delivery = deliveryOf(entry, time.nowMs, { kind: "first", trigger: "item", counts: true });
    void attempts.make(endpoint, delivery, { entry, slot }).then((isMade) => {
      if (isMade) this.pump(endpoint);
    });
    return true;
  }

  /** @returns false when it must wait */
  #lackUnits(endpoint: Endpoint, entry: Entry, lacking: NoUnits): boolean {
    const { queue, accountId } = endpoint;
    if (lacking === "spent") {
      queue.skip(entry, "withheld");
      this.withheld += 1;
      return true;
    }
    queue.look(entry.seq - 1);
    void this.#deps.quota
      .of(accountId)
      .leased()
      .then(() => this.pump(endpoint));
    return false;
  }

  #beginReplay(endpoint: Endpoint, entry: Entry): void {
    const { attempts, capacity } = this.#deps;
    const slot = capacity.take(endpoint, "late");
    if (slot === null) return;
    if (this.#takeUnit(endpoint) !== null) {
      // The next round asks again; a spent cap returns with the next day.
      capacity.free(slot);
      return;
    }
    const delivery = deliveryOf(entry, this.#nowMs(), { kind: "replay", trigger: "replay", counts: false });
    void attempts.make(endpoint, delivery, { entry, slot }).then((isMade) => {
      if (isMade) this.pumpReplay(endpoint);
    });
  }

  /** Without a cap no units are counted, since deliveries use none up. */
  #takeUnit({ settings, accountId }: Endpoint): NoUnits | null {
    const cap = settings.plan.realtime_feeds_per_day;
    const units = cap === null ? null : this.#deps.quota.of(accountId).take(cap, 1);
    return typeof units === "string" ? units : null;
  }

  /** Whether the next entry of the log may be sent: when only one attempt is allowed, due exceptions come first. */
  #mayBegin(endpoint: Endpoint): boolean {
    const { queue } = endpoint;
    const nowMs = this.#nowMs();
    const reserved = endpoint.isDue(nowMs) ? 1 : 0;
    return (
      queue.hasRoom && queue.due < mostExceptions && this.#deps.capacity.mayBegin(endpoint, nowMs, reserved)
    );
  }

  /** @returns null when a page must be read first: the endpoint is pumped again then */
  #scan(endpoint: Endpoint, after: number, upTo: number): Found | null {
    const { entries, endpoints, log } = this.#deps;
    // Another read of the page would have nobody to hear that it failed.
    if (this.#reading.has(endpoint)) return null;
    const found = entries.scan(after, upTo, (entry) => endpoints.passes(endpoint, entry));
    if (!(found instanceof Promise)) return found;
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
    return this.#deps.steps.nowMs;
  }
}

function kindOf(endpoint: Endpoint, nowMs: number): SlotKind {
  if (endpoint.state(nowMs) !== "closed") return "late";
  return endpoint.isSlow ? "slow" : "prompt";
}

function deliveryOf(
  { seq, itemId, madeAtMs }: Entry,
  nowMs: number,
  how: Pick<Delivery, "kind" | "trigger" | "counts">,
): Delivery {
  const { kind, trigger, counts } = how;
  return { kind, seq, itemId, trigger, counts, attempts: 0, firstAt: new Date(nowMs), order: null, madeAtMs };
}
