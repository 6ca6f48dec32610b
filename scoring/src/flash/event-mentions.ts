import { type EventMention, mostEvents } from "@tapewire/contract/feeds.ts";
import type { Verdict } from "../types.ts";
import type { Company } from "./companies.ts";
import { type FoundEvent, leadingRole } from "./events/events.ts";

/** The events as the interface shows them: one entry for each linked company with a part in an event. */
export function mentionsIn(
  events: readonly FoundEvent[],
  companies: readonly Company[],
  text: string,
): Pick<Verdict, "event" | "events"> {
  const mentions = events.flatMap((event): EventMention[] => {
    const { start, end, kind } = event;
    const evidence = { text: text.slice(start, end), start, end };
    const named = companies.flatMap(({ symbol, parts }) =>
      parts.filter((part) => part.event === event).map(({ role }) => ({ role, symbol: symbol.symbol })),
    );
    const primary = companies[0]?.symbol.symbol ?? null;
    const parties = named.length > 0 ? named : [{ role: leadingRole(event), symbol: primary }];
    return parties.map(({ role, symbol }) => ({ name: kind.name, role, symbol, evidence }));
  });
  return { event: events[0]?.kind.name ?? null, events: mentions.slice(0, mostEvents) };
}
