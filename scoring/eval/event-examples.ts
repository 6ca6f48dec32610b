import { readText } from "../src/flash/cues/cues.ts";
import type { EventKind } from "../src/flash/events/events.ts";

const found = (text: string): readonly string[] => readText(text, "").events.map(({ kind }) => kind.name);

/** Examples in which a kind is not found, and near misses that it leads; a line each. */
export function exampleFaults(kinds: readonly EventKind[]): readonly string[] {
  return kinds.flatMap(({ name, examples, nearMisses }) => [
    ...examples
      .filter((text) => !found(text).includes(name))
      .map((text) => `${name}: not found, but ${found(text).join(" ") || "nothing"}: ${text}`),
    ...nearMisses
      .filter((text) => found(text)[0] === name)
      .map((text) => `${name}: leads a near miss: ${text}`),
  ]);
}
