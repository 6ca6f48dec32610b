import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folder = join(import.meta.dirname, "..", "..", "..", "..", "shared", "data", "ingest");

/** Recorded feeds and filings are not part of the repository: tests that need them are skipped without. */
export const withRecorded = existsSync(join(folder, "manifest.jsonl"))
  ? {}
  : { skip: "the recorded feeds are not here (../shared/data/ingest)" };

export function recordedFile(name: string): Buffer {
  return readFileSync(join(folder, name));
}

export function recordedPath(name: string): string {
  return join(folder, name);
}

/** Lines of a JSONL file beside the recordings. */
export function recordedLines(name: string): unknown[] {
  return recordedFile(name)
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line): unknown => JSON.parse(line));
}
