/** NATS servers for tests: each on a port of its own, started and ended by the test. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const program = "nats-server";
const isInstalled = spawnSync(program, ["--version"]).status === 0;
if (!isInstalled && process.env.CI === "true") throw new Error(`CI needs a ${program} on the PATH`);

/** Why tests that need a NATS are left out; false: there is one. */
export const noNats: string | false = isInstalled ? false : `no ${program} on the PATH`;

export interface NatsServer extends AsyncDisposable {
  readonly url: string;
  /** Of its process at present. */
  readonly pid: number;
  /** Ends it at once, as a machine that loses its power. */
  kill(): Promise<void>;
  /** Starts it again, on the same port. */
  restart(): Promise<void>;
}

/** @param settings lines of its configuration */
export async function startNats(settings: readonly string[] = []): Promise<NatsServer> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "tapewire-nats-"));
  const file = join(folder, "nats.conf");
  writeFileSync(file, [`listen: 127.0.0.1:${port}`, ...settings, ""].join("\n"));
  let running = await run(file);
  return {
    url: `nats://127.0.0.1:${port}`,
    get pid() {
      return running.pid;
    },
    kill: () => running.end(),
    restart: async () => {
      running = await run(file);
    },
    [Symbol.asyncDispose]: async () => {
      await running.end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function run(file: string): Promise<{ pid: number; end: () => Promise<void> }> {
  const child = spawn(program, ["-c", file], { stdio: ["ignore", "ignore", "pipe"] });
  let output = "";
  await new Promise<void>((resolve, reject) => {
    child.stderr.on("data", (chunk) => {
      output += String(chunk);
      if (output.includes("Server is ready")) resolve();
    });
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`${program} ended with ${code}:\n${output}`)));
  });
  const end = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  };
  return { pid: child.pid ?? 0, end };
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new TypeError("not listening on a port");
  return address.port;
}
