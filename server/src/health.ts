/** `node server/src/health.ts`: exit code 0 when the service of this machine is ready. For images that have no curl. */
import { loadEnvFile, readConfig } from "./config/config.ts";

const deadlineMs = 4_000;

async function main(): Promise<void> {
  loadEnvFile();
  const { host, port } = readConfig();
  const here = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  const url = `http://${here.includes(":") ? `[${here}]` : here}:${port}/readyz`;
  const answer = await fetch(url, { signal: AbortSignal.timeout(deadlineMs) });
  process.stdout.write(`${answer.status} ${await answer.text()}\n`);
  process.exitCode = answer.ok ? 0 : 1;
}

main().catch((error: unknown) => {
  process.stderr.write(`tapewire: not ready: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
