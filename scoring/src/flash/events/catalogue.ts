import type { EventMention } from "@tapewire/contract/feeds.ts";
import { eventKinds, kindByName } from "./table.ts";

/** A kind of event under its public name. */
export interface EventKindInfo {
  /** snake_case; never changes its meaning. */
  readonly name: string;
  readonly group: string;
  readonly label: string;
  readonly meaning: string;
}

/** Every kind of event that the engine finds, once. */
export const eventCatalogue: readonly EventKindInfo[] = eventKinds.map(({ name, group, label, meaning }) => ({
  name,
  group,
  label,
  meaning,
}));

/** @returns the direction over hours to days, -5..5, that a kind of event has for a part in it; 0: none is known */
export function shortDirectionOf(name: EventMention["name"], role: EventMention["role"]): number {
  const [short] = kindByName.get(name)?.directions.get(role) ?? [0];
  return short;
}
