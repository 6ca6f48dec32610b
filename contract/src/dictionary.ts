import type { TagDictionary } from "./tags.ts";

/** A kind of event, as the scoring engine knows it. */
export interface EventKind {
  readonly name: string;
  readonly group: string;
  readonly label: string;
  readonly meaning: string;
}

/** The values that filters may name. */
export interface Dictionary {
  readonly tags: TagDictionary;
  readonly events: readonly EventKind[];
}
