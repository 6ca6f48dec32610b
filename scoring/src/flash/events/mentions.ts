import { type EventMention, mostEvents } from "@tapewire/contract/feeds.ts";
import type { Artifact, LinkedSymbol, Verdict } from "../../types.ts";
import { publicName } from "./catalogue.ts";
import type { Events } from "./events.ts";

/** The events of a headline under their public names, each about the primary symbol. */
export function mentionsIn(
  { title }: Artifact,
  symbols: readonly LinkedSymbol[],
  events: Events,
): Pick<Verdict, "event" | "events"> {
  const mentions = events.flatMap(({ type, span }): EventMention[] => {
    if (span === null) return [];
    const evidence = { text: title.slice(span.start, span.end), ...span };
    return [{ name: publicName(type.name), role: "subject", symbol: symbols[0]?.symbol ?? null, evidence }];
  });
  return { event: mentions[0]?.name ?? null, events: mentions.slice(0, mostEvents) };
}
