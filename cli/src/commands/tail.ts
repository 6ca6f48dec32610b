import { feedItem } from "@tapewire/contract/feeds.ts";
import { printable } from "@tapewire/server/runtime/log-line.ts";
import { z } from "zod";
import { CliError } from "../client.ts";
import type { Options } from "../options.ts";
import { followStream } from "../stream.ts";

const feedFrame = z.looseObject({
  data: z.looseObject({
    ...feedItem.pick({ title: true, published_at: true, source: true, symbols: true }).shape,
    scoring: z.looseObject({
      locked: z.boolean(),
      actionability: z.boolean().nullable(),
      actionability_score: z.number().nullable(),
      sentiment_short: z.number().nullable(),
      sentiment_conviction: z.number().nullable(),
    }),
  }),
});
type Item = z.infer<typeof feedFrame>["data"];

/** Prints items as they are scored. Reconnects and resumes where it stopped. Ends on Ctrl-C. */
export async function tail(_: string[], options: Options): Promise<number> {
  const snapshot = Number(options.snapshot ?? 10);
  if (!Number.isInteger(snapshot) || snapshot < 0)
    throw new CliError("--snapshot must be a whole number, 0 or more", 2);
  const print = (text: string) =>
    console.log(options.json === true ? text : line(feedFrame.parse(JSON.parse(text)).data));
  return followStream(options, { begin: { snapshot }, onFeed: print });
}

function line({ published_at, source, symbols, title, scoring }: Item): string {
  const names = symbols
    .map(({ symbol }) => symbol)
    .slice(0, 3)
    .join(",");
  const { locked, actionability, actionability_score, sentiment_short, sentiment_conviction } = scoring;
  const direction = `${(sentiment_short ?? 0) > 0 ? "+" : ""}${sentiment_short}`;
  const scores = locked
    ? "locked"
    : `${actionability === true ? "!" : " "}${String(actionability_score ?? "-").padStart(3)} ${direction.padStart(2)}/${sentiment_conviction}%`;
  return `${published_at.slice(11, 19)}  ${scores.padEnd(12)}  ${(names || "-").padEnd(14)}  ${printable(title ?? "")}  [${source}]`;
}
