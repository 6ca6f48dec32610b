import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installCommand, isRuntimeInstalled } from "../../src/score/model/runtime.ts";

/** A tiny classifier of invented weights; make.py there made it. */
export const tinyModel = new URL("../fixtures/own-model", import.meta.url).pathname;

/** The runtime is an optional package: its tests are skipped without, and say so; with CI=true that is an error. */
export const withRuntime =
  isRuntimeInstalled() || process.env.CI === "true"
    ? {}
    : { skip: `no runtime of models, which is an optional package: ${installCommand}` };

/** A copy of the tiny model with other files; null removes one. */
export function tinyCopy(
  files: Readonly<Record<string, string | object | null>>,
): Disposable & { path: string } {
  const path = mkdtempSync(join(tmpdir(), "tapewire-model-"));
  cpSync(tinyModel, path, { recursive: true });
  for (const [name, content] of Object.entries(files))
    if (content === null) rmSync(join(path, name));
    else writeFileSync(join(path, name), typeof content === "string" ? content : JSON.stringify(content));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** Settings of a process that does not find the runtime, whether it is installed or not. */
export const withoutRuntime = {
  NODE_OPTIONS: `--import=${new URL("without-runtime.ts", import.meta.url).href}`,
} as const;
