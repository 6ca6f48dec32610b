import type { IncomingMessage } from "node:http";
import { pushLimits } from "@tapewire/contract/admin.ts";
import { strangerBodyBytes } from "@tapewire/contract/dashboard/people.ts";
import { ApiError, fieldErrors } from "@tapewire/contract/errors/errors.ts";
import type { Route } from "@tapewire/contract/routes/types.ts";
import type { Exchange } from "./types.ts";

const jsonBodyBytes = 1024 * 1024;

/** The client left in the middle of its request, so no response is sent. */
export class ClientGone extends Error {
  override readonly name = "ClientGone";
}

/**
 * The parsed body of a request. A route that also accepts NDJSON gets the lines unchecked, because each line is an item
 * that is accepted or rejected separately.
 * @throws {ApiError} unsupported_media_type, body_too_large, invalid_body naming the fields
 * @throws {ClientGone}
 */
export async function readJsonBody(exchange: Exchange, route: Route): Promise<unknown> {
  const accepted = route.bodyTypes ?? ["application/json"];
  const bulk = accepted.length > 1;
  const { text, type } = await readText(exchange, accepted, mostBytesOf(route, bulk));
  if (bulk) return type === "application/json" ? parseJson(text) : parseLines(text);
  return parseBody(route, text);
}

function mostBytesOf({ auth }: Route, bulk: boolean): number {
  if (auth === "none") return strangerBodyBytes;
  return bulk ? pushLimits.bodyBytes : jsonBodyBytes;
}

/**
 * The body of a request that no route of the contract describes, as it is.
 * @throws {ApiError} unsupported_media_type, body_too_large, invalid_body
 * @throws {ClientGone}
 */
export async function readJson(exchange: Exchange): Promise<unknown> {
  const { text } = await readText(exchange, ["application/json"], jsonBodyBytes);
  return parseJson(text);
}

/** @throws {ApiError} invalid_body naming the fields */
export function parseBody(route: Route, text: string): unknown {
  const parsed = route.body?.safeParse(parseJson(text));
  if (parsed?.success === true) return parsed.data;
  throw new ApiError(
    "invalid_body",
    parsed === undefined ? {} : { fields: fieldErrors(parsed.error, "body") },
  );
}

async function readText(exchange: Exchange, accepted: readonly string[], limitBytes: number) {
  const { headers } = exchange.request;
  const type = mediaType(headers["content-type"]);
  if (!hasBody(exchange.request) && type === "")
    throw new ApiError("invalid_body", { detail: "The body is missing" });
  if (!accepted.includes(type))
    throw new ApiError("unsupported_media_type", { detail: `Content-Type must be ${accepted.join(" or ")}` });
  if ((headers["content-encoding"] ?? "identity").toLowerCase() !== "identity")
    throw new ApiError("unsupported_media_type", { detail: "Send the body without Content-Encoding" });
  return { text: decodeUtf8(await readBytes(exchange, limitBytes)), type };
}

/**
 * The raw bytes of the body.
 * @throws {ApiError} body_too_large; the rest is then read and dropped, within the time limit of a request
 * @throws {ClientGone}
 */
export function readBytes({ request, invite }: Exchange, limitBytes: number): Promise<Buffer> {
  const tooLarge = () =>
    new ApiError("body_too_large", { detail: `The body may have at most ${limitBytes} bytes` });
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  if (Number(request.headers["content-length"] ?? 0) > limitBytes) {
    reject(tooLarge());
    return promise;
  }
  invite();
  let chunks: Buffer[] = [];
  let size = 0;
  request.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size <= limitBytes) chunks.push(chunk);
    else {
      chunks = [];
      reject(tooLarge());
    }
  });
  request.once("end", () => resolve(Buffer.concat(chunks)));
  request.once("close", () => reject(new ClientGone()));
  request.once("error", (cause) => reject(new ClientGone("", { cause })));
  return promise;
}

/** A line of NDJSON that is not JSON, in the place of its item. */
export class BrokenLine {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

function mediaType(header: string | undefined): string {
  return (header ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new ApiError("invalid_body", { detail: "The body is not UTF-8", cause });
  }
}

/** Far more than any valid body has. Tens of thousands of levels would overflow the stack of code that walks the value. */
const mostLevels = 100;

function parseJson(text: string): unknown {
  if (isDeeper(text, mostLevels))
    throw new ApiError("invalid_body", { detail: `The body is nested deeper than ${mostLevels} levels` });
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ApiError("invalid_body", { detail: `The body is not JSON: ${messageOf(cause)}`, cause });
  }
}

/** The result is meaningless for text that is not JSON; the parser refuses it later. */
function isDeeper(text: string, levels: number): boolean {
  let level = 0;
  let isString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (isString && character === "\\") at++;
    else if (character === '"') isString = !isString;
    else if (isString) continue;
    else if (character === "[" || character === "{") level += 1;
    else if (character === "]" || character === "}") level -= 1;
    if (level > levels) return true;
  }
  return false;
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
