import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "..", "..", "..");
const main = join(root, "server", "src", "main.ts");

/** For a process of some seconds: all code as it is compiled first, since optimizing it takes longer. */
export const plainly = ["--liftoff-only", "--no-turbofan"];

/** A folder for one test; gone when disposed. */
export function temporaryFolder(): { path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), "tapewire-test-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

export function writeSources(folder: string, sources: readonly object[]): string {
  const path = join(folder, "sources.json");
  writeFileSync(path, JSON.stringify({ sources }));
  return path;
}

/** The service as a process of its own. Resolves once it has printed where it listens. */
export function spawnService(env: Record<string, string>) {
  return spawnAs([process.execPath, ...plainly, main], env);
}

/**
 * As a user starts it, in a process group of its own. What is installed is not looked at: a test that found something
 * missing would install it under all others.
 */
export function npmStart(env: Record<string, string>) {
  return spawnAs(["npm", "start", "--ignore-scripts"], env);
}

async function spawnAs([command = "", ...args]: readonly string[], env: Record<string, string>) {
  const child = spawn(command, args, {
    cwd: root,
    detached: true,
    env: {
      PATH: process.env.PATH ?? "",
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      TAPEWIRE_PORT: "0",
      TAPEWIRE_LOG_LEVEL: "error",
      TAPEWIRE_FEED_MODEL: "flash",
      TAPEWIRE_DATABASE_CONNECTIONS: "6",
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const found = /base_url {2}(\S+)[\s\S]*Try:/.exec(output);
      if (found?.[1] !== undefined) resolve(found[1]);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("exit", (code) => reject(new Error(`the service ended with ${code}:\n${output}`)));
  });
  return {
    url,
    child,
    output: () => output,
    /** Ends it by a signal; @returns its exit code, null after SIGKILL */
    end: (signal: NodeJS.Signals) => endProcess(child, signal),
    /** Signals all that it consists of, as a terminal and some supervisors do. */
    endGroup: async (signal: NodeJS.Signals) => {
      const ended = once(child, "exit");
      signalGroup(child, signal);
      await ended;
      return child.exitCode;
    },
    [Symbol.asyncDispose]: async () => {
      await endProcess(child, "SIGKILL");
      signalGroup(child, "SIGKILL");
    },
  };
}

/**
 * Runs the service until it ends.
 * @param begun told of the process, which has only begun to start
 */
export async function runToEnd(env: Record<string, string>, begun: (child: ChildProcess) => void = () => {}) {
  const child = spawn(process.execPath, [...plainly, main], {
    env: {
      PATH: process.env.PATH ?? "",
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      TAPEWIRE_PORT: "0",
      TAPEWIRE_LOG_LEVEL: "error",
      TAPEWIRE_FEED_MODEL: "flash",
      TAPEWIRE_DEMO: "off",
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let told = "";
  child.stderr.on("data", (chunk) => {
    told += chunk;
  });
  child.stdout.resume();
  begun(child);
  const [code] = await once(child, "close");
  return { code, told };
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // Nothing of it is left.
  }
}

async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const ended = once(child, "exit");
  child.kill(signal);
  await ended;
  return child.exitCode;
}
