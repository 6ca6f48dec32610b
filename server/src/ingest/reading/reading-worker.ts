import { parentPort } from "node:worker_threads";
import { ParseError } from "../adapter.ts";
import { adapters } from "../sources/adapters.ts";
import type { Reading, ReadingAnswer } from "./reading.ts";
import { read } from "./reading.ts";

/** The thread of PageReader: takes an answer of a source, returns its content. It opens no file and no connection. */
function answer(reading: Reading): ReadingAnswer {
  const startedMs = performance.now();
  const tookMs = () => performance.now() - startedMs;
  try {
    return { result: read(adapters, reading), refusal: null, tookMs: tookMs() };
  } catch (error) {
    if (error instanceof ParseError) return { result: null, refusal: error.message, tookMs: tookMs() };
    throw error;
  }
}

parentPort?.on("message", (reading: Reading) => parentPort?.postMessage(answer(reading)));
parentPort?.postMessage("ready");
