import type { ProVerdict } from "@tapewire/scoring/pro/types.ts";
import type { Artifact } from "@tapewire/scoring/types.ts";
import { ThreadError, type ThreadFailure, ThreadPool } from "../../runtime/sharing/thread-pool.ts";
import { StartError } from "../../runtime/start-error.ts";
import { readScores, uncalibrated } from "./calibration.ts";
import type { ModelFolder } from "./folder.ts";
import { type OwnVerdict, ownVerdict } from "./model-verdict.ts";
import type { ClassScores, ModelFiles, ModelTask } from "./types.ts";

export { readModelFolder } from "./folder.ts";
export type { OwnVerdict } from "./model-verdict.ts";

export interface OwnModelOptions {
  /** Each holds the model in its memory. */
  readonly threads?: number | undefined;
  /** Texts that may wait for a thread; further ones are refused. */
  readonly waiting?: number | undefined;
  /** Texts of one account that may wait; accounts take turns. */
  readonly waitingEach?: number | undefined;
  /** For one text, on its thread. */
  readonly deadlineMs?: number | undefined;
}

const defaults = { threads: 1, waiting: 200, waitingEach: 100, deadlineMs: 10_000 };
/** The vocabularies of models for many languages take some hundred megabytes; the model itself is outside the heap. */
const heapMb = 1_024;
/** A large model from a slow disk, on a busy machine. */
const startMs = 120_000;
/** Callers do not wait longer for their turn: pro's own verdict is there. */
const turnMs = 20_000;

const reasons: Readonly<Record<ThreadFailure, string>> = {
  busy: "too many texts wait for the model",
  late: "the model was not free in time",
  timeout: "the model gave no answer in time",
  memory: "the model took too much memory",
  failed: "the model failed on the text",
  closed: "the model is closed",
};

/** scores null: the model gave none, for this reason. */
export type OwnScores =
  | { readonly scores: ClassScores; readonly reason: null; readonly failure: null }
  | { readonly scores: null; readonly reason: string; readonly failure: ThreadFailure };

/** verdict null: pro's own stands, for this reason. */
export type OwnAnswer =
  | { readonly verdict: OwnVerdict; readonly reason: null; readonly failure: null }
  | { readonly verdict: null; readonly reason: string; readonly failure: ThreadFailure };

/**
 * A text classifier of the operator's, in threads of its own, so that one that is slow or fails costs nothing but its
 * answer: pro's verdict is there already.
 */
export class OwnModel implements AsyncDisposable {
  readonly folder: ModelFolder;
  readonly #threads: ThreadPool<ModelTask, ClassScores>;

  private constructor(folder: ModelFolder, options: OwnModelOptions) {
    const {
      threads = defaults.threads,
      waiting = defaults.waiting,
      waitingEach = defaults.waitingEach,
      deadlineMs = defaults.deadlineMs,
    } = options;
    const { modelFile, tokenizerFile, tokenizerConfigFile, maxTokens, positions } = folder;
    const data: ModelFiles = { modelFile, tokenizerFile, tokenizerConfigFile, maxTokens, positions };
    const module = new URL("./model-worker.ts", import.meta.url);
    const each = { inside: threads, waiting: waitingEach };
    this.#threads = new ThreadPool({
      module,
      threads,
      waiting,
      each,
      deadlineMs,
      heapMb,
      data,
      startMs,
      startsAgain: true,
    });
    this.folder = folder;
  }

  /**
   * Starts a thread and reads a first text, so that a model that cannot be run is found at the start.
   * @throws {StartError} saying what is missing or wrong
   */
  static async open(folder: ModelFolder, options: OwnModelOptions = {}): Promise<OwnModel> {
    await using stack = new AsyncDisposableStack();
    const model = stack.use(new OwnModel(folder, options));
    try {
      const scores = await model.#threads.run({ title: "Profit rises", body: "" }, { deadlineMs: startMs });
      if (scores.every((score) => score >= 0) && Math.abs(scores[0] + scores[1] + scores[2] - 1) < 1e-4)
        throw new StartError(
          `${folder.modelFile}: gives probabilities; export it without softmax, so that it gives logits`,
          { exitCode: 2 },
        );
    } catch (error) {
      if (!(error instanceof ThreadError)) throw error;
      throw new StartError(causeOf(error), { exitCode: 2, cause: error });
    }
    stack.move();
    return model;
  }

  /** The model's scores of a text, as it gives them. */
  async scores(
    { title, body }: ModelTask,
    { owner, waitMs = turnMs }: { readonly owner?: string | undefined; readonly waitMs?: number } = {},
  ): Promise<OwnScores> {
    try {
      const scores = await this.#threads.run({ title, body }, { owner: owner ?? null, waitMs });
      return { scores, reason: null, failure: null };
    } catch (error) {
      if (!(error instanceof ThreadError)) throw error;
      return { scores: null, reason: reasons[error.reason], failure: error.reason };
    }
  }

  /** @param local pro's verdict on the same artifact, which the model's answer is put beside */
  async judge(
    artifact: Artifact,
    local: ProVerdict,
    over: { readonly owner?: string; readonly waitMs?: number } = {},
  ): Promise<OwnAnswer> {
    const { scores, reason, failure } = await this.scores(artifact, over);
    if (scores === null) return { verdict: null, reason, failure };
    const says = readScores(scores, this.folder.calibration ?? uncalibrated);
    return { verdict: ownVerdict(says, local, artifact, this.folder), reason: null, failure: null };
  }

  /** Ends the threads; calls that wait get `closed`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#threads[Symbol.asyncDispose]();
  }
}

/** What the thread said when it could not get ready. */
function causeOf(error: ThreadError): string {
  const { cause } = error;
  return cause instanceof Error ? cause.message : error.message;
}
