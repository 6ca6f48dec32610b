import { SecretError } from "./account/sealed-secrets.ts";
import { type App, StartError, startApp, version } from "./app.ts";
import {
  type Config,
  ConfigError,
  isRunByNpm,
  loadEnvFile,
  readConfig,
  webhookRanges,
} from "./config/config.ts";
import { withoutSecrets } from "./runtime/log.ts";
import { DataDirError } from "./store/data-dir.ts";

const drainMs = 10_000;

/** Runs the service until SIGTERM or SIGINT, then drains it. Exit codes: 0 drained, 1 failed, 2 wrong settings. */
async function main(): Promise<void> {
  loadEnvFile();
  const config = readConfig();
  const app = await startApp(config);
  process.stdout.write(banner(app, config));
  app.failed.then(fail, fail);
  let stopping = false;
  const stop = (signal: string) => {
    // A second signal means now.
    if (stopping) process.exit(1);
    stopping = true;
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

/** A supervisor that signals npm ends npm's shell only; what it meant was us. */
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
  process.exit(error instanceof ConfigError ? 2 : 1);
}

/** What the operator can put right is told in a line; anything else is a bug, with its stack. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const told = [ConfigError, DataDirError, SecretError, StartError].some((kind) => error instanceof kind);
  return told ? error.message : (error.stack ?? error.message);
}

main().catch(fail);
