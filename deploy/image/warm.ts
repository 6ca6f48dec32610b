/** Starts the service once and ends it: Node then has every module compiled in NODE_COMPILE_CACHE. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** The flags of the image's entry point: code that was compiled under others is not used. */
const flags = ["--incremental-marking-soft-trigger=50", "--max-semi-space-size=16", "--expose-gc"];
const startMs = 180_000;

const folder = mkdtempSync(join(tmpdir(), "tapewire-warm-"));
const sources = join(folder, "sources.json");
writeFileSync(sources, '{"sources":[]}');
const port = process.env.TAPEWIRE_PORT ?? "8080";
const env = {
  ...process.env,
  TAPEWIRE_PORT: port,
  TAPEWIRE_DATA_DIR: join(folder, "data"),
  TAPEWIRE_SOURCES: sources,
  TAPEWIRE_LOG_LEVEL: "warn",
};
const service = spawn(process.execPath, [...flags, "server/src/main.ts"], {
  env,
  stdio: ["ignore", "ignore", "inherit"],
});
const ended = once(service, "exit");
await ready(`http://127.0.0.1:${port}/readyz`);
run("server/src/health.ts");
run("cli/src/main.ts", "keys", "list");
service.kill("SIGTERM");
const [code] = await ended;
rmSync(folder, { recursive: true, force: true });
if (code !== 0) throw new Error(`the service ended with ${code}`);

/** Both read the address from the environment; when they fail, the image is not much slower. */
function run(...args: readonly string[]): void {
  spawnSync(process.execPath, [...flags, ...args], { env, stdio: "ignore" });
}

async function ready(url: string): Promise<void> {
  const endMs = performance.now() + startMs;
  const answers = () =>
    fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await answers())) {
    if (service.exitCode !== null) throw new Error(`the service ended with ${service.exitCode}`);
    if (performance.now() > endMs) throw new Error("the service did not become ready");
    await sleep(200);
  }
}
