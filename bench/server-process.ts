/** Measured processes: pinned to a core, controlled by lines on stdin, watched through /proc. */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { z } from "zod";

const serverCore = "0";
const clientCore = "1";
const tickMs = 10;

const root = join(import.meta.dirname, "..");
const [, ...startArgs] = z
  .object({ scripts: z.object({ start: z.string() }) })
  .parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8")))
  .scripts.start.split(" ");

/** Arguments of Node as `npm start` gives them. */
export const serviceFlags: readonly string[] = startArgs.filter((argument) => argument.startsWith("--"));
/** The service as `npm start` starts it. */
export const serviceArgs: readonly string[] = [...serviceFlags, join(root, startArgs.at(-1) ?? "")];

export interface Program {
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Matches its output once it listens; the first group is returned. */
  readonly listening: RegExp;
  /** A line that is sent to it at once. */
  readonly input?: string;
  /** The cores that it may use; absent: the first. */
  readonly cores?: string;
}

/** A running process. */
export interface Running extends AsyncDisposable {
  readonly pid: number;
  /** The group matched when it listened. */
  readonly said: string;
  tell(line: string): void;
}

/** Starts a program on the first core and waits until it listens. Delivery is measured: flash scores, unless told otherwise. */
export async function start(program: Program): Promise<Running> {
  const { command, env = {}, listening, input, cores = serverCore } = program;
  const { PATH = "", TAPEWIRE_FEED_MODEL = "flash" } = process.env;
  const child = spawn("taskset", ["-c", cores, ...command], {
    env: { PATH, TAPEWIRE_FEED_MODEL, NODE_ENV: "production", ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stdin.on("error", () => {});
  if (input !== undefined) child.stdin.write(`${input}\n`);
  let output = "";
  const said = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-100_000);
      const found = listening.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`${command.join(" ")} ended with ${code}:\n${output}`)));
  });
  const died = (code: number | null) => console.error(`${command.join(" ")} ended with ${code}:\n${output}`);
  child.once("exit", died);
  return {
    pid: child.pid ?? 0,
    said,
    tell: (line) => void child.stdin.write(`${line}\n`),
    [Symbol.asyncDispose]: async () => {
      child.off("exit", died);
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** Processor time so far, all threads: utime and stime of proc_pid_stat(5); the name before them may contain spaces. */
export function cpuMsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * tickMs;
}

export function rssBytesOf(pid: number): number {
  const kilobytes = /^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1];
  return Number(kilobytes) * 1024;
}

export function isPinned(): boolean {
  const allowed = /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync("/proc/self/status", "latin1"))?.[1];
  return allowed === clientCore;
}

/** Runs this program again, on the second core. @returns its exit code */
export function runPinned(): number {
  if (cpus().length < 2) throw new Error("needs two cores: one for the servers, one for the load");
  const run = spawnSync("taskset", ["-c", clientCore, process.execPath, ...process.argv.slice(1)], {
    stdio: "inherit",
  });
  return run.status ?? 1;
}

export function machineLine(): string {
  const [load] = loadavg();
  return `${cpus()[0]?.model}, ${cpus().length} cores, Node ${process.version}, commit ${commit()}, load ${load?.toFixed(1)}`;
}

function commit(): string {
  try {
    return execFileSync("git", ["describe", "--always", "--dirty"], {
      cwd: join(import.meta.dirname, ".."),
      stdio: ["ignore", "pipe", "ignore"],
    })
      .toString()
      .trim();
  } catch {
    return "unknown";
  }
}
