import type { ProVerdict } from "@tapewire/scoring/pro/types.ts";
import type { LlmScorer, LlmVerdict } from "./llm.ts";
import type { ProPool } from "./pro-pool.ts";
import type { ProTask } from "./pro-worker.ts";

/** A verdict of pro, or of the operator's language model in its place. */
export interface ProAnswer {
  readonly verdict: ProVerdict | LlmVerdict;
  /** Why the language model gave none; null: it did, or none is configured. */
  readonly reason: string | null;
}

/** Judges with pro, here or elsewhere. */
export interface ProJudge {
  /**
   * @param owner the calling account: accounts take turns
   * @throws {ProPoolError}
   */
  judge(task: ProTask, owner: string): Promise<ProAnswer>;
}

export interface LocalProDeps {
  readonly pool: Pick<ProPool, "judge">;
  /** null: none is configured. */
  readonly llm: Pick<LlmScorer, "judge"> | null;
}

const bucketMs = 10_000;
const buckets = 6;

/** Judges in this process: by pro in its threads, and by the language model where one is configured. */
export class LocalPro implements ProJudge {
  readonly #deps: LocalProDeps;
  #waiting = 0;
  #given = 0;
  /** Verdicts of the last minute, by the tenth second in which they were given. */
  readonly #recent = new Map<number, number>();

  constructor(deps: LocalProDeps) {
    this.#deps = deps;
  }

  /** Texts that are judged, or wait for it. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Verdicts since the start. */
  get given(): number {
    return this.#given;
  }

  /** Verdicts in the last minute. */
  get perMinute(): number {
    this.#forget(bucketNow());
    return [...this.#recent.values()].reduce((sum, count) => sum + count, 0);
  }

  async judge(task: ProTask, owner: string): Promise<ProAnswer> {
    this.#waiting += 1;
    try {
      const answer = await this.#judge(task, owner);
      this.#count();
      return answer;
    } finally {
      this.#waiting -= 1;
    }
  }

  async #judge({ artifact, symbols, flashVerdict }: ProTask, owner: string): Promise<ProAnswer> {
    const { pool, llm } = this.#deps;
    const local = await pool.judge(artifact, symbols, flashVerdict, { owner });
    if (llm === null) return { verdict: local, reason: null };
    const { verdict, reason } = await llm.judge(artifact, symbols, local);
    return { verdict: verdict ?? local, reason };
  }

  #count(): void {
    this.#given += 1;
    const now = bucketNow();
    this.#recent.set(now, (this.#recent.get(now) ?? 0) + 1);
    this.#forget(now);
  }

  #forget(now: number): void {
    for (const bucket of this.#recent.keys()) if (bucket <= now - buckets) this.#recent.delete(bucket);
  }
}

const bucketNow = (): number => Math.floor(performance.now() / bucketMs);
