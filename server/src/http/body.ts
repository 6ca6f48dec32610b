import { pushLimits } from "@tapewire/contract/admin.ts";
import { ApiError, fieldErrors } from "@tapewire/contract/errors.ts";
import type { Route } from "@tapewire/contract/routes.ts";

const jsonBodyBytes = 1024 * 1024;

/**
 * The parsed body of a request to a route that takes one. A route that also takes NDJSON gets the lines as they are:
 * each is an item of its own, good or bad.
 * @throws {ApiError} unsupported_media_type, body_too_large, invalid_body naming the fields
 */
export async function readJsonBody(request: Request, route: Route): Promise<unknown> {
  const type = mediaType(request);
  const accepted = route.bodyTypes ?? ["application/json"];
  if (!accepted.includes(type))
    throw new ApiError("unsupported_media_type", { detail: `Send one of ${accepted.join(", ")}` });
  const bulk = accepted.length > 1;
  const text = await readText(request, bulk ? pushLimits.bodyBytes : jsonBodyBytes);
  if (bulk) return type === "application/json" ? parseJson(text) : parseLines(text);
  const parsed = route.body?.safeParse(parseJson(text));
  if (parsed?.success === true) return parsed.data;
  throw new ApiError(
    "invalid_body",
    parsed === undefined ? {} : { fields: fieldErrors(parsed.error, "body") },
  );
}

/** A line of NDJSON that is no JSON; stands where its item would. */
export class BrokenLine {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

function mediaType(request: Request): string {
  return (request.headers.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

async function readText(request: Request, limitBytes: number): Promise<string> {
  const tooLarge = () => new ApiError("body_too_large", { detail: `At most ${limitBytes} bytes` });
  if (Number(request.headers.get("content-length") ?? 0) > limitBytes) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > limitBytes) throw tooLarge();
    chunks.push(chunk);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch (cause) {
    throw new ApiError("invalid_body", { detail: "The body is not UTF-8", cause });
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ApiError("invalid_body", { detail: `The body is not JSON: ${messageOf(cause)}`, cause });
  }
}

function parseLines(text: string): unknown[] {
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line): unknown => {
      try {
        return JSON.parse(line);
      } catch (error) {
        return new BrokenLine(`not JSON: ${messageOf(error)}`);
      }
    });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
