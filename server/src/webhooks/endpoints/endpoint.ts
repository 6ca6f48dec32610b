import type { EndpointRow } from "../../store/webhooks/delivering-endpoints.ts";
import type { Exception, Settled } from "../../store/webhooks/exceptions.ts";
import type { Attempt } from "../send/types.ts";
import { AttemptSampling } from "./attempt-sampling.ts";
import { EndpointQueue } from "./endpoint-queue.ts";
import { EndpointMachine, type EndpointState } from "./endpoint-state.ts";
import { endingOf, expiredRow, type First, failedRow, settled, unmadeRow } from "./exceptions.ts";
import { Pace } from "./pace.ts";
import { Replay } from "./replay.ts";
import { isOver } from "./retry-schedule.ts";
import type { Shard } from "./shards.ts";
import type { Begun, Contact, Delivery, DeliveryPolicy, EndpointSettings, Moment } from "./types.ts";

/** Exceptions of a failing endpoint; with more, one entry of the log is tried again and again instead. */
const mostWhileFailing = 50;

export interface EndpointOptions {
  readonly shard: Shard;
  readonly settings: EndpointSettings;
  readonly policy: DeliveryPolicy;
  /** Attempts per second. */
  readonly perS: number;
}

/**
 * An endpoint of one of this worker's shards. All that happens to it comes as an event with a time, and nothing else
 * writes to it. Its queue has its position in the log; its state decides whether attempts may begin.
 */
