/** Holds the shape of the project's imports: `npm run check` and server/test/layers.test.ts. One file a rule in layers/. */
import { cycles } from "./layers/cycles.ts";
import { directionViolations } from "./layers/directions.ts";
import { reservedViolations } from "./layers/reserved.ts";
import { roomViolations } from "./layers/rooms.ts";
import { readSources } from "./layers/source.ts";

/** Every breach below `root`, one line each, sorted by file, cycles last; empty when all is well. Type-only imports count like others. */
export function layerViolations(root: string): string[] {
  const files = readSources(root);
  const perFile = files.flatMap((file) => [
    ...directionViolations(file),
    ...reservedViolations(file),
    ...roomViolations(file),
  ]);
  return [...perFile, ...cycles(files)];
}
