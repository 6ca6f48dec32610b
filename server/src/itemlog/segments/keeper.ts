import { randomUUID } from "node:crypto";
import { mostSegmentItems } from "../../feed/segments/draft.ts";
import { backoffMs } from "../../runtime/backoff.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Log } from "../../runtime/log.ts";
import type { Db } from "../../store/engine/db.ts";
import { wordlessSegment } from "../../store/segments/segments.ts";
import {
  forgetSegments,
  holdSegments,
  leaveSegments,
  type SegmentState,
  segmentState,
} from "../../store/segments/state.ts";
import type { ItemTail } from "../tail.ts";
import { buildNext, type KeeperLimits, type SegmentWork } from "./building.ts";
import { completeNext } from "./completing.ts";
import { fold, mostEntries } from "./folding.ts";
import { TermTexts } from "./term-texts.ts";

export interface KeeperDeps {
  readonly db: Db;
  readonly tail: ItemTail;
  readonly clock: Clock;
  readonly log: Log;
  /** Called after a change of the segments. */
  readonly changed: () => Promise<void>;
}

const usualLimits: KeeperLimits = {
  foldEntries: 16_384,
  leastPerSegment: 512,
  segmentItems: mostSegmentItems,
};

const lookEveryMs = 1_000;
const retryMs = { baseMs: 1_000, maxMs: 60_000 } as const;
const forgetEveryMs = 60_000;
const completeEveryMs = 60_000;

/**
 * Builds segments and folds new versions into them, in the background, one process at a time by lease. A step that is cut
 * off changes nothing, or a part that is right by itself; whoever has the lease next goes on from there.
 */
export class SegmentKeeper implements AsyncDisposable {
  readonly #deps: KeeperDeps;
  readonly #limits: KeeperLimits;
  readonly #worker = randomUUID();
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;
  #holds = false;
  /** Entries after which the next fold is tried. */
  #wanted: number;
  #completeAtMs = Number.NEGATIVE_INFINITY;
  #forgotAtMs = Number.NEGATIVE_INFINITY;

  constructor(deps: KeeperDeps, limits: KeeperLimits = usualLimits) {
    this.#deps = deps;
    this.#limits = limits;
    this.#wanted = limits.foldEntries;
    this.#running = this.#run();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { clock, db, log } = this.#deps;
    const { signal } = this.#closing;
    for (let failures = 0; !signal.aborted; ) {
      let waitMs = lookEveryMs;
      try {
        if (await this.step()) waitMs = 0;
        failures = 0;
      } catch (error) {
        failures += 1;
        waitMs = backoffMs(failures, retryMs);
        log.warn({ err: error }, "work on the index of items failed; trying again");
      }
      if (waitMs > 0) await clock.sleep(waitMs, signal).catch(() => {});
    }
    if (this.#holds) await leaveSegments(db.main, this.#worker).catch(() => {});
  }

  /** Whether a segment has no words, as those that were made before titles could be searched. Asked once a minute. */
  async #lacksWords(): Promise<boolean> {
    if (performance.now() - this.#completeAtMs < completeEveryMs) return false;
    if ((await wordlessSegment(this.#deps.db.main)) !== null) return true;
    this.#completeAtMs = performance.now();
    return false;
  }

  /** Does the next piece of work, if there is any. @returns whether there was */
  async step(): Promise<boolean> {
    const { db, changed } = this.#deps;
    if ((await this.#next(await segmentState(db.main))) === null) return this.#rest();
    this.#holds = await holdSegments(db.main, this.#worker);
    if (!this.#holds) return false;
    const { signal } = this.#closing;
    // Read anew for each piece: a restored database gives the ids of lost values to others.
    const work = { ...this.#deps, ...this.#limits, texts: new TermTexts(db.main), signal };
    // What is next is asked again: another process may have done it until the lease was taken.
    const state = await segmentState(db.main);
    const next = await this.#next(state);
    const isDone = next !== null && (await next(work, state));
    if (isDone) await changed();
    return isDone;
  }

  /** The next piece of work in this state; null: there is none. */
  async #next({
    foldedSeq,
    builtTo,
  }: SegmentState): Promise<((work: SegmentWork, state: SegmentState) => Promise<boolean>) | null> {
    if (this.#deps.tail.head - foldedSeq >= this.#wanted) return this.#fold;
    if (builtTo !== "all") return (work, state) => buildNext(work, state, builtTo);
    return (await this.#lacksWords()) ? completeNext : null;
  }

  #fold = async (work: SegmentWork, state: SegmentState): Promise<boolean> => {
    const made = await fold(work, state);
    this.#wanted = made === "later" ? Math.min(mostEntries, 2 * this.#wanted) : this.#limits.foldEntries;
    return made === true;
  };

  /** Nothing is to be done: another process may be the next. */
  async #rest(): Promise<false> {
    const { db } = this.#deps;
    if (this.#holds) {
      await leaveSegments(db.main, this.#worker);
      this.#holds = false;
    }
    if (performance.now() - this.#forgotAtMs > forgetEveryMs) {
      await forgetSegments(db.main);
      this.#forgotAtMs = performance.now();
    }
    return false;
  }
}
