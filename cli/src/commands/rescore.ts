import type { RescoreResult } from "tapewire";
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
    const part: RescoreResult = await service.request("POST /admin/v1/rescore", { body });
    scored += part.scored;
    skipped += part.skipped;
    version = part.model_version;
    after = part.next;
    if (process.stderr.isTTY) process.stderr.write(`\r${scored} items scored ...`);
  }
  if (process.stderr.isTTY) process.stderr.write("\r");
  console.log(`${scored} items scored by ${model} ${version}; their earlier scores stay`);
  if (skipped > 0) console.log(`${skipped} items keep their score: the model could not judge their text`);
  return 0;
}
