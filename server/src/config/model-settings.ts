import { z } from "zod";
import { int, optionalText, setting, text } from "./setting.ts";

/** Settings of the models: who scores the feed, and the operator's own, which the model pro asks. */
export const modelSettings = {
  feedModel: setting<"pro" | "flash">("TAPEWIRE_FEED_MODEL", z.enum(["pro", "flash"]), {
    default: "pro",
    doc: "Model that scores the items of the feed. pro: in a process with the role ingest or api, which then keeps about 130 MB more; an item on which pro does not answer in time keeps the score of flash. flash: flash alone.",
  }),
  feedWaitMs: int("TAPEWIRE_FEED_WAIT_MS", {
    default: 100,
    min: 10,
    max: 3_000,
    doc: "Longest wait of an item of the feed for the score of pro, in milliseconds, before it enters the feed with that of flash.",
  }),
  proModel: optionalText("TAPEWIRE_PRO_MODEL", {
    default: null,
    doc: "Folder of a text classifier of yours, in the ONNX format with its tokenizer, that gives the direction and conviction of the model pro (docs/own-model.md). Empty: pro takes them from its rules.",
  }),
  llmUrl: setting<string | null>("TAPEWIRE_LLM_URL", z.url({ protocol: /^https?$/ }), {
    default: null,
    doc: "Base address of a server with OpenAI's chat completions API, such as http://127.0.0.1:8000/v1. The model pro asks it. Empty: pro runs locally.",
  }),
  llmModel: text("TAPEWIRE_LLM_MODEL", {
    default: "default",
    doc: "Name of the language model on that server.",
  }),
  llmKey: optionalText("TAPEWIRE_LLM_KEY", {
    default: null,
    secret: true,
    doc: "API key for that server, when it needs one.",
  }),
  llmTokensPerDay: int("TAPEWIRE_LLM_TOKENS_PER_DAY", {
    default: 2_000_000,
    min: 0,
    max: 2_000_000_000,
    doc: "Most tokens per UTC day that a process uses on that server. When they are used up, pro runs locally.",
  }),
} as const;

/** What is wrong with the settings of the models, by variable. */
export function modelProblems({
  proModel,
  llmUrl,
}: {
  readonly proModel: string | null;
  readonly llmUrl: string | null;
}): string[] {
  return proModel === null || llmUrl === null
    ? []
    : ["TAPEWIRE_PRO_MODEL: cannot be set together with TAPEWIRE_LLM_URL, since pro asks one model"];
}
