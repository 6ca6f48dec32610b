/** How much of the dashboard a browser loads, held to its budgets; for `npm run check`. */
import { spawnSync } from "node:child_process";
import { globSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";

/** Kilobytes after gzip (ADRs 0085, 0095, 0097 and 0111). */
const budgets = {
  /** Everything that the first row of the feed needs. */
  firstRow: 36,
  /** A late script: some screens, or what they share. */
  screen: 10,
  all: 81.5,
  styles: 7,
} as const;

const gzipped = (path: string) => statSync(`${path}.gz`).size / 1_000;

/** The scripts that the page names, and all that they import at once. */
function firstScripts(folder: string): readonly string[] {
  const page = readFileSync(join(folder, "index.html"), "utf8");
  const waiting = [...page.matchAll(/\.\/assets\/([\w.-]+\.js)/g)].map(([, name = ""]) => name);
  const found = new Set<string>();
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    const text = readFileSync(join(folder, "assets", name), "utf8");
    waiting.push(
      ...[...text.matchAll(/(?:from|import)\s*"\.\/([\w.-]+\.js)"/g)].map(([, inner = ""]) => inner),
    );
  }
  return [...found];
}

/** Every budget that is exceeded, in words; builds the dashboard first when it is not up to date. */
export function dashboardSizes(root: string, tell: (line: string) => void): string[] {
  const built = spawnSync(process.execPath, [join(root, "tools/build-dashboard.mjs"), "--strict"], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (built.status !== 0) return ["the dashboard could not be built"];
  const folder = join(root, "dashboard/dist");
  const scripts = globSync("assets/*.js", { cwd: folder });
  const first = firstScripts(folder);
  const later = scripts.filter((path) => !first.includes(basename(path)));
  const size = (paths: readonly string[]) =>
    paths.reduce((sum, path) => sum + gzipped(join(folder, path)), 0);
  const measured = [
    ["scripts up to the first row", size(first.map((name) => `assets/${name}`)), budgets.firstRow],
    ["the largest late script", Math.max(...later.map((path) => size([path]))), budgets.screen],
    ["all scripts", size(scripts), budgets.all],
    ["styles", size(globSync("assets/*.css", { cwd: folder })), budgets.styles],
  ] as const;
  for (const [name, kilobytes] of measured) tell(`  ${name}: ${kilobytes.toFixed(1)} KB`);
  return measured.flatMap(([name, kilobytes, most]) =>
    kilobytes <= most ? [] : [`dashboard: ${name} take ${kilobytes.toFixed(1)} KB; at most ${most}`],
  );
}
