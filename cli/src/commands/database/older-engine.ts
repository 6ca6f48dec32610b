import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { InstalledEngine } from "@tapewire/server/store/moving/upgrade.ts";
import { CliError } from "../../errors.ts";

const name = "@electric-sql/pglite";

/** Installs the newest PGlite of a series by npm into a temporary folder. @param series "0.4" */
export async function installEngine(series: string): Promise<InstalledEngine> {
  if (!/^\d+\.\d+$/.test(series))
    throw new CliError(`the file pglite-version of the data directory names no version of PGlite: ${series}`);
  const folder = mkdtempSync(join(tmpdir(), "tapewire-engine-"));
  const gone = () => rmSync(folder, { recursive: true, force: true });
  try {
    writeFileSync(join(folder, "package.json"), '{"private":true}');
    const quiet = ["--no-audit", "--no-fund", "--ignore-scripts", "--no-package-lock", "--loglevel=error"];
    const child = spawn("npm", ["install", "--prefix", folder, ...quiet, `${name}@~${series}.0`], {
      stdio: ["ignore", "ignore", "inherit"],
      cwd: folder,
    });
    const [code] = await Promise.race([once(child, "close"), once(child, "error").then(() => [1])]);
    if (code !== 0)
      throw new CliError(
        `PGlite ${series} could not be installed by npm, which needs its registry: try again with a network`,
      );
    const manifest = join(folder, "node_modules", name, "package.json");
    const about: unknown = JSON.parse(readFileSync(manifest, "utf8"));
    const version =
      typeof about === "object" && about !== null && "version" in about ? String(about.version) : series;
    const module = pathToFileURL(createRequire(join(folder, "package.json")).resolve(name));
    // The same file as a module of its own kind.
    const esm = module.href.replace(/\.cjs$/, ".js");
    return { module: esm, version, [Symbol.asyncDispose]: async () => gone() };
  } catch (error) {
    gone();
    throw error;
  }
}
