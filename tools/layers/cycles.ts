import type { SourceFile } from "./source.ts";

/** Import cycles, type imports included, each reported once as the path back to its start. */
export function cycles(files: readonly SourceFile[]): string[] {
  const importsOf = new Map(
    files.map(({ path, imports }) => [path, imports.flatMap(({ target }) => target ?? [])]),
  );
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) found.push(`import cycle: ${[...trail.slice(start), path].join(" -> ")}`);
    if (start >= 0 || done.has(path)) return;
    for (const next of importsOf.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of importsOf.keys()) visit(path, []);
  return found;
}
