/**
 * Holds the import directions of the project: `npm run check` and server/test/layers.test.ts.
 * Source files are read as text; product code has no generated or computed imports that this would miss.
 */
import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

/** Lowest first. A layer imports lower rows and itself, never a neighbour in its row: the edges stay independent. */
const rows: readonly (readonly string[])[] = [
  ["contract"],
  ["scoring", "feed", "runtime", "config"],
  ["store", "bus"],
  ["itemlog", "account", "score"],
  ["ingest", "http", "stream", "webhooks"],
  ["app"],
  ["main", "cli"],
];

const edges = ["ingest", "http", "stream", "webhooks"];
const sockets = /^(node:)?(https?|http2|net|tls|dgram)$|^(undici|ws)(\/|$)/;

/** Packages that only some layers may import; the client in cli/ is free to open sockets. */
const packageDoors: readonly Door[] = [
  { pattern: /^(pg|kysely|@electric-sql\/pglite)(\/|$)/, allowed: ["store"], what: "SQL" },
  { pattern: /^@nats-io\//, allowed: ["bus"], what: "NATS" },
  { pattern: /^prom-client$/, allowed: ["server/src/runtime/metrics.ts"], what: "prom-client" },
  {
    pattern: sockets,
    // PostgreSQL's, which are watched there.
    allowed: [...edges, "cli", "server/src/store/connections.ts"],
    what: "sockets",
    typesAreFree: true,
  },
];

/** Text that only some layers, or one file, may contain. Tests, tools, benches and cli/ are free. */
const textDoors: readonly Door[] = [
  { pattern: /\bprocess\.env\b/, allowed: ["config", "cli"], what: "process.env" },
  {
    pattern: /\bDate\.now\b|\bnew Date\(\s*\)/,
    allowed: ["server/src/runtime/clock.ts", "cli"],
    what: "the wall clock",
  },
];

interface Door {
  readonly pattern: RegExp;
  /** Layers, or paths of single files. */
  readonly allowed: readonly string[];
  readonly what: string;
  /** `import type` passes: to hold a server that an edge has opened is not to open one. */
  readonly typesAreFree?: boolean;
}

interface SourceFile {
  /** From the root, with slashes. */
  readonly path: string;
  readonly layer: string | null;
  /** Without comments. */
  readonly text: string;
  readonly imports: readonly Import[];
}

interface Import {
  readonly specifier: string;
  readonly typeOnly: boolean;
}

/**
 * Every breach of the layering below `root`, one line each, sorted by file; empty when all is well.
 * Checks contract/src, scoring/src, server/src and cli/src; type-only imports count like others.
 */
export function layerViolations(root: string): string[] {
  const files = globSync("{contract,scoring,server,cli}/src/**/*.ts", { cwd: root })
    .map((path) => path.replaceAll("\\", "/"))
    .sort()
    .map((path) => readSource(root, path));
  return [...files.flatMap(fileViolations), ...cycles(files)];
}

function fileViolations(file: SourceFile): string[] {
  const { path, layer } = file;
  if (layer === null) return [`${path}: is in no layer that tools/layers.ts knows`];
  const closed = ({ allowed }: Door) => !allowed.includes(layer) && !allowed.includes(path);
  return [
    ...file.imports.flatMap(({ specifier }) => importViolation(path, layer, specifier) ?? []),
    ...packageDoors
      .filter(closed)
      .flatMap((door) =>
        file.imports
          .filter(
            ({ specifier, typeOnly }) => door.pattern.test(specifier) && !(typeOnly && door.typesAreFree),
          )
          .map(
            ({ specifier }) =>
              `${path}: imports ${specifier}; ${door.what} only in ${door.allowed.join(", ")}`,
          ),
      ),
    ...textDoors
      .filter((door) => closed(door) && door.pattern.test(file.text))
      .map(({ what, allowed }) => `${path}: uses ${what}; only in ${allowed.join(", ")}`),
  ];
}

function importViolation(path: string, layer: string, specifier: string): string | null {
  if (layer === "contract" && specifier.startsWith("node:"))
    return `${path}: contract imports ${specifier}, but must run in a browser`;
  const target = targetOf(path, specifier);
  if (target === null || !target.endsWith(".ts")) return null;
  const to = layerOf(target);
  if (to === null) return `${path}: imports ${target}, which is no product code`;
  // Scoring is published on its own, so it stays free of the rest even where the row below would allow it.
  const allowed = to === layer || (layer === "scoring" ? to === "contract" : rank(to) < rank(layer));
  return allowed ? null : `${path}: ${layer} must not import ${to} (${target})`;
}

const rank = (layer: string) => rows.findIndex((row) => row.includes(layer));

/** The layer of a path; null outside the src folders and in a folder of server/src that no row names. */
function layerOf(path: string): string | null {
  const [top, src, name] = path.split("/");
  if (top === undefined || src !== "src" || name === undefined) return null;
  const layer = top === "server" ? name.replace(/\.ts$/, "") : top;
  return rank(layer) < 0 ? null : layer;
}

/** Path of an imported file of ours from the root; null for packages and Node's own modules. */
function targetOf(path: string, specifier: string): string | null {
  if (specifier.startsWith(".")) return normalize(join(dirname(path), specifier)).replaceAll("\\", "/");
  const [, workspace, rest] = /^@tapewire\/([^/]+)\/(.+)$/.exec(specifier) ?? [];
  return workspace === undefined || rest === undefined ? null : `${workspace}/src/${rest}`;
}

function readSource(root: string, path: string): SourceFile {
  const source = readFileSync(join(root, path), "utf8");
  const text = source.replace(commentOrString, (_, literal: string | undefined) => literal ?? " ");
  const imports = [...text.matchAll(importPattern)].map(([statement, fixed, dynamic]) => ({
    specifier: fixed ?? dynamic ?? "",
    typeOnly: /^(import|export)\s+type\b/.test(statement),
  }));
  return { path, layer: layerOf(path), text, imports };
}

/** Strings are matched as well, and kept, so that the slashes of a URL do not start a comment. */
const commentOrString =
  /("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;
const importPattern =
  /\b(?:import|export)\s*(?:[\w$*{},\s]+\bfrom\s*)?["']([^"'\n]+)["']|\bimport\(\s*["'`]([^"'`\n]+)["'`]/g;

/** Import cycles inside server/src, each told once as the path that leads back to its start. */
function cycles(files: readonly SourceFile[]): string[] {
  const imports = new Map(
    files
      .filter(({ path }) => path.startsWith("server/"))
      .map((file) => [
        file.path,
        file.imports.flatMap(({ specifier }) => targetOf(file.path, specifier) ?? []),
      ]),
  );
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) found.push(`import cycle: ${[...trail.slice(start), path].join(" -> ")}`);
    if (start >= 0 || done.has(path)) return;
    for (const next of imports.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of imports.keys()) visit(path, []);
  return found;
}
