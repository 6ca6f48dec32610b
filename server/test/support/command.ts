import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, type Writable } from "node:stream";
import { format } from "node:util";
import { run } from "../../../cli/src/run.ts";
import { plainly } from "./process.ts";

const main = join(import.meta.dirname, "..", "..", "..", "cli", "src", "main.ts");
/** Makes a terminal for a command; of util-linux. */
export const terminal = "/usr/bin/script";

export type Settings = Readonly<Record<string, string>>;

interface CommandOptions {
  /** What it reads on its standard input. */
  readonly input?: string;
  /** The folder that it runs in, where it looks for a file .env. */
  readonly cwd?: string;
  /** Whether its output is a terminal. */
  readonly onTerminal?: boolean;
}

export interface Outcome {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface RunningCommand {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  /** What it has printed up to now. */
  readonly told: { out: string; err: string };
  /** Waits until it ends. */
  readonly outcome: () => Promise<Outcome>;
  /** Ends it as Ctrl-C does. */
  readonly interrupt: () => Promise<Outcome>;
}

/** A command of the command line as a user starts it, with nothing but these settings in its environment. */
export function startCommand(
  args: readonly string[],
  settings: Settings,
  { input = "", cwd = tmpdir(), onTerminal = false }: CommandOptions = {},
): RunningCommand {
  const command = [process.execPath, ...plainly, main, ...args];
  const [program = "", ...rest] = onTerminal ? [terminal, "-qec", command.join(" "), "/dev/null"] : command;
  const child = spawn(program, rest, {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...settings },
    cwd,
    stdio: ["pipe", "pipe", "pipe"],
  });
  const told = { out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (data) => {
    told.out += data;
  });
  child.stderr.setEncoding("utf8").on("data", (data) => {
    told.err += data;
  });
  // A command that does not read its input may be gone before it is written.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const closed = once(child, "close");
  const outcome = async () => {
    await closed;
    return { code: child.exitCode, ...told };
  };
  return {
    ...{ child, told, outcome },
    interrupt: () => {
      child.kill("SIGINT");
      return outcome();
    },
  };
}

/** Runs a command until it ends by itself. */
export function runCommand(
  args: readonly string[],
  settings: Settings,
  options: CommandOptions = {},
): Promise<Outcome> {
  return startCommand(args, settings, options).outcome();
}

let earlier: Promise<unknown> = Promise.resolve();

/**
 * The same in the process of the test, where its modules are loaded once. A process of its own shows besides that the
 * command ends by itself and that its code is the exit code; each test file has one of each command for that.
 * @param args with paths that are absolute: the working directory is that of the test
 */
export function callCommand(
  args: readonly string[],
  settings: Settings,
  { input = "" }: Pick<CommandOptions, "input"> = {},
): Promise<Outcome> {
  // One after another: environment, standard input and console are those of the process.
  const called = earlier.then(() => runHere(args, settings, input));
  earlier = called.catch(() => {});
  return called;
}

async function runHere(args: readonly string[], settings: Settings, input: string): Promise<Outcome> {
  const { env } = process;
  const { log, error } = console;
  const stdin = Object.getOwnPropertyDescriptor(process, "stdin") ?? {};
  const told = { out: "", err: "" };
  const { PATH, TMPDIR, NODE_COMPILE_CACHE } = env;
  try {
    // Unless a test names one, no command finds the data directory of whoever works in this folder.
    const TAPEWIRE_DATA_DIR = join(tmpdir(), "tapewire-no-data");
    process.env = { PATH, TMPDIR, NODE_COMPILE_CACHE, TAPEWIRE_DATA_DIR, ...settings };
    Object.defineProperty(process, "stdin", { value: Readable.from([input]), configurable: true });
    console.log = (...words) => {
      told.out += `${format(...words)}\n`;
    };
    console.error = (...words) => {
      told.err += `${format(...words)}\n`;
    };
    return { code: await run([...args]), ...told };
  } finally {
    process.env = env;
    Object.defineProperty(process, "stdin", stdin);
    Object.assign(console, { log, error });
  }
}
