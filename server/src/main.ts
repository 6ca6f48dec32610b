import { type App, startApp, version } from "./app.ts";
import { ConfigError, readConfig } from "./config/config.ts";
import { DataDirError } from "./store/data-dir.ts";

const drainMs = 10_000;

/** Runs the service until SIGTERM or SIGINT, then drains it. Exit codes: 0 drained, 1 failed, 2 wrong settings. */
async function main(): Promise<void> {
  const config = readConfig();
  const app = await startApp(config);
  process.stdout.write(banner(app));
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
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
}

function banner(app: App): string {
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
  const expected = error instanceof ConfigError || error instanceof DataDirError;
  const text = expected
    ? error.message
    : error instanceof Error
      ? (error.stack ?? error.message)
      : String(error);
  process.stderr.write(`tapewire: ${text}\n`);
  process.exit(error instanceof ConfigError ? 2 : 1);
}

main().catch(fail);
