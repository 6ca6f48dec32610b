import { open } from "node:fs/promises";
import { pushLimits } from "@tapewire/contract/admin.ts";
import type { PushResult } from "tapewire";
import { asAdmin } from "../client.ts";
import { CliError } from "../errors.ts";
import type { Options } from "../options.ts";

const itemsPerRequest = 500;
const bytesPerRequest = pushLimits.bodyBytes / 2;

/** Pushes a file of items. Reports rejected items and ignored tags by position; returns 1 when an item was rejected. */
export async function ingest([, file]: string[], options: Options): Promise<number> {
  if (file === undefined) throw new CliError("ingest needs a file, or - for standard input", 2);
  const service = asAdmin(options);
  const tally = { created: 0, revised: 0, duplicate: 0, rejected: 0 };
  let position = 0;
  for await (const lines of batches(file)) {
    const body = lines.join("\n");
    const contentType = "application/x-ndjson";
    const { data } = await service.request("POST /admin/v1/items", { body, contentType });
    for (const result of data) {
      position += 1;
      tally[result.status] += 1;
      if (result.status === "rejected") console.error(`item ${position}: ${reason(result)}`);
      const { ignored_tags: ignored = [] } = result;
      if (ignored.length > 0) console.error(`item ${position}: ignored tags ${JSON.stringify(ignored)}`);
    }
    if (process.stderr.isTTY) process.stderr.write(`\r${position} items ...`);
  }
  if (process.stderr.isTTY) process.stderr.write("\r");
  console.log(
    `${tally.created} created, ${tally.revised} revised, ${tally.duplicate} duplicate, ${tally.rejected} rejected`,
  );
  return tally.rejected > 0 ? 1 : 0;
}

function reason({ error = "rejected", errors = [] }: PushResult): string {
  return [error, ...errors.map(({ name, detail }) => `${name}: ${detail}`)].join("; ");
}

/** Items as lines of JSON, a few hundred at a time. NDJSON is read as a stream, so it may be of any length. */
async function* batches(file: string): AsyncGenerator<string[]> {
  let batch: string[] = [];
  let size = 0;
  for await (const line of itemLines(file)) {
    const bytes = Buffer.byteLength(line) + 1;
    if (batch.length > 0 && (batch.length >= itemsPerRequest || size + bytes > bytesPerRequest)) {
      yield batch;
      batch = [];
      size = 0;
    }
    batch.push(line);
    size += bytes;
  }
  if (batch.length > 0) yield batch;
}

async function* itemLines(file: string): AsyncGenerator<string> {
  // The first line tells: a JSON object is NDJSON, and anything else the beginning of one JSON document.
  let isNdjson = false;
  const whole: string[] = [];
  for await (const line of linesOf(file)) {
    if (whole.length === 0 && line.trim() === "") continue;
    isNdjson ||= whole.length === 0 && isObject(line);
    if (isNdjson) yield line;
    else whole.push(line);
  }
  if (whole.length > 0) for (const item of documentItems(whole.join("\n"))) yield item;
}

async function* linesOf(file: string): AsyncGenerator<string> {
  if (file === "-") {
    const { createInterface } = await import("node:readline");
    yield* createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY });
    return;
  }
  const handle = await open(file).catch((cause: unknown) => {
    throw new CliError(`${file}: ${cause instanceof Error ? cause.message : cause}`);
  });
  yield* handle.readLines();
}

function isObject(line: string): boolean {
  if (!line.trimStart().startsWith("{")) return false;
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

function documentItems(text: string): string[] {
  try {
    const value: unknown = JSON.parse(text);
    return (Array.isArray(value) ? value : [value]).map((item) => JSON.stringify(item));
  } catch {
    // Not one document, so lines, some of them broken. The service reports which.
    return text.split("\n").filter((line) => line.trim() !== "");
  }
}
