import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The version of this Tapewire. */
export const version = readVersion();

function readVersion(): string {
  const path = join(import.meta.dirname, "..", "..", "package.json");
  const manifest: unknown = JSON.parse(readFileSync(path, "utf8"));
  const known = typeof manifest === "object" && manifest !== null && "version" in manifest;
  return known ? String(manifest.version) : "0.0.0";
}
