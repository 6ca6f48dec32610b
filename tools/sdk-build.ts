/**
 * `node tools/sdk-build.ts [FOLDER]`: writes the package `tapewire` as it is published, by default to sdk/dist: compiled,
 * because Node strips no types inside node_modules. `npm publish sdk/dist` publishes it.
 */
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";

const root = join(import.meta.dirname, "..");
const sdk = join(root, "sdk");
const manifest = z.looseObject({ exports: z.record(z.string(), z.string()), engines: z.unknown() });

/** @throws {Error} with the compiler's output when it does not compile */
export function buildSdk(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const tsc = join(root, "node_modules", ".bin", "tsc");
  const ran = spawnSync(tsc, ["-p", sdk, "--outDir", folder], { encoding: "utf8" });
  if (ran.status !== 0) throw new Error(`the SDK does not compile: ${ran.error ?? ran.stdout}`);
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(publishedManifest(), null, 2)}\n`);
  copyFileSync(join(sdk, "README.md"), join(folder, "README.md"));
  for (const name of ["LICENSE", "NOTICE"]) copyFileSync(join(root, name), join(folder, name));
}

/** The manifest of the workspace, whose exports are sources, with exports of what is compiled. */
function publishedManifest(): object {
  const { exports, ...rest } = manifest.parse(JSON.parse(readFileSync(join(sdk, "package.json"), "utf8")));
  const compiled = Object.entries(exports).map(([name, source]) => {
    const path = source.replace(/^\.\/src\/(.*)\.ts$/, "./$1");
    return [name, { types: `${path}.d.ts`, default: `${path}.js` }];
  });
  return {
    ...rest,
    exports: Object.fromEntries([...compiled, ["./package.json", "./package.json"]]),
    publishConfig: { access: "public", provenance: true },
  };
}

if (import.meta.main) buildSdk(resolve(process.argv[2] ?? join(sdk, "dist")));
