import { eventKinds } from "./table.ts";

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
