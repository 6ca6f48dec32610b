/**
 * Holds a running service against the interface, from outside: see `usage` below. It makes accounts, keys, items and
 * webhooks of its own, all named `conformance-…`, and removes them again; withdrawn items stay in the feed, marked.
 * Exits 1 when something does not hold, 2 when it is called wrongly.
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

  --base-url     of the service, such as http://127.0.0.1:8080 (or TAPEWIRE_BASE_URL)
  --admin-token  of its admin API (or TAPEWIRE_ADMIN_TOKEN)
  --only         rules whose name matches this regular expression, such as 'GET /v1/feeds' or '429'
  --fuzz         send so many requests made from /openapi.json, instead of the rules
  --seed         of the fuzz; the same seed makes the same requests
  --fuzz-admin   admin calls that change things, too: never on a service that anybody uses
`;

class UsageError extends Error {
  override readonly name = "UsageError";
}

interface Arguments {
  readonly baseUrl: URL;
  readonly adminToken: string;
  readonly only: RegExp;
  /** null: the rules, no fuzz. */
  readonly fuzz: { readonly count: number; readonly seed: number; readonly admin: boolean } | null;
}

/** @throws UsageError telling what is missing or wrong */
function readArguments(given: readonly string[], env: NodeJS.ProcessEnv): Arguments {
  const { values } = parsed(given);
  const baseUrl = values["base-url"] ?? env.TAPEWIRE_BASE_URL ?? "";
  if (!URL.canParse(baseUrl) || !/^https?:/.test(baseUrl))
    throw new UsageError(
      baseUrl === "" ? "--base-url is missing" : `--base-url: '${baseUrl}' is no http(s) URL`,
    );
  const adminToken = values["admin-token"] ?? env.TAPEWIRE_ADMIN_TOKEN ?? "";
  if (adminToken === "") throw new UsageError("--admin-token is missing");
  const count = integer("--fuzz", values.fuzz);
  const seed = integer("--seed", values.seed) ?? Math.floor(Math.random() * 1e9);
  if (count === null && (values.seed !== undefined || values["fuzz-admin"]))
    throw new UsageError("--seed and --fuzz-admin go with --fuzz");
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
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`${name}: '${text}' is no number`);
  return Number(text);
}

function pattern(text: string): RegExp {
  try {
    return new RegExp(text);
  } catch (cause) {
    throw new UsageError(`--only: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** @returns whether nothing was found */
async function runFuzz(live: Live, options: NonNullable<Arguments["fuzz"]>): Promise<boolean> {
  say(`fuzz: ${options.count} requests to ${live.client.baseUrl}, --seed ${options.seed}`);
  const startMs = performance.now();
  const { failures, statuses } = await fuzz(live, options);
  for (const { index, fault, curl } of failures) say(`\n#${index}: ${fault}\n  ${curl}`);
  const told = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
  say(`\nanswers ${told.join(", ")} in ${Math.round(performance.now() - startMs)} ms`);
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
