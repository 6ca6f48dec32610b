import { inspect } from "node:util";
import { SecretError } from "./account/sealed-secrets.ts";
import { type App, startApp } from "./app.ts";
import {
  type Config,
  ConfigError,
  isRunByNpm,
  loadEnvFile,
  readConfig,
  webhookRanges,
} from "./config/config.ts";
import { withoutSecrets } from "./runtime/log.ts";
import { StartError } from "./runtime/start-error.ts";
import { version } from "./runtime/version.ts";
import { DataDirError } from "./store/engine/data-dir.ts";
import { isUnavailable } from "./store/engine/errors.ts";

const drainMs = 10_000;
/** A signal to the whole process group comes twice, from npm once more. A second one later means now. */
const sameSignalMs = 1_000;

/**
 * Runs the service until SIGTERM or SIGINT, then drains it. Exit codes: 0 drained; 1 failed; 2 wrong settings, or a
 * database of another version: to be started again it wants a change first.
 */
async function main(): Promise<void> {
  loadEnvFile();
  const config = readConfig();
  const app = await startApp(config);
  process.stdout.write(banner(app, config));
  app.failed.then(fail, fail);
  let stoppedAtMs: number | null = null;
  const stop = (signal: string) => {
    const nowMs = performance.now();
    if (stoppedAtMs !== null) {
      if (nowMs - stoppedAtMs > sameSignalMs) process.exit(1);
      return;
    }
    stoppedAtMs = nowMs;
    process.stdout.write(`\n${signal}: finishing what was begun ...\n`);
    setTimeout(() => process.exit(1), drainMs).unref();
    app[Symbol.asyncDispose]().then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    );
  };
  if (isRunByNpm()) onOrphaned(() => stop("npm has ended"));
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
}

/** npm was killed, and could not hand the signal on; what was meant was us. */
function onOrphaned(act: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    act();
  }, 500);
  timer.unref();
}

function banner(app: App, config: Config): string {
  const enabled = app.sources.filter((source) => source.enabled);
  const key = app.firstKey ?? "<API_KEY>";
  const lines = [
    `Tapewire ${version}`,
    "",
    `  base_url  ${app.baseUrl}`,
    `  ws_url    ${app.wsUrl}`,
    `  database  ${app.engine === "pglite" ? "embedded (set DATABASE_URL for anything that matters)" : "PostgreSQL"}`,
    `  sources   ${enabled.length} enabled${app.demo ? ", and the demo wire of invented news" : ""}`,
  ];
  if (config.webhookAllow === null && webhookRanges(config).length > 0)
    lines.push("  webhooks  may go to this machine (TAPEWIRE_WEBHOOK_ALLOW=none forbids it)");
  if (app.firstKey !== null)
    lines.push(
      "",
      `  Your API key, shown this once (kept in the data directory as first-key):`,
      `  ${app.firstKey}`,
    );
  lines.push("", "Try:", `  curl -H 'Authorization: Bearer ${key}' '${app.baseUrl}/v1/feeds?limit=3'`, "");
  return `${lines.join("\n")}\n`;
}

function fail(error: unknown): void {
  process.stderr.write(`tapewire: ${withoutSecrets(textOf(error))}\n`);
  process.exit(exitCodeOf(error));
}

function exitCodeOf(error: unknown): number {
  if (error instanceof StartError) return error.exitCode;
  return error instanceof ConfigError ? 2 : 1;
}

/** What the operator can put right is told in a line; anything else is a bug, with its stack. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const told = [ConfigError, DataDirError, SecretError, StartError].some((kind) => error instanceof kind);
  return told || isFromOutside(error) ? error.message : inspect(error);
}

/** Of the system, which names its call, or of the database, which says how severe it is. */
function isFromOutside(error: Error): boolean {
  return "syscall" in error || "severity" in error || isUnavailable(error);
}

main().catch(fail);
