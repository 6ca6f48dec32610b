import { eventGroups, eventKinds } from "./table.ts";

/** A kind of event under its public name. */
export interface EventKindInfo {
  /** snake_case; never changes its meaning. */
  readonly name: string;
  readonly group: string;
  readonly label: string;
  readonly meaning: string;
}

/** Of news that belongs to a group and is none of its kinds. No words prove it: a reading in context names it. */
export const otherKind = (group: string): string => `other_${group}`;

const otherKinds = [...eventGroups].map(
  ([group, label]): EventKindInfo => ({
    name: otherKind(group),
    group,
    label: `${label}, other news`,
    meaning:
      "News of this group by its wording, without words that prove a kind. Only pro names it. It has no direction of its own.",
  }),
);

const otherNames: ReadonlySet<string> = new Set(otherKinds.map(({ name }) => name));
export const isOtherKind = (name: string): boolean => otherNames.has(name);

/** Every kind of event that the engine finds, once. */
export const eventCatalogue: readonly EventKindInfo[] = [
  ...eventKinds.map(({ name, group, label, meaning }) => ({ name, group, label, meaning })),
  ...otherKinds,
];
