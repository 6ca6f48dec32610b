import { parentPort } from "node:worker_threads";
import { Encoder } from "@tapewire/scoring/pro/encoder/encoder.ts";
import { pro } from "@tapewire/scoring/pro/pro.ts";
import type { Artifact, LinkedSymbol, Verdict } from "@tapewire/scoring/types.ts";
import { giveBackStartMemory } from "../runtime/node/start-memory.ts";

/** One artifact for a thread of ProPool. Symbols are linked already, so a thread needs no tables. */
export interface ProTask {
  readonly artifact: Artifact;
  readonly symbols: readonly LinkedSymbol[];
  readonly flashVerdict: Verdict | null;
}

const encoder = await Encoder.load();

// An artifact on which pro throws ends the thread, which is how the pool learns of it.
parentPort?.on("message", async ({ artifact, symbols, flashVerdict }: ProTask) =>
  parentPort?.postMessage(await pro(encoder, artifact, symbols, flashVerdict ?? undefined)),
);
// The files of the model and the runtime are copied into its own memory by now.
giveBackStartMemory();
parentPort?.postMessage("ready");
