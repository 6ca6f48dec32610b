/** Checks the project's imports: for `npm run check` and server/test/layers.test.ts. Each file in layers/ is one rule. */
import { cycles } from "./layers/cycles.ts";
import { directionViolations } from "./layers/directions.ts";
import { reservedViolations } from "./layers/reserved.ts";
import { roomViolations } from "./layers/rooms.ts";
import { readSources } from "./layers/source.ts";

/** Every violation below `root`, one line each, sorted by file, cycles last. Type-only imports count like others. */
export function layerViolations(root: string): string[] {
  const files = readSources(root);
  const perFile = files.flatMap((file) => [
    ...directionViolations(file),
    ...reservedViolations(file),
    ...roomViolations(file),
  ]);
  return [...perFile, ...cycles(files)];
}
