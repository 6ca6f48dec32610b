import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Options } from "./options.ts";

/** An error that the user can correct; printed without a stack. */
export class CliError extends Error {
  override readonly name = "CliError";
  readonly exitCode: 1 | 2;
  constructor(message: string, exitCode: 1 | 2 = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

export function baseUrl({ url }: Options): string {
  const local = `http://127.0.0.1:${process.env.TAPEWIRE_PORT || 8080}`;
  const given = url ?? (process.env.TAPEWIRE_URL || local);
  if (!/^https?:$/.test(URL.parse(given)?.protocol ?? ""))
    throw new CliError(`'${given}' is not an http(s) address: check --url and TAPEWIRE_URL`, 2);
  return given.replace(/\/+$/, "");
}

export function adminToken(options: Options): string {
  return secret(options["admin-token"] ?? process.env.TAPEWIRE_ADMIN_TOKEN, "admin-token", "--admin-token");
}

export function apiKey(options: Options): string {
  return secret(options.key ?? process.env.TAPEWIRE_KEY, "first-key", "--key");
}

/** The given secret, or the one in the data directory of a service on this machine. */
function secret(given: string | undefined, file: string, option: string): string {
  if (given !== undefined && given !== "") return given;
  const path = join(process.env.TAPEWIRE_DATA_DIR ?? "data", file);
  if (existsSync(path)) return readFileSync(path, "utf8").trim();
  throw new CliError(
    `The file ${path} does not exist: pass ${option}, or set TAPEWIRE_DATA_DIR to the data directory of the service.`,
    2,
  );
}

interface CliRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly type?: string;
}

/** One call of the admin API. @throws {CliError} with the problem's detail, or when the service cannot be reached */
export function callAdmin(options: Options, request: CliRequest): Promise<unknown> {
  return call(options, adminToken(options), request);
}

/** One call with an API key. @throws {CliError} like callAdmin */
export function callKeyed(options: Options, request: CliRequest): Promise<unknown> {
  return call(options, apiKey(options), request);
}

async function call(options: Options, token: string, request: CliRequest): Promise<unknown> {
  const base = baseUrl(options);
  const headers = {
    authorization: `Bearer ${token}`,
    ...(request.body === undefined ? {} : { "content-type": request.type ?? "application/json" }),
  };
  let response: Response;
  try {
    response = await fetch(base + request.path, {
      method: request.method,
      headers,
      ...(request.body === undefined ? {} : { body: request.body }),
    });
  } catch (cause) {
    throw new CliError(`${base} does not answer. Is the service running? (${causeOf(cause)})`);
  }
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok) return answer;
  const detail = typeof answer === "object" && answer !== null && "detail" in answer ? answer.detail : "";
  throw new CliError(`HTTP ${response.status}: ${detail}`);
}

function causeOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof Error ? cause.message : String(cause);
}
