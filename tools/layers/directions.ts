/** Imports go down the layers. */
import type { SourceFile } from "./source.ts";

/** Lowest first. A layer imports lower rows and itself, but no other layer of its row, so that these stay independent. */
const rows: readonly (readonly string[])[] = [
  ["contract"],
  ["scoring", "feed", "runtime", "config"],
  ["store", "bus"],
  ["itemlog", "account", "score"],
  ["ingest", "http", "stream", "webhooks"],
  ["app"],
  ["main", "cli"],
];

const rank = (layer: string) => rows.findIndex((row) => row.includes(layer));

/** The layer of a path; null outside the src folders and in a folder of server/src that no row names. */
export function layerOf(path: string): string | null {
  const [top, src, name] = path.split("/");
  if (top === undefined || src !== "src" || name === undefined) return null;
  const layer = top === "server" ? name.replace(/\.ts$/, "") : top;
  return rank(layer) < 0 ? null : layer;
}

export function directionViolations({ path, imports }: SourceFile): string[] {
  const layer = layerOf(path);
  if (layer === null) return [`${path}: is in no layer that tools/layers/directions.ts knows`];
  return imports.flatMap(({ specifier, target }) => {
    if (layer === "contract" && specifier.startsWith("node:"))
      return [`${path}: contract imports ${specifier}, but must run in a browser`];
    return target?.endsWith(".ts") === true ? (violation(path, layer, target) ?? []) : [];
  });
}

function violation(path: string, layer: string, target: string): string | null {
  const to = layerOf(target);
  if (to === null) return `${path}: imports ${target}, which is no product code`;
  // Scoring is published on its own, so it stays free of the rest even where the row below would allow it.
  const allowed = to === layer || (layer === "scoring" ? to === "contract" : rank(to) < rank(layer));
  return allowed ? null : `${path}: ${layer} must not import ${to} (${target})`;
}
