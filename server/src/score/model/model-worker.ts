import { parentPort, workerData } from "node:worker_threads";
import { loadModel, ordered } from "./runtime.ts";
import { loadEncode } from "./tokens.ts";
import type { ModelFiles, ModelTask } from "./types.ts";

// From own-model.ts, which makes it of checked files.
const files: ModelFiles = workerData;
const encode = await loadEncode(files);
const run = await loadModel(files.modelFile);

// A text on which the model fails ends the thread, which is how the pool learns of it.
parentPort?.on("message", async (task: ModelTask) =>
  parentPort?.postMessage(ordered(await run(encode(task)), files.positions)),
);
parentPort?.postMessage("ready");
