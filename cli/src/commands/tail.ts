import { printable } from "@tapewire/server/runtime/log-line.ts";
import type { ItemEvent, ReplayedItem, StreamItem } from "tapewire";
import { asKey } from "../client.ts";
import { CliError } from "../errors.ts";
import { filtersOf } from "../filters.ts";
import { itemsOf } from "../follow.ts";
import type { Options } from "../options.ts";
import { timeOf } from "../times.ts";

/** Prints items as they are scored, or stored items as they were. Ends on Ctrl-C, and at the end of a replay. */
export async function tail(_: string[], options: Options): Promise<number> {
  const events = options.replay === undefined ? live(options) : replayed(options, options.replay);
  for await (const event of events)
    console.log(options.json === true ? JSON.stringify(frameOf(event)) : line(event.item));
  return 0;
}

function live(options: Options): AsyncIterable<ItemEvent> {
  if (options.speed !== undefined || options.until !== undefined)
    throw new CliError("--speed and --until are for --replay", 2);
  const snapshot = Number(options.snapshot ?? 10);
  if (!Number.isInteger(snapshot) || snapshot < 0)
    throw new CliError("--snapshot must be a whole number, 0 or more", 2);
  return itemsOf(asKey(options).stream({ filters: filtersOf(options), snapshot, states: true }), snapshot);
}

function replayed(options: Options, from: string): AsyncIterable<ReplayedItem> {
  if (options.snapshot !== undefined) throw new CliError("--snapshot is not for --replay", 2);
  const { speed: text = "1", until } = options;
  const speed = text === "max" ? text : Number(text);
  if (speed !== "max" && !(speed >= 1 && speed <= 1_000))
    throw new CliError("--speed must be 1 to 1000, or max", 2);
  const to = until === undefined ? undefined : timeOf("until", until);
  return asKey(options).replay({ filters: filtersOf(options), from: timeOf("replay", from), to, speed });
}

/** The members of a frame of the stream, or of an entry of a replay. */
function frameOf(event: ItemEvent | ReplayedItem): object {
  const { cursor, seq, latency, item: data } = event;
  if ("loggedAt" in event) return { cursor, seq, logged_at: event.loggedAt, latency, data };
  return { type: "feed", snapshot: event.snapshot, count: event.count, cursor, seq, latency, data };
}

function line({ published_at, source, symbols, title, scoring }: StreamItem): string {
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
