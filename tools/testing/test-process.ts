/** A process that runs test files, as its parent sees it. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join, resolve } from "node:path";
import { askable, whereItHangs } from "./hang.ts";
import type { Order, ProcessOptions, TestReport } from "./messages.ts";
import { type FileResult, type Finding, Tally } from "./tally.ts";

export interface ProcessTask {
  readonly root: string;
  /** Paths from the root, taken one by one when the process has time for it. */
  readonly paths: Iterator<string>;
  /** Time limit of one test. */
  readonly timeoutMs: number;
  /** A process that is silent for this long has something open, and is stopped. */
  readonly silenceMs: number;
  /** Called with the result of each file whose tests have ended. */
  readonly finished: (file: FileResult) => void;
}

/** How a process ended. */
export interface ProcessEnd {
  /** The files that it took. */
  readonly taken: readonly string[];
  /** A failure of no single test: a crash, a hang, an error after the last test; null: none. */
  readonly crash: Crash | null;
}

export interface Crash extends Finding {
  /** The file that was running; null: it had ended, as had all others. */
  readonly file: FileResult | null;
  /** Whether a test of that file had begun. */
  readonly isBegun: boolean;
}

/**
 * Compiles the embedded database and our own code without the last stage: no test runs long enough to make up for the time
 * that takes. Room (MB) for what the scoring tables need only while they are read: with less, it is copied several times.
 */
const execArgv = ["--liftoff-only", "--no-turbofan", "--max-semi-space-size=64", "--min-semi-space-size=64"];
const processModule = join(import.meta.dirname, "process.ts");
const lightHooks = `--import=${import.meta.resolve("./light-hooks.ts")}`;

/** Runs files in one new process until there is no further one, or the process fails. */
export async function runFiles(task: ProcessTask): Promise<ProcessEnd> {
  return await new TestProcess(task).ended();
}

class TestProcess {
  readonly #task: ProcessTask;
  readonly #child: ChildProcess;
  readonly #hangReport = `tapewire-hang-${crypto.randomUUID()}.json`;
  readonly #silence: NodeJS.Timeout;
  readonly #taken: string[] = [];
  #tally: Tally | null = null;
  #hang: string | null = null;
  #hasLeft = false;
  /** What it wrote in and after its last file: why it fails comes by another way than the news that the file is done. */
  #lastWords = "";

  constructor(task: ProcessTask) {
    this.#task = task;
    const options: ProcessOptions = { timeoutMs: task.timeoutMs };
    this.#child = fork(processModule, [JSON.stringify(options)], {
      cwd: task.root,
      execArgv: [...execArgv, lightHooks, ...askable(this.#hangReport)],
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => this.#hearOutput(text));
    this.#child.on("message", (report: TestReport) => this.#hear(report));
    this.#silence = setTimeout(() => void this.#stop(), task.silenceMs);
  }

  async ended(): Promise<ProcessEnd> {
    const [code, signal] = await once(this.#child, "close");
    clearTimeout(this.#silence);
    const detail = this.#hang ?? this.#crashDetail(code, signal);
    return { taken: this.#taken, crash: detail === null ? null : this.#crash(detail) };
  }

  #hearOutput(text: string): void {
    if (this.#tally === null) this.#lastWords += text;
    else this.#tally.hear(text);
  }

  #hear(report: TestReport): void {
    if (this.#hang === null) this.#silence.refresh();
    if (report.kind === "waits") void this.#orderNext();
    else if (report.kind === "leaves") this.#hasLeft = true;
    else this.#tally?.take(report);
  }

  async #orderNext(): Promise<void> {
    const done = this.#tally;
    if (done !== null) {
      const file = await done.finish();
      this.#lastWords = file.output;
      this.#task.finished(file);
    }
    const next = this.#task.paths.next();
    const path = next.done === true ? null : next.value;
    this.#tally = path === null ? null : new Tally(path);
    if (path !== null) {
      this.#taken.push(path);
      this.#lastWords = "";
    }
    const order: Order = { file: path === null ? null : resolve(this.#task.root, path) };
    this.#child.send(order);
  }

  async #stop(): Promise<void> {
    this.#hang = `reported nothing for ${this.#task.silenceMs / 1_000} s; a timer or connection was left open?\n`;
    // node:test limits no test inside of a suite.
    this.#hang += `running: ${this.#tally?.running().join(", ") || "none"}\n`;
    this.#hang += await whereItHangs(this.#child, this.#hangReport);
    this.#child.kill("SIGKILL");
  }

  #crashDetail(code: unknown, signal: unknown): string | null {
    const end = signal === null ? `exit code ${code}` : String(signal);
    if (this.#hasLeft && code === 0) return null;
    const what = this.#hasLeft
      ? "an error outside of a test"
      : "its tests did not finish: its process ended before they did";
    return `${what} (${end})\n${this.#lastWords}`;
  }

  #crash(detail: string): Crash {
    const tally = this.#tally;
    const name = tally?.path ?? `a process that ran ${this.#taken.join(", ")}`;
    return { name, detail, file: tally?.result() ?? null, isBegun: tally?.isBegun ?? false };
  }
}
