/**
 * Tests a running service against the interface, from outside: see `usage` below. It creates accounts, keys, items and
 * webhooks, all named `conformance-…`, and removes them at the end; withdrawn items stay in the feed, marked `retracted`.
 * Exits with 1 when a rule fails, with 2 on wrong usage.
 */
import { test } from "node:test";
import { parseArgs } from "node:util";
import { fuzz } from "./fuzz.ts";
import { seedItems } from "./items.ts";
import { Live } from "./live.ts";
import { runSections } from "./section.ts";
import { sections } from "./sections.ts";

const usage = `usage: npm run conformance -- --base-url URL --admin-token TOKEN [--only PATTERN]
       npm run conformance -- --base-url URL --admin-token TOKEN --fuzz COUNT [--seed N] [--fuzz-admin]

  --base-url     address of the service, such as http://127.0.0.1:8080 (or TAPEWIRE_BASE_URL)
  --admin-token  token of its admin API (or TAPEWIRE_ADMIN_TOKEN)
  --only         test only rules whose name matches this regular expression, such as 'GET /v1/feeds' or '429'
  --fuzz         instead of testing rules, send this many requests generated from /openapi.json
  --seed         seed of the fuzz; the same seed generates the same requests
  --fuzz-admin   let the fuzz change things through the admin API: never use it on a service in use
`;

class UsageError extends Error {
  override readonly name = "UsageError";
}

interface Arguments {
  readonly baseUrl: URL;
  readonly adminToken: string;
  readonly only: RegExp;
  /** null: test the rules, do not fuzz. */
  readonly fuzz: { readonly count: number; readonly seed: number; readonly admin: boolean } | null;
}

/** @throws UsageError naming what is missing or wrong */
function readArguments(given: readonly string[], env: NodeJS.ProcessEnv): Arguments {
  const { values } = parsed(given);
  const baseUrl = values["base-url"] ?? env.TAPEWIRE_BASE_URL ?? "";
  if (!URL.canParse(baseUrl) || !/^https?:/.test(baseUrl))
    throw new UsageError(
      baseUrl === "" ? "--base-url is missing" : `--base-url: '${baseUrl}' is not an http(s) URL`,
    );
  const adminToken = values["admin-token"] ?? env.TAPEWIRE_ADMIN_TOKEN ?? "";
  if (adminToken === "") throw new UsageError("--admin-token is missing");
  const count = integer("--fuzz", values.fuzz);
  const seed = integer("--seed", values.seed) ?? Math.floor(Math.random() * 1e9);
  if (count === null && (values.seed !== undefined || values["fuzz-admin"]))
    throw new UsageError("--seed and --fuzz-admin need --fuzz");
  return {
    baseUrl: new URL(baseUrl),
    adminToken,
    only: pattern(values.only ?? ""),
    fuzz: count === null ? null : { count, seed, admin: values["fuzz-admin"] },
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        "base-url": { type: "string" },
        "admin-token": { type: "string" },
        only: { type: "string" },
        fuzz: { type: "string" },
        seed: { type: "string" },
        "fuzz-admin": { type: "boolean", default: false },
      },
    });
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

function integer(name: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`${name}: '${text}' is not a number`);
  return Number(text);
}

function pattern(text: string): RegExp {
  try {
    return new RegExp(text);
  } catch (cause) {
    throw new UsageError(`--only: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** @returns true when no request failed */
async function runFuzz(live: Live, options: NonNullable<Arguments["fuzz"]>): Promise<boolean> {
  say(`fuzz: ${options.count} requests to ${live.client.baseUrl}, --seed ${options.seed}`);
  const startMs = performance.now();
  const { failures, statuses } = await fuzz(live, options);
  for (const { index, fault, curl } of failures) say(`\n#${index}: ${fault}\n  ${curl}`);
  const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
  say(`\nresponses ${counts.join(", ")} in ${Math.round(performance.now() - startMs)} ms`);
  say(`${failures.length} failed (--seed ${options.seed})`);
  return failures.length === 0;
}

const say = (line: string) => process.stdout.write(`${line}\n`);

async function main(): Promise<void> {
  const { baseUrl, adminToken, only, fuzz: fuzzed } = readArguments(process.argv.slice(2), process.env);
  await using live = await Live.open({ baseUrl, adminToken });
  if (fuzzed !== null) {
    process.exitCode = (await runFuzz(live, fuzzed)) ? 0 : 1;
    return;
  }
  const items = await seedItems(live);
  const count = await runSections(sections, { register: test, only, live, items });
  if (count === 0) throw new UsageError(`--only: no rule matches ${only}`);
}

try {
  await main();
} catch (error) {
  process.exitCode = error instanceof UsageError ? 2 : 1;
  process.stderr.write(
    error instanceof UsageError
      ? `${error.message}\n\n${usage}`
      : `conformance: ${error instanceof Error ? error.message : String(error)}\n`,
  );
}
