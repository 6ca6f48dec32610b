/** Imports go down the layers. */
import type { SourceFile } from "./source.ts";

/** Lowest first. A layer imports lower rows and itself, but no other layer of its row, so that these stay independent. */
const rows: readonly (readonly string[])[] = [
  ["contract", "sdk"],
  ["scoring", "mcp", "feed", "runtime", "config"],
  ["store"],
  ["bus"],
  ["itemlog", "account", "score"],
  ["ingest", "http", "stream", "webhooks"],
  ["app"],
  ["main", "health", "cli", "dashboard"],
];

const browser: readonly string[] = ["contract", "sdk", "dashboard"];

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
    if (browser.includes(layer) && specifier.startsWith("node:"))
      return [`${path}: ${layer} imports ${specifier}, but must run in a browser`];
    if (layer === "sdk" && target === null)
      return [`${path}: sdk imports ${specifier}, but has no dependencies`];
    return target !== null && /\.tsx?$/.test(target) ? (violation(path, layer, target) ?? []) : [];
  });
}

function violation(path: string, layer: string, target: string): string | null {
  const to = layerOf(target);
  if (to === null) return `${path}: imports ${target}, which is no product code`;
  // Scoring is published on its own, so it stays free of the rest even where the row below would allow it.
  // The dashboard talks to the service as any client does.
  const only: Readonly<Record<string, string>> = { scoring: "contract", dashboard: "sdk" };
  const allowed = to === layer || (layer in only ? to === only[layer] : rank(to) < rank(layer));
  return allowed ? null : `${path}: ${layer} must not import ${to} (${target})`;
}