export class Endpoint {
  readonly id: string;
  readonly accountId: string;
  readonly shard: Shard;
  readonly run: number;
  readonly queue: EndpointQueue;
  readonly #machine: EndpointMachine;
  readonly #pace: Pace;
  readonly #longestDelayMs: number;
  #settings: EndpointSettings;
  #host: string;
  #replay: Replay | null;
  /** When the next exception is due (epoch). */
  #dueAtMs: number;
  readonly #contact: Contact = {
    answeredAtMs: null,
    lastStatus: null,
    lastError: null,
    lastAttemptAtMs: null,
    attempted: false,
  };
  /** Entries of the log that failed and are to be sent from there again. */
  readonly #takenBack = new Set<number>();
  readonly #sampling = new AttemptSampling();

  constructor(row: EndpointRow, { shard, settings, policy, perS }: EndpointOptions) {
    const { breakerOpenings: openings, breakerUntil: until, resets, joined, failingSince } = row;
    const kept = openings === null || until === null ? null : { openings, untilMs: until.getTime() };
    this.id = row.id;
    this.accountId = row.accountId;
    this.shard = shard;
    this.run = row.run;
    this.queue = new EndpointQueue({ position: row.position, due: row.due });
    this.#machine = new EndpointMachine({ policy, resets, joined, kept, failingSince });
    this.#pace = new Pace({ perS });
    this.#longestDelayMs = policy.longestDelayMs;
    this.#settings = settings;
    this.#host = hostOf(settings.url);
    this.#replay = Replay.of(row);
    this.#dueAtMs = row.dueAt?.getTime() ?? Number.POSITIVE_INFINITY;
  }

  get settings(): EndpointSettings {
    return this.#settings;
  }

  get host(): string {
    return this.#host;
  }

  get isJoining(): boolean {
    return this.#machine.isJoining;
  }

  get isStopped(): boolean {
    return this.#machine.isStopped;
  }

  get isSlow(): boolean {
    return this.#pace.isSlow;
  }

  get inFlight(): number {
    return this.#pace.inFlight;
  }

  get replay(): Replay | null {
    return this.#replay;
  }

  state(nowMs: number): EndpointState {
    return this.#machine.state(nowMs);
  }

  /** @param reserved slots of the endpoint that are kept free for other attempts */
  mayBegin(nowMs: number, reserved = 0): boolean {
    return this.#pace.waitMs(nowMs, this.#machine.atOnce(nowMs) - reserved) === 0;
  }

  /** Whether an exception is due now. */
  isDue(nowMs: number): boolean {
    return this.queue.due > 0 && this.hasCome(this.#dueAtMs, nowMs);
  }

  /** Whether the time at which an exception is due has come. */
  hasCome(dueAtMs: number, nowMs: number): boolean {
    return isOver(dueAtMs, nowMs, this.#longestDelayMs);
  }

  /** As `isDue`, and its state allows an attempt. */
  mayRetry(nowMs: number): boolean {
    return this.isDue(nowMs) && this.#machine.atOnce(nowMs) > 0;
  }

  isTooOld(madeAtMs: number, { ageMs }: Moment): boolean {
    return ageMs(madeAtMs) > this.#settings.maxAgeMs;
  }

  /** Whether the entry failed before and is sent from the log again. */
  wasTried(seq: number): boolean {
    return this.#takenBack.has(seq);
  }

  /** Its earlier entries are counted; from now on they are counted with its shard. */
  join(matched: number): void {
    this.queue.matched(matched);
    this.#machine.join();
  }

  /** It no longer belongs to this worker. */
  remove(): void {
    this.#machine.remove();
  }

  /** Applies a change within the same run. */
  change(row: EndpointRow, settings: EndpointSettings): void {
    this.set(settings);
    this.#machine.reset(row.resets);
    if (row.replayTo !== this.#replay?.to) this.#replay = Replay.of(row);
    this.queue.addDue(Math.max(0, row.due - this.queue.due));
    if (row.dueAt !== null) this.expectDue(row.dueAt.getTime());
  }

  /** Applies new settings of its owner or its plan. */
  set(settings: EndpointSettings): void {
    this.#settings = settings;
    this.#host = hostOf(settings.url);
  }

  /** An exception will be due then. */
  expectDue(atMs: number): void {
    this.#dueAtMs = Math.min(this.#dueAtMs, atMs);
  }

  /** Due exceptions were read. @param nextMs when more may be due; null: these were all, and are in flight */
  dueWasRead(stored: readonly number[], nextMs: number | null): void {
    this.#dueAtMs = nextMs ?? Number.POSITIVE_INFINITY;
    if (nextMs === null) this.queue.knowDue(stored);
  }

  begin({ kind, seq, itemId }: Delivery, { nowMs }: Moment, monotonicMs: number): Begun {
    this.#pace.begin(nowMs);
    if (kind === "first") this.queue.begin({ seq, itemId }, monotonicMs);
    const replay = kind === "replay" ? this.#replay : null;
    replay?.begin();
    const { url, key, previous, plan, format } = this.#settings;
    const keys = previous === null || previous.untilMs <= nowMs ? [key] : [key, previous.key];
    const { resets } = this.#machine;
    return { at: new Date(nowMs), resets, url, keys, locked: !plan.scores_visible, format, replay };
  }

  /**
   * Records the end of an attempt, with an answer or without.
   * @returns whether the attempt is logged
   */
  end(delivery: Delivery, attempt: Attempt, { begun, time }: { begun: Begun; time: Moment }): boolean {
    const { seq, attempts: failedBefore, madeAtMs } = delivery;
    const { ok, status, error, gone, retryAfterMs } = attempt;
    const { maxAgeMs } = this.#settings;
    this.#pace.end(attempt);
    const contact = this.#contact;
    if (status !== null) contact.answeredAtMs = time.nowMs;
    contact.lastStatus = status;
    contact.lastError = error;
    contact.lastAttemptAtMs = time.nowMs;
    contact.attempted = true;
    const how = { wasTried: this.#takenBack.has(seq), nowMs: time.nowMs };
    const isLogged = this.#sampling.isLogged(delivery, ok, how);
    begun.replay?.end(seq);
    const expiry = delivery.trigger === "item" ? { madeAtMs, maxAgeMs } : null;
    const { at: startedAt, resets } = begun;
    const ended = { ok, gone, retryAfterMs, failedBefore, startedAt, resets, expiry };
    const next = this.#machine.end(ended, time);
    this.#book(
      delivery,
      next.do === "settle" ? null : failedRow(delivery, attempt, { next, nowMs: time.nowMs }),
      time,
    );
    return isLogged;
  }

  /** Ends an attempt that says nothing about the receiver: its delivery is made in the next round. */
  endUnmade(delivery: Delivery, attempt: Attempt, { begun, time }: { begun: Begun; time: Moment }): void {
    const { kind, seq } = delivery;
    const { nowMs } = time;
    this.#pace.end(attempt);
    if (this.shard.lost) return;
    if (kind === "replay") begun.replay?.end(null);
    else if (kind === "again") this.leaveDue(seq, nowMs);
    // Its unit of the day's quota is not taken again.
    else if (this.queue.takeBack(seq)) this.#takenBack.add(seq);
    else if (!this.queue.end(seq, unmadeRow(delivery, nowMs))) this.leaveDue(seq, nowMs);
  }

  /** The next entry of the log is too old to be sent. */
  expire(entry: First, nowMs: number): void {
    // The delivery log has its failed attempts, so its end must be there too.
    this.queue.skip(entry, this.#takenBack.delete(entry.seq) ? expiredRow(entry, nowMs) : "expired");
  }

  /** An exception is too old, or its entry is no longer in the log. */
  expireDue(row: Exception, nowMs: number): void {
    const dead: Exception = { ...row, state: "dead", dueAt: new Date(nowMs), lastError: "expired" };
    this.queue.endAgain(row.seq, dead, row.counts ? "expired" : null);
  }

  /** An exception stays due: the next round reads it again. */
  leaveDue(seq: number, nowMs: number): void {
    this.queue.dropAgain(seq);
    this.#dueAtMs = nowMs;
  }

  /** Takes what a commit stores beside the position. */
  takeFindings() {
    const { resets, failingSince, disabledReason, kept } = this.#machine;
    const { answeredAtMs, lastAttemptAtMs, lastStatus, lastError, attempted } = this.#contact;
    const answeredAt = answeredAtMs === null ? null : new Date(answeredAtMs);
    const lastAttemptAt = lastAttemptAtMs === null ? null : new Date(lastAttemptAtMs);
    this.#contact.attempted = false;
    const replay = this.#replay;
    return {
      ...{ resets, failingSince, disabledReason, answeredAt, attempted },
      ...{ lastStatus, lastError, lastAttemptAt },
      breakerOpenings: kept?.openings ?? null,
      breakerUntil: kept === null ? null : new Date(kept.untilMs),
      replaySeq: replay === null || replay.isDone ? null : replay.seq,
      replayTo: replay?.to ?? null,
    };
  }

  /** The commit failed. */
  giveBackFindings({ attempted }: Pick<Findings, "attempted">): void {
    this.#contact.attempted ||= attempted;
  }

  /** The commit succeeded, so due exceptions can be read when their time comes. */
  stored(
    { replaySeq, replayTo }: Pick<Findings, "replaySeq" | "replayTo">,
    exceptions: Iterable<Exception | Settled>,
  ): void {
    for (const row of exceptions) if (row.state === "due") this.expectDue(row.dueAt.getTime());
    if (replaySeq === null && this.#replay?.to === replayTo) this.#replay = null;
  }

  /** @param row the delivery's new exception; null: delivered */
  #book(delivery: Delivery, row: Exception | null, { nowMs }: Moment): void {
    const { kind, seq } = delivery;
    if (kind === "replay") {
      if (row !== null) this.queue.except(row);
      return;
    }
    if (kind === "first") {
      const isEnough = this.#machine.isFailing(nowMs) && this.queue.due >= mostWhileFailing;
      if (row !== null && isEnough && this.queue.takeBack(seq)) {
        this.#takenBack.add(seq);
        return;
      }
      this.#takenBack.delete(seq);
      if (this.queue.end(seq, row ?? "delivered")) return;
    }
    this.queue.endAgain(seq, row ?? settled(delivery), endingOf(delivery, row));
  }
}

export type Findings = ReturnType<Endpoint["takeFindings"]>;

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? "";
}
