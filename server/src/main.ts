import { type App, startApp } from "./app/app.ts";
import { banner } from "./app/banner.ts";
import { startFailure } from "./app/start-failure.ts";
import { isRunByNpm, loadEnvFile, readConfig } from "./config/config.ts";
import { unknownSettings } from "./config/unknown-settings.ts";

const drainMs = 10_000;
/** A signal to the whole process group arrives twice, the second time from npm. A later second signal means: end now. */
const sameSignalMs = 1_000;

/**
 * Runs the service until SIGTERM or SIGINT, then drains it. Exit codes: 0 drained; 1 failed; 2 wrong settings, or a
 * database of another version: a restart does not help until the operator changes something.
 */
async function main(): Promise<void> {
  loadEnvFile();
  const config = readConfig();
  for (const name of unknownSettings())
    process.stderr.write(`${name} is no setting, and has no effect: docs/config.md lists all\n`);
  const starting = startApp(config);
  endOnSignals(starting);
  const app = await starting;
  process.stdout.write(banner(app, config, { isSeen: process.stdout.isTTY === true }));
  app.failed.then(fail, fail);
}

/** From now on, although the service may be starting: a start that is cut off leaves its lock, and a database that was not closed. */
function endOnSignals(starting: Promise<App>): void {
  let stoppedAtMs: number | null = null;
  const stop = (signal: string) => {
    const nowMs = performance.now();
    if (stoppedAtMs !== null) {
      if (nowMs - stoppedAtMs > sameSignalMs) process.exit(1);
      return;
    }
    stoppedAtMs = nowMs;
    process.stdout.write(`\n${signal}: stopping, finishing work in progress ...\n`);
    setTimeout(() => process.exit(1), drainMs).unref();
    starting.then((app) => app[Symbol.asyncDispose]()).then(() => process.exit(0), fail);
  };
  if (isRunByNpm()) onOrphaned(() => stop("npm has ended"));
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
}

/** When npm is killed it cannot pass the signal on, but the signal was meant for this process. */
function onOrphaned(act: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    act();
  }, 500);
  timer.unref();
}

function fail(error: unknown): void {
  const { exitCode, message } = startFailure(error);
  process.stderr.write(`${message}\n`);
  process.exit(exitCode);
}

main().catch(fail);
