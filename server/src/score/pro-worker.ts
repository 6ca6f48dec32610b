import { parentPort } from "node:worker_threads";
import { pro } from "@tapewire/scoring/pro/pro.ts";
import type { ProVerdict } from "@tapewire/scoring/pro/types.ts";
import type { Artifact, LinkedSymbol, Verdict } from "@tapewire/scoring/types.ts";

/** One artifact for a thread of ProPool. Symbols are linked already, so a thread needs no tables. */
export interface ProTask {
  readonly artifact: Artifact;
  readonly symbols: readonly LinkedSymbol[];
  readonly flashVerdict: Verdict | null;
}

export interface ProAnswer {
  readonly verdict: ProVerdict | null;
  /** Why there is no verdict. */
  readonly error: string | null;
}

function answer({ artifact, symbols, flashVerdict }: ProTask): ProAnswer {
  try {
    return { verdict: pro(artifact, symbols, flashVerdict ?? undefined), error: null };
  } catch (error) {
    return { verdict: null, error: error instanceof Error ? error.message : String(error) };
  }
}

parentPort?.on("message", (task: ProTask) => parentPort?.postMessage(answer(task)));
parentPort?.postMessage("ready");
