import type { CallEvents, Calls } from "../../bus/calls.ts";
import { backoffMs } from "../../runtime/backoff.ts";
import type { Log } from "../../runtime/log.ts";
import type { LocalPro } from "../pro-judge.ts";
import { ProPoolError } from "../pro-pool.ts";
import { encodeAnswer, encodeNotice, type Models, noticeOf, type Question, questionOf } from "./messages.ts";

/**
 * offering: it may be asked. behind: an answer came too late for the process that asked; it offers itself again after a
 * pause, once nothing waits. leaving: it ends.
 */
export type ServingState = "offering" | "behind" | "leaving";
type ServingEvent = "late" | "rested" | "left";

/** All moves; an event that a state does not list changes nothing. */
export const servingMoves: Readonly<Record<ServingState, Partial<Record<ServingEvent, ServingState>>>> = {
  offering: { late: "behind", left: "leaving" },
  behind: { rested: "offering", left: "leaving" },
  leaving: {},
};

const offerEveryMs = 5_000;
const rest = { baseMs: 2_000, maxMs: 60_000 } as const;
/** At a stop, for answers under way. */
const drainMs = 2_000;

/** How a question to this process ended. */
export const servedOutcomes = ["answered", "refused", "failed", "late"] as const;
export type ServedOutcome = (typeof servedOutcomes)[number];

export interface ServingOptions {
  readonly calls: Calls;
  readonly models: Models;
  readonly local: LocalPro;
  /** Questions that may wait or be under way; further ones are refused. */
  readonly most: number;
  readonly log: Log;
}

/** Answers the questions of other processes: the role score. */
export class GroupServer implements CallEvents, AsyncDisposable {
  readonly #options: ServingOptions;
  readonly #timer: NodeJS.Timeout;
  readonly outcomes: Record<ServedOutcome, number> = { answered: 0, refused: 0, failed: 0, late: 0 };
  #state: ServingState = "offering";
  readonly #underWay = new Set<Promise<void>>();
  /** Whether it has refused a question since it last offered itself. */
  #wasFull = false;
  #lateInARow = 0;
  #restsUntilMs = 0;

  constructor(options: ServingOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#beat(), offerEveryMs);
    this.#timer.unref();
    options.calls.attach(this);
  }

  get state(): ServingState {
    return this.#state;
  }

  begun(): void {
    this.#offer();
  }

  /** What is under way goes on; its answers are lost, and whoever asked has noticed. */
  ended(): void {}

  told(body: Buffer): void {
    if (noticeOf(body)?.kind === "who") this.#offer();
  }

  asked(body: Buffer, answer: (body: Buffer) => boolean): void {
    const question = questionOf(body);
    if (question === null || this.#state === "leaving" || !this.#canJudge(question)) {
      this.outcomes.failed += 1;
      answer(encodeAnswer({ kind: "failed" }));
    } else if (this.#underWay.size >= this.#options.most) {
      this.#refuse(answer);
    } else {
      const work = this.#answer(question, answer).finally(() => {
        this.#underWay.delete(work);
        this.#freed();
      });
      this.#underWay.add(work);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    this.#move("left");
    const { calls } = this.#options;
    calls.tell(encodeNotice({ kind: "left", scorer: calls.id }));
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, drainMs);
    await Promise.race([Promise.all(this.#underWay), late]);
    clearTimeout(timer);
  }

  #canJudge({ models: { tapewire, pro, llm } }: Question): boolean {
    const { models } = this.#options;
    return tapewire === models.tapewire && pro === models.pro && llm === models.llm;
  }

  #refuse(answer: (body: Buffer) => boolean): void {
    this.#wasFull = true;
    this.outcomes.refused += 1;
    answer(encodeAnswer({ kind: "refused" }));
  }

  async #answer({ task, owner, deadlineMs }: Question, answer: (body: Buffer) => boolean): Promise<void> {
    const dueMs = performance.now() + deadlineMs;
    try {
      const judged = await this.#options.local.judge(task, { owner, language: null });
      const isSent = answer(encodeAnswer({ kind: "judged", ...judged }));
      if (!isSent) answer(encodeAnswer({ kind: "failed" }));
      this.#note(performance.now() > dueMs ? "late" : isSent ? "answered" : "failed");
    } catch (error) {
      const isBusy = error instanceof ProPoolError && error.reason === "busy";
      if (isBusy) return this.#refuse(answer);
      answer(encodeAnswer({ kind: "failed" }));
      this.#note(performance.now() > dueMs ? "late" : "failed");
      if (!(error instanceof ProPoolError))
        this.#options.log.error({ err: error }, "a text of another process could not be judged");
    }
  }

  #note(outcome: ServedOutcome): void {
    this.outcomes[outcome] += 1;
    if (outcome === "answered") this.#lateInARow = 0;
    if (outcome !== "late" || this.#state !== "offering") return;
    this.#lateInARow += 1;
    this.#restsUntilMs = performance.now() + backoffMs(this.#lateInARow, rest);
    this.#move("late");
    this.#options.log.warn("an answer came too late for the process that asked: this scorer takes a rest");
  }

  /** Places are free again after it was full. */
  #freed(): void {
    if (this.#wasFull && this.#underWay.size <= this.#options.most / 2) this.#offer();
  }

  #beat(): void {
    const isRested = this.#underWay.size === 0 && performance.now() >= this.#restsUntilMs;
    if (this.#state === "behind" && isRested) this.#move("rested");
    if (this.#underWay.size < this.#options.most) this.#offer();
  }

  #offer(): void {
    if (this.#state !== "offering") return;
    this.#wasFull = false;
    const { calls, models, local } = this.#options;
    calls.tell(encodeNotice({ kind: "offer", scorer: calls.id, models, waiting: local.waiting }));
  }

  #move(event: ServingEvent): void {
    this.#state = servingMoves[this.#state][event] ?? this.#state;
  }
}
