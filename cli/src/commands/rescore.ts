import { setTimeout as sleep } from "node:timers/promises";
import { type RescoreResult, type Tapewire, TapewireError } from "tapewire";
import { asAdmin } from "../client.ts";
import { CliError } from "../errors.ts";
import type { Options } from "../options.ts";
import { instant } from "../times.ts";

/** Scores stored items again, part by part, and shows the progress. */
export async function rescore(_: string[], options: Options): Promise<number> {
  const since = instant(options.since);
  const model = options.model ?? "pro";
  if (model !== "flash" && model !== "pro") throw new CliError("--model must be flash or pro", 2);
  const service = asAdmin(options);
  let scored = 0;
  let skipped = 0;
  let version = "";
  for (let after: number | null = 0; after !== null; ) {
    const body = { since, model, after } as const;
    const part = await rescored(service, body);
    scored += part.scored;
    // An older service does not say it.
    skipped += part.skipped ?? 0;
    version = part.model_version;
    after = part.next;
    if (process.stderr.isTTY) process.stderr.write(`\r${scored} items scored ...`);
  }
  if (process.stderr.isTTY) process.stderr.write("\r");
  console.log(`${scored} items scored by ${model} ${version}; their earlier scores stay`);
  if (skipped > 0) console.log(`${skipped} items keep their score: the model could not judge their text`);
  return 0;
}

/** How often in a row a part is asked for that the service is too busy for: some minutes. */
const mostTries = 30;
const usualWaitMs = 5_000;

/** A part, once the service has time for it. */
async function rescored(
  service: Tapewire,
  body: { readonly since: string; readonly model: "flash" | "pro"; readonly after: number },
): Promise<RescoreResult> {
  for (let tries = 1; ; tries += 1)
    try {
      return await service.request("POST /admin/v1/rescore", { body });
    } catch (error) {
      if (!(error instanceof TapewireError) || error.code !== "overloaded" || tries >= mostTries) throw error;
      await sleep(error.retryAfterMs ?? usualWaitMs);
    }
}
