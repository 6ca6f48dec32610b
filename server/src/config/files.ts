import { readFileSync } from "node:fs";
import { z } from "zod";
import { ConfigError } from "./config.ts";

/**
 * A JSON file that an operator edits, parsed by its schema.
 * @throws {ConfigError} naming the file and every member that is wrong
 */
export function readConfigFile<T extends z.ZodType>(path: string | URL, schema: T): z.infer<T> {
  const parsed = schema.safeParse(readJson(path));
  if (parsed.success) return parsed.data;
  throw new ConfigError(`${path}:\n${z.prettifyError(parsed.error)}`);
}

function readJson(path: string | URL): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (cause) {
    throw new ConfigError(`${path}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
