import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

export const pythonHome = join(import.meta.dirname, "..", "..");
const oldest = "import sys; sys.exit(sys.version_info < (3, 10))";

/** A Python that the client runs on; null: this machine has none. */
export const pythonName =
  ["python3", "python"].find((name) => spawnSync(name, ["-c", oldest]).status === 0) ?? null;

/** Options of a test that needs a Python. Where tests decide about a change, one that is missing fails. */
export const needsPython =
  pythonName === null && process.env.CI !== "true" ? { skip: "no Python 3.10 or newer here" } : {};

/** Runs Python with the client on its path. */
export function startPython(args: readonly string[], env: Readonly<Record<string, string>>) {
  if (pythonName === null) throw new Error("no Python 3.10 or newer here");
  const child = spawn(pythonName, args, {
    cwd: pythonHome,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PYTHONPATH: pythonHome,
      PYTHONDONTWRITEBYTECODE: "1",
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "close");
  let told = "";
  child.stderr.on("data", (chunk) => {
    told += chunk;
  });
  return {
    stdout: child.stdout,
    /** What it wrote to stderr. */
    told: () => told,
    /** @returns its exit code */
    end: async (): Promise<number | null> => {
      await ended;
      return child.exitCode;
    },
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
