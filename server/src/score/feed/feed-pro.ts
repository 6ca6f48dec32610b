import type { ProVerdict } from "@tapewire/scoring/pro/types.ts";
import type { Artifact } from "@tapewire/scoring/types.ts";
import { type ProPool, ProPoolError } from "../pro-pool.ts";
import type { ProTask } from "../pro-worker.ts";

/**
 * What came of asking pro about an item. busy: it was not asked, since the answer would have come too late. starting: no
 * thread was ready. late: the answer did not come in time. failed: its thread ended.
 */
export const feedOutcomes = ["answered", "busy", "starting", "late", "failed"] as const;
export type FeedOutcome = (typeof feedOutcomes)[number];

/** Counts what came of asking, and how long an item that was asked about waited. */
export interface FeedWatch {
  ended(outcome: FeedOutcome): void;
  waited(seconds: number): void;
}

export interface FeedProOptions {
  readonly pool: Pick<ProPool, "expectedMs" | "judge" | "ready" | "warm">;
  /** Longest wait of an item. */
  readonly waitMs: number;
  readonly watch: FeedWatch;
}

/** pro's answer on an item; null: flash's verdict stands. Never rejects. */
export type FeedAnswer = Promise<ProVerdict | null>;

/** Of the longest wait. A timer is late by some milliseconds when the process is busy, and the wait is a promise. */
const shareOfTimer = 0.9;
/** News is asked about only while this share of the wait suffices: the rest is for texts that take pro longer. */
const shareOfNews = 0.7;

/** A text that pro reads whole, which flash does not. They and news take turns. */
const isDocument = ({ type, body }: Artifact): boolean =>
  (type === "filing" || type === "research") && body !== "";

/**
 * Asks pro about items of the feed before they enter the log. An item waits no longer than it may: where pro is not
 * expected to answer in time it is not asked, and where it does not answer flash's verdict stands.
 */
export class FeedPro {
  readonly #options: FeedProOptions;
  #before: Promise<void> = Promise.resolve();

  constructor(options: FeedProOptions) {
    this.#options = options;
  }

  /** @returns null: pro is not asked */
  ask(task: ProTask): FeedAnswer | null {
    const { pool, waitMs, watch } = this.#options;
    const { artifact, symbols } = task;
    if (pool.ready === 0) {
      void pool.warm();
      watch.ended("starting");
      return null;
    }
    const isLong = isDocument(artifact);
    const owner = isLong ? "feed documents" : "feed news";
    if (pool.expectedMs(artifact, symbols, owner) > (isLong ? shareOfTimer : shareOfNews) * waitMs) {
      watch.ended("busy");
      return null;
    }
    return this.#answer(task, owner);
  }

  /** The answers on one batch, once those on all batches before it are there: a wait for pro changes no order. */
  async inOrder(answers: readonly (FeedAnswer | null)[]): Promise<(ProVerdict | null)[]> {
    const done = Promise.all([Promise.all(answers), this.#before]);
    this.#before = done.then(() => {});
    const [found] = await done;
    return found;
  }

  async #answer({ artifact, symbols, flashVerdict }: ProTask, owner: string): FeedAnswer {
    const { pool, waitMs, watch } = this.#options;
    const askedAtMs = performance.now();
    const due = Promise.withResolvers<"late">();
    const timer = setTimeout(() => due.resolve("late"), shareOfTimer * waitMs);
    // It is not ended when its time is up: that would cost a new thread, and the answer teaches the pool its pace.
    const judging = pool.judge(artifact, symbols, flashVerdict, { owner, waitMs }).catch(outcomeOf);
    const answer = await Promise.race([judging, due.promise]);
    clearTimeout(timer);
    watch.waited((performance.now() - askedAtMs) / 1_000);
    const isVerdict = typeof answer !== "string";
    watch.ended(isVerdict ? "answered" : answer);
    return isVerdict ? answer : null;
  }
}

const outcomeOfFailure = {
  timeout: "late",
  late: "late",
  busy: "busy",
  failed: "failed",
  closed: "failed",
} as const;

const outcomeOf = (error: unknown): FeedOutcome =>
  error instanceof ProPoolError ? outcomeOfFailure[error.reason] : "failed";
