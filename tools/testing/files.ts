/** Runs test files in a process of their own and counts the results. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { join, resolve } from "node:path";
import { askable, whereItHangs } from "./hang.ts";
import type { Begun, Ended, ProcessOptions, TestReport } from "./messages.ts";

export interface Limits {
  /** Time limit of one test. */
  readonly timeoutMs: number;
  /** A process that is silent for this long has something open, and is stopped. */
  readonly silenceMs: number;
}

export interface Finding {
  /** Names from the outermost suite to the test. */
  readonly name: string;
  readonly detail: string;
}

export interface FileResult {
  readonly path: string;
  /** Whether one of its tests has begun. */
  readonly isBegun: boolean;
  readonly passed: number;
  readonly failed: readonly Finding[];
  readonly skipped: readonly Finding[];
  readonly durationMs: number;
}

/** The results of the files of one process. */
export interface ProcessResult {
  readonly files: readonly FileResult[];
  /** A failure of no single test: a crash, a hang, an error after the last test; null: none. */
  readonly crash: Finding | null;
  /** What the process wrote to stdout and stderr, and remarks of node:test. */
  readonly output: string;
}

/**
 * Compiles the embedded database without optimizing: no test runs long enough to make up for the time that takes. Room
 * (MB) for what the scoring tables need only while they are read: with less, it is copied several times.
 */
const execArgv = ["--liftoff-only", "--max-semi-space-size=64", "--min-semi-space-size=64"];
const processModule = join(import.meta.dirname, "process.ts");
const lightHooks = `--import=${import.meta.resolve("./light-hooks.ts")}`;

/** @param paths from `root`, one or more */
export async function runFiles(
  root: string,
  paths: readonly string[],
  { timeoutMs, silenceMs }: Limits,
): Promise<ProcessResult> {
  const tallies = new Map(paths.map((path) => [resolve(root, path), new Tally(path)]));
  const options: ProcessOptions = { files: [...tallies.keys()], timeoutMs };
  const reportName = `tapewire-hang-${crypto.randomUUID()}.json`;
  const child = fork(processModule, [JSON.stringify(options)], {
    cwd: root,
    execArgv: [...execArgv, lightHooks, ...askable(reportName)],
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (text: string) => output.push(text));
  let hang: string | null = null;
  let loading = "";
  const stop = async () => {
    hang = `reported nothing for ${silenceMs / 1_000} s; a timer or connection was left open?\n`;
    const running = [...tallies.values()].flatMap((tally) => tally.running());
    // node:test limits no test inside of a suite.
    hang += `running: ${running.join(", ") || "none"}\nlast loaded: ${loading}\n`;
    hang += await whereItHangs(child, reportName);
    child.kill("SIGKILL");
  };
  const silence = setTimeout(() => void stop(), silenceMs);
  let isDone = false;
  child.on("message", (report: TestReport) => {
    if (hang === null) silence.refresh();
    if (report.kind === "loads") loading = report.file;
    else if (report.kind === "remark") output.push(`${report.text}\n`);
    else if (report.kind === "done") isDone = true;
    else tallies.get(report.file)?.take(report);
  });
  const [code, signal] = await once(child, "close");
  clearTimeout(silence);
  const files = [...tallies.values()].map((tally) => tally.result(isDone));
  const detail = hang ?? crashDetail({ isDone, code, signal });
  const crash = detail === null ? null : { name: unfinished(files, isDone).join(", "), detail };
  return { files, crash, output: output.join("") };
}

function crashDetail({ isDone, code, signal }: { isDone: boolean; code: unknown; signal: unknown }) {
  const end = signal === null ? `exit code ${code}` : String(signal);
  if (!isDone) return `its tests did not finish: its process ended before they did (${end})`;
  return code === 0 ? null : `an error outside of a test (${end})`;
}

/** Files run one after another: the last one that reported a test, and those after it. */
function unfinished(files: readonly FileResult[], isDone: boolean): string[] {
  const paths = files.map(({ path }) => path);
  const last = files.findLastIndex(({ isBegun }) => isBegun);
  return isDone ? paths : paths.slice(Math.max(0, last));
}

/** Counts the leaves among the tests of one file: a test with subtests counts only when it fails by itself. */
class Tally {
  readonly #path: string;
  #passed = 0;
  readonly #failed: Finding[] = [];
  readonly #skipped: Finding[] = [];
  /** Names of the tests that have begun, and which of them turned out to have subtests. */
  readonly #names = new Map<number, string>();
  readonly #parents = new Set<number>();
  readonly #ended = new Set<number>();
  #isBegun = false;
  #durationMs = 0;

  constructor(path: string) {
    this.#path = path;
  }

  take(report: Exclude<Extract<TestReport, { readonly file: string }>, { readonly kind: "loads" }>): void {
    if (report.kind === "breaks") this.#failed.push({ name: this.#path, detail: report.error });
    else if (report.kind === "begins") this.#begin(report.test);
    else this.#end(report.test);
  }

  /** The tests that have begun and not ended, without the suites around them. */
  running(): string[] {
    const isRunning = (id: number) => !this.#ended.has(id) && !this.#parents.has(id);
    return [...this.#names].filter(([id]) => isRunning(id)).map(([, name]) => name);
  }

  /** @param isDone whether all tests of its process have run */
  result(isDone: boolean): FileResult {
    const counted = this.#passed + this.#failed.length + this.#skipped.length;
    if (isDone && counted === 0) this.#failed.push({ name: this.#path, detail: "it has no tests" });
    return {
      path: this.#path,
      isBegun: this.#isBegun,
      passed: this.#passed,
      failed: this.#failed,
      skipped: this.#skipped,
      durationMs: this.#durationMs,
    };
  }

  #begin({ id, parentId, name }: Begun): void {
    this.#isBegun = true;
    const parent = this.#names.get(parentId);
    this.#names.set(id, parent === undefined ? name : `${parent} > ${name}`);
    this.#parents.add(parentId);
  }

  #end({ id, name, isSuite, durationMs, error, failedBelow, skipped }: Ended): void {
    this.#durationMs += durationMs;
    this.#ended.add(id);
    const full = this.#names.get(id) ?? name;
    if (skipped !== null) this.#skipped.push({ name: full, detail: skipped });
    else if (error !== null) this.#failed.push({ name: full, detail: error });
    else if (!failedBelow && !isSuite && !this.#parents.has(id)) this.#passed += 1;
  }
}
