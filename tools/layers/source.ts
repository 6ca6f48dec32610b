/** Source files as the checks see them: text without comments, and imports. */
import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

export interface SourceFile {
  /** From the root, with slashes. */
  readonly path: string;
  /** Without comments. */
  readonly text: string;
  readonly imports: readonly Import[];
}

export interface Import {
  readonly specifier: string;
  /** Path from the root of one of our files; null for packages and Node's own modules. */
  readonly target: string | null;
  readonly typeOnly: boolean;
}

/** Product code below `root`, sorted by path. Read as text, since it has no generated or computed imports. */
export const readSources = (root: string): readonly SourceFile[] =>
  globSync("{contract,scoring,server,sdk,mcp,cli,dashboard}/src/**/*.{ts,tsx}", { cwd: root })
    .map((path) => path.replaceAll("\\", "/"))
    .sort()
    .map((path) => readSource(root, path));

/** Strings match as well, and are kept, so that the slashes of a URL do not start a comment. */
const commentOrString =
  /("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;
const importPattern =
  /\b(?:import|export)\s*(?:[\w$*{},\s]+\bfrom\s*)?["']([^"'\n]+)["']|\bimport\(\s*["'`]([^"'`\n]+)["'`]/g;

function readSource(root: string, path: string): SourceFile {
  const source = readFileSync(join(root, path), "utf8");
  const text = source.replace(commentOrString, (_, literal: string | undefined) => literal ?? " ");
  const imports = [...text.matchAll(importPattern)].map(([statement, fixed, dynamic]) => {
    const specifier = fixed ?? dynamic ?? "";
    const typeOnly = /^(import|export)\s+type\b/.test(statement);
    return { specifier, target: targetOf(path, specifier), typeOnly };
  });
  return { path, text, imports };
}

/** The exports of sdk/package.json. */
const sdkEntries: Readonly<Record<string, string>> = {
  tapewire: "sdk/src/index.ts",
  "tapewire/stream": "sdk/src/stream.ts",
  "tapewire/webhook": "sdk/src/webhook.ts",
};

function targetOf(path: string, specifier: string): string | null {
  if (specifier.startsWith(".")) return normalize(join(dirname(path), specifier)).replaceAll("\\", "/");
  const entry = sdkEntries[specifier];
  if (entry !== undefined) return entry;
  const [, workspace, rest] = /^@tapewire\/([^/]+)\/(.+)$/.exec(specifier) ?? [];
  return workspace === undefined || rest === undefined ? null : `${workspace}/src/${rest}`;
}
