import type { ReplayResult } from "tapewire";
import { asAdmin } from "../client.ts";
import type { Options } from "../options.ts";
import { instant } from "../times.ts";

const shownErrors = 20;

/** Reads stored responses of sources again, part by part, and shows the progress. Returns 1 when some could not be read. */
export async function replay(_: string[], options: Options): Promise<number> {
  const since = instant(options.since);
  const total = { answers: 0, items: 0, created: 0, revised: 0, unchanged: 0 };
  let failed = 0;
  for (let after: number | null = 0; after !== null; ) {
    const part = await replayPart(options, since, after);
    for (const name of ["answers", "items", "created", "revised", "unchanged"] as const)
      total[name] += part[name];
    for (const { source, url, detail } of part.errors) {
      failed += 1;
      if (failed <= shownErrors) console.error(`${source} ${url}: ${detail}`);
    }
    if (part.next !== null && process.stderr.isTTY)
      process.stderr.write(`\r${total.answers} responses read, ${part.remaining} left ...  `);
    after = part.next;
  }
  if (process.stderr.isTTY) process.stderr.write("\r");
  const done = options["dry-run"] === true ? "would be " : "";
  console.log(
    `${total.answers} responses, ${total.items} items: ${total.created} ${done}created, ${total.revised} ${done}revised, ${total.unchanged} unchanged` +
      (failed > 0 ? `; ${failed} responses could not be read` : ""),
  );
  return failed > 0 ? 1 : 0;
}

function replayPart(options: Options, since: string, after: number): Promise<ReplayResult> {
  const body = {
    since,
    after,
    dry_run: options["dry-run"] === true,
    ...(options.source === undefined ? {} : { source: options.source }),
  };
  return asAdmin(options).request("POST /admin/v1/replay", { body });
}
