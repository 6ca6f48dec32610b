import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Tapewire } from "tapewire";
import { dataDir } from "./data-dir.ts";
import { CliError } from "./errors.ts";
import type { Options } from "./options.ts";

function baseUrl({ url }: Options): string {
  const local = `http://127.0.0.1:${process.env.TAPEWIRE_PORT || 8080}`;
  const given = url ?? (process.env.TAPEWIRE_URL || local);
  if (!/^https?:$/.test(URL.parse(given)?.protocol ?? ""))
    throw new CliError(`'${given}' is not an http(s) address: check --url and TAPEWIRE_URL`, 2);
  return given.replace(/\/+$/, "");
}

function adminToken(options: Options): string {
  return secret(options["admin-token"] ?? process.env.TAPEWIRE_ADMIN_TOKEN, "admin-token", "--admin-token");
}

function apiKey(options: Options): string {
  return secret(options.key ?? process.env.TAPEWIRE_KEY, "first-key", "--key");
}

/** The given secret, or the one in the data directory of a service on this machine. */
function secret(given: string | undefined, file: string, option: string): string {
  if (given !== undefined && given !== "") return given;
  const path = join(dataDir(), file);
  if (existsSync(path)) return readFileSync(path, "utf8").trim();
  throw new CliError(
    `The file ${path} does not exist: pass ${option}, or set TAPEWIRE_DATA_DIR to the data directory of the service.`,
    2,
  );
}

/** A part of a replay or rescore, or a probe, may take minutes. */
const adminTimeoutMs = 600_000;

const patient: typeof fetch = async (...args) => {
  // Loaded when it is needed: a command line is started often.
  const { patientFetch } = await import("@tapewire/server/http/patient-fetch.ts");
  return patientFetch(...args);
};

/** The service with the operator's token. */
export const asAdmin = (options: Options) =>
  new Tapewire({
    baseUrl: baseUrl(options),
    key: adminToken(options),
    timeoutMs: adminTimeoutMs,
    fetch: patient,
  });

/** The service with an API key. */
export const asKey = (options: Options) => new Tapewire({ baseUrl: baseUrl(options), key: apiKey(options) });
