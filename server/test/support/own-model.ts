import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A tiny classifier of invented weights; make.py there made it. */
export const tinyModel = new URL("../fixtures/own-model", import.meta.url).pathname;

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
