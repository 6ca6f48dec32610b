import { readText } from "../src/flash/cues/cues.ts";
import { type Row, readGroups } from "../src/flash/events/rows.ts";

/** Rows of the table, with their examples; of these groups alone. */
export const eventRows = (wanted: (group: string) => boolean): readonly Row[] =>
  readGroups()
    .filter(({ group }) => wanted(group))
    .flatMap(({ kind }) => kind);

const found = (text: string): readonly string[] => readText(text, "").events.map(({ kind }) => kind.name);

/** Examples in which a kind is not found, and near misses that it leads; a line each. */
export function exampleFaults(rows: readonly Row[]): readonly string[] {
  return rows.flatMap(({ name, examples, near_misses: nearMisses }) => [
    ...examples
      .filter((text) => !found(text).includes(name))
      .map((text) => `${name}: not found, but ${found(text).join(" ") || "nothing"}: ${text}`),
    ...nearMisses
      .filter((text) => found(text)[0] === name)
      .map((text) => `${name}: leads a near miss: ${text}`),
  ]);
}
