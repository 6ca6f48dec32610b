import type { ProVerdict } from "@tapewire/scoring/pro/types.ts";
import type { Artifact, LinkedSymbol } from "@tapewire/scoring/types.ts";
import type { LlmVerdict } from "./llm.ts";
import type { OwnVerdict } from "./model/own-model.ts";
import type { ProPool } from "./pro-pool.ts";
import type { ProTask } from "./pro-worker.ts";
import { isForeign } from "./verdict-notes.ts";

/** The operator's model, a language model or a classifier. */
export interface AskedModel {
  /** Otherwise only what the scoring engine can read. */
  readonly readsAllLanguages: boolean;
  /**
   * A verdict on what pro has read. No failure is an error: verdict null gives the reason, and pro's verdict stands.
   * @param account of the caller: accounts take turns
   */
  readonly judge: (
    artifact: Artifact,
    symbols: readonly LinkedSymbol[],
    local: ProVerdict,
    account: string,
  ) => Promise<{ readonly verdict: LlmVerdict | OwnVerdict | null; readonly reason: string | null }>;
}

/** A verdict of pro, or of the operator's model in its place. */
export interface ProAnswer {
  readonly verdict: ProVerdict | LlmVerdict | OwnVerdict;
  /** Why the operator's model gave none; null: it did, or none is configured. */
  readonly reason: string | null;
}

/** Whose text it is, for accounts take turns, and its language: ISO 639-1; null: any that the models know. */
export interface About {
  readonly owner: string;
  readonly language: string | null;
}

/** Judges with pro, here or elsewhere. */
export interface ProJudge {
  /** @throws {ProPoolError} */
  judge(task: ProTask, about: About): Promise<ProAnswer>;
}

export interface LocalProDeps {
  readonly pool: Pick<ProPool, "judge">;
  /** null: none is configured. */
  readonly asked: AskedModel | null;
}

const bucketMs = 10_000;
const buckets = 6;

/** Judges in this process: by pro in its threads, and by the operator's model where one is configured. */
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

  async judge(task: ProTask, about: About): Promise<ProAnswer> {
    this.#waiting += 1;
    try {
      const answer = await this.#judge(task, about);
      this.#count();
      return answer;
    } finally {
      this.#waiting -= 1;
    }
  }

  async #judge({ artifact, symbols, flashVerdict }: ProTask, { owner, language }: About): Promise<ProAnswer> {
    const { pool, asked } = this.#deps;
    const local = await pool.judge(artifact, symbols, flashVerdict, { owner });
    if (asked === null || (isForeign(language) && !asked.readsAllLanguages))
      return { verdict: local, reason: null };
    const { verdict, reason } = await asked.judge(artifact, symbols, local, owner);
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
