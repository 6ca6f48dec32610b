import { CallError, type CallEvents, type CallFailure, type Calls } from "../../bus/calls.ts";
import type { Log } from "../../runtime/log.ts";
import type { About, ProAnswer, ProJudge } from "../pro-judge.ts";
import type { ProTask } from "../pro-worker.ts";
import { answerOf, encodeNotice, encodeQuestion, type Models, noticeOf, type Offer } from "./messages.ts";

/**
 * ready: it may be asked. full: it has refused a question; it is asked again once it has answered one or offers itself.
 * out: it has not answered, or cannot be reached; it is asked again once it offers itself.
 */
export type Standing = "ready" | "full" | "out";
type StandingEvent = "offered" | "answered" | "refused" | "failed";

/** All moves; an event that a standing does not list changes nothing. */
export const standingMoves: Readonly<Record<Standing, Partial<Record<StandingEvent, Standing>>>> = {
  ready: { refused: "full", failed: "out" },
  full: { offered: "ready", answered: "ready", failed: "out" },
  out: { offered: "ready" },
};

interface Known {
  standing: Standing;
  /** Questions of this process that it has not answered yet. */
  asked: number;
  /** What waits there, as it said last. */
  waiting: number;
  offeredAtMs: number;
}

/** Scorers offer themselves every few seconds; one that has not for so long is forgotten. */
const keptMs = 60_000;
const mostKnown = 256;

/** How a question ended. */
export const askOutcomes = [
  "answered",
  "refused",
  "failed",
  "late",
  "gone",
  "away",
  "full",
  "large",
] as const;
export type AskOutcome = (typeof askOutcomes)[number];

export interface AskingOptions {
  readonly calls: Calls;
  /** What this process would judge with. */
  readonly models: Models;
  /** Judges when no scorer does. */
  readonly local: ProJudge;
  /** For one text, on its way there and back too. */
  readonly deadlineMs: number;
  readonly log: Log;
}

/**
 * Judges by scorers, processes with the role score, and in this process when there is none, when it has too much to do, or
 * when its answer does not come. A scorer that fails costs its callers the deadline once, and no verdict.
 */
export class GroupFirst implements ProJudge, CallEvents {
  readonly #options: AskingOptions;
  readonly #scorers = new Map<string, Known>();
  readonly outcomes: Record<AskOutcome, number>;

  constructor(options: AskingOptions) {
    this.#options = options;
    this.outcomes = {
      ...{ answered: 0, refused: 0, failed: 0, late: 0, gone: 0, away: 0, full: 0, large: 0 },
    };
    options.calls.attach(this);
  }

  /** Scorers that may be asked. */
  get ready(): number {
    this.#forget();
    return [...this.#scorers.values()].filter(({ standing }) => standing === "ready").length;
  }

  async judge(task: ProTask, about: About): Promise<ProAnswer> {
    return (await this.#ask(task, about.owner)) ?? this.#options.local.judge(task, about);
  }

  begun(): void {
    this.#options.calls.tell(encodeNotice({ kind: "who" }));
  }

  ended(): void {
    this.#scorers.clear();
  }

  told(body: Buffer): void {
    const notice = noticeOf(body);
    if (notice?.kind === "left") this.#scorers.delete(notice.scorer);
    if (notice?.kind === "offer") this.#note(notice);
  }

  /** This process is no scorer. */
  asked(): void {}

  #note({ scorer, models, waiting }: Offer): void {
    this.#forget();
    const known = this.#scorers.get(scorer);
    if (!isSame(models, this.#options.models) || (known === undefined && this.#scorers.size >= mostKnown))
      return;
    const offeredAtMs = performance.now();
    if (known === undefined) this.#scorers.set(scorer, { standing: "ready", asked: 0, waiting, offeredAtMs });
    else {
      Object.assign(known, { waiting, offeredAtMs });
      this.#move(scorer, "offered");
    }
  }

  #forget(): void {
    const oldest = performance.now() - keptMs;
    for (const [id, { offeredAtMs }] of this.#scorers) if (offeredAtMs < oldest) this.#scorers.delete(id);
  }

  /** The one with the fewest questions of this process, then with the least to do at all. */
  #pick(): [id: string, known: Known] | null {
    this.#forget();
    const ready = [...this.#scorers].filter(([, { standing }]) => standing === "ready");
    ready.sort(([, a], [, b]) => a.asked - b.asked || a.waiting - b.waiting);
    return ready[0] ?? null;
  }

  /** @returns null: this process has to judge */
  async #ask(task: ProTask, owner: string): Promise<ProAnswer | null> {
    const picked = this.#pick();
    if (picked === null) return null;
    const [id, known] = picked;
    const { calls, models, deadlineMs } = this.#options;
    const body = encodeQuestion({ task, owner, models, deadlineMs });
    known.asked += 1;
    try {
      return this.#settle(id, answerOf(await calls.ask(id, body, deadlineMs)));
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      this.#fail(id, error.reason);
      return null;
    } finally {
      known.asked -= 1;
    }
  }

  #settle(id: string, answer: ReturnType<typeof answerOf>): ProAnswer | null {
    if (answer?.kind === "judged") {
      this.outcomes.answered += 1;
      this.#move(id, "answered");
      const { verdict, reason } = answer;
      return { verdict, reason };
    }
    const outcome = answer?.kind === "refused" ? "refused" : "failed";
    this.outcomes[outcome] += 1;
    // One text that cannot be judged says nothing about the next.
    if (outcome === "refused") this.#move(id, "refused");
    return null;
  }

  #fail(id: string, reason: CallFailure): void {
    this.outcomes[reason] += 1;
    const known = this.#scorers.get(id);
    if (known === undefined || (reason !== "late" && reason !== "gone")) return;
    if (known.standing !== "out")
      this.#options.log.warn(
        { reason, scorer: id },
        "a scorer does not answer; this process judges until it offers itself",
      );
    this.#move(id, "failed");
  }

  #move(id: string, event: StandingEvent): void {
    const known = this.#scorers.get(id);
    if (known !== undefined) known.standing = standingMoves[known.standing][event] ?? known.standing;
  }
}

function isSame(a: Models, b: Models): boolean {
  return a.tapewire === b.tapewire && a.pro === b.pro && a.llm === b.llm;
}
