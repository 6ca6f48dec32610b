/**
 * `npm test [-- PART...]`: runs every test file of the workspaces, or those whose path contains one of the parts.
 * Four files at a time, each in a process of its own. The last line is always `N passed, N failed[, N skipped]`.
 */
import { existsSync, globSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { run } from "node:test";
import { inspect } from "node:util";

/** What was stripped of its types and compiled once is not again: a hundred processes load the same modules. */
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), "tapewire-compile-cache");

const memoryFolder = "/dev/shm";
const roomBytes = 4 * 2 ** 30;

/**
 * Temporary files of the tests lie in memory where the machine has a folder for that with room: to copy an embedded
 * database, a thousand small files, takes a tenth of the time there.
 * @returns takes them away again
 */
function temporaryFilesInMemory(): Disposable {
  const found = existsSync(memoryFolder) ? statfsSync(memoryFolder) : null;
  if (process.env.TMPDIR !== undefined || found === null || found.bavail * found.bsize < roomBytes)
    return { [Symbol.dispose]: () => {} };
  const folder = mkdtempSync(join(memoryFolder, "tapewire-test-"));
  process.env.TMPDIR = folder;
  return {
    [Symbol.dispose]: () => {
      delete process.env.TMPDIR;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const concurrency = 4;
/** The embedded database is compiled once, plainly: no test runs long enough to win back what optimizing it takes. */
const execArgv = ["--liftoff-only"];
const defaultTimeoutMs = 120_000;
/** A process that tells nothing for this much longer than a test may take holds something open and is stopped. */
const graceMs = 10_000;

export interface RunTestsOptions {
  readonly print?: (line: string) => void;
  /** Bound of one test. */
  readonly timeoutMs?: number;
  readonly graceMs?: number;
}

interface Finding {
  /** Names from the outermost suite to the test. */
  readonly name: string;
  readonly detail: string;
}

interface Limits {
  readonly timeoutMs: number;
  readonly silenceMs: number;
}

/** What one file did. A crash, a hang or a file without tests is one failure named like the file. */
interface FileResult {
  readonly path: string;
  readonly passed: number;
  readonly failed: readonly Finding[];
  readonly skipped: readonly Finding[];
  /** What the process wrote to stdout and stderr, and diagnostics. */
  readonly output: string;
  readonly durationMs: number;
}

/** Begun first, so that none of them runs alone at the end. */
const slowest = [
  "stream/chaos",
  "webhooks/crash",
  "ingest/replay",
  "conformance",
  "cli",
  "ingest/shared-intake",
];

function slowestFirst(files: readonly string[]): string[] {
  const isSlow = (path: string) => slowest.some((name) => path === `server/test/${name}.test.ts`);
  return [...files.filter(isSlow), ...files.filter((path) => !isSlow(path))];
}

/** Paths of the test files below `root`, sorted. */
export function testFiles(root: string): string[] {
  return globSync("{contract,scoring,server,cli}/**/test/**/*.test.ts", {
    cwd: root,
    exclude: (path) => path.endsWith("node_modules"),
  })
    .map((path) => path.replaceAll("\\", "/"))
    .sort();
}

/**
 * Runs the files (paths from `root`) and prints what they did.
 * @returns the exit code: 0 when tests ran and none failed, else 1
 */
export async function runTests(
  root: string,
  files: readonly string[],
  options: RunTestsOptions = {},
): Promise<number> {
  const { print = console.log, timeoutMs = defaultTimeoutMs } = options;
  const limits = { timeoutMs, silenceMs: timeoutMs + (options.graceMs ?? graceMs) };
  const startMs = performance.now();
  const results: FileResult[] = [];
  const queue = files.values();
  const worker = async () => {
    for (const path of queue) {
      const result = await runFile(root, path, limits);
      results.push(result);
      for (const line of reportLines(result)) print(line);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));

  const failures = results.filter(({ failed }) => failed.length > 0);
  if (failures.length > 0) print(`\nFailed: ${failures.map(({ path }) => path).join(", ")}`);
  const total = (count: (result: FileResult) => number) => results.reduce((sum, r) => sum + count(r), 0);
  const passed = total((result) => result.passed);
  const failed = total((result) => result.failed.length);
  const skipped = total((result) => result.skipped.length);
  print(`\n${results.length} files in ${seconds(performance.now() - startMs)}`);
  print(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
  return failed === 0 && passed > 0 ? 0 : 1;
}

async function runFile(root: string, path: string, limits: Limits): Promise<FileResult> {
  const { timeoutMs, silenceMs } = limits;
  const startMs = performance.now();
  const file = join(root, path);
  const stop = new AbortController();
  const silence = setTimeout(() => stop.abort(), silenceMs);
  const tally = new Tally((name) => resolve(root, name) === file);
  const events = run({
    files: [file],
    cwd: root,
    isolation: "process",
    execArgv,
    timeout: timeoutMs,
    signal: stop.signal,
  });
  for await (const event of events) {
    silence.refresh();
    tally.take(event);
  }
  clearTimeout(silence);
  const crash = stop.signal.aborted
    ? `told nothing for ${seconds(silenceMs)}; a timer or connection was left open?`
    : tally.crash();
  const failed = crash === null ? tally.failed : [...tally.failed, { name: path, detail: crash }];
  const { passed, skipped, output } = tally;
  return { path, passed, failed, skipped, output, durationMs: performance.now() - startMs };
}

type TestEvent = ReturnType<typeof run> extends AsyncIterable<infer Event> ? Event : never;
type Outcome = Extract<TestEvent, { type: "test:pass" | "test:fail" }>;

/** Counts the leaves among the events of one file: a test with subtests counts only when it fails by itself. */
class Tally {
  passed = 0;
  readonly failed: Finding[] = [];
  readonly skipped: Finding[] = [];
  output = "";
  #crash: string | null = null;
  #finished = false;
  /** Names of the tests that have begun, and which of them turned out to have subtests. */
  readonly #names = new Map<number, string>();
  readonly #parents = new Set<number>();
  readonly #isFile: (name: string) => boolean;

  constructor(isFile: (name: string) => boolean) {
    this.#isFile = isFile;
  }

  take(event: TestEvent): void {
    if (event.type === "test:stdout" || event.type === "test:stderr") this.output += event.data.message;
    // Without a file it is the run's own count; with one it is the test's, or tells of an error after its end.
    if (event.type === "test:diagnostic" && event.data.file !== undefined)
      this.output += `${event.data.message}\n`;
    // The process sends its own summary when it comes to its end; the one of the whole run names no file.
    if (event.type === "test:summary" && event.data.file !== undefined) this.#finished = true;
    if (event.type === "test:start") this.#begin(event.data);
    if (event.type === "test:pass" || event.type === "test:fail") this.#end(event);
  }

  /** Why the file as a whole failed, or null. */
  crash(): string | null {
    if (this.#crash !== null) return this.#crash;
    return this.#finished ? null : "it has no tests, or its process ended before they did";
  }

  #begin({ testId, parentId, name }: { testId: number; parentId: number | undefined; name: string }): void {
    const parent = this.#names.get(parentId ?? 0);
    this.#names.set(testId, parent === undefined ? name : `${parent} > ${name}`);
    this.#parents.add(parentId ?? 0);
  }

  #end(event: Outcome): void {
    const { name, nesting, testId, details, skip, todo } = event.data;
    const full = this.#names.get(testId) ?? name;
    if (nesting === 0 && this.#isFile(name)) {
      if (event.type === "test:fail") this.#crash = crashDetail(event.data.details.error);
    } else if (isSet(skip)) this.skipped.push({ name: full, detail: reason(skip) });
    else if (isSet(todo)) this.skipped.push({ name: full, detail: `to do: ${reason(todo)}` });
    else if (event.type === "test:fail") {
      const { error } = event.data.details;
      if (failureType(error) !== "subtestsFailed")
        this.failed.push({ name: full, detail: errorDetail(error) });
    } else if (details.type !== "suite" && !this.#parents.has(testId)) this.passed += 1;
  }
}

const isSet = (mark: string | boolean | undefined) => mark !== undefined && mark !== false;
const reason = (mark: string | boolean | undefined) => (typeof mark === "string" ? mark : "no reason given");

function failureType(error: Error): unknown {
  return "failureType" in error ? error.failureType : null;
}

/** The runner wraps what a test threw. */
function errorDetail(error: Error): string {
  const cause = error.cause ?? error;
  if (typeof cause === "string") return cause;
  return inspect(cause, { depth: 6, colors: false }).replaceAll(/^\s+at .*\(?node:internal\/.*\n?/gm, "");
}

function crashDetail(error: Error): string {
  const code = "exitCode" in error ? error.exitCode : null;
  const signal = "signal" in error ? error.signal : null;
  return `the process crashed: ${signal === null ? `exit code ${String(code)}` : String(signal)}`;
}

function reportLines({ path, passed, failed, skipped, output, durationMs }: FileResult): string[] {
  const counts = [
    `${passed} passed`,
    ...(failed.length > 0 ? [`${failed.length} failed`] : []),
    ...(skipped.length > 0 ? [`${skipped.length} skipped`] : []),
  ];
  const indent = (text: string) => text.trimEnd().replaceAll(/^(?=.)/gm, "      ");
  return [
    `${failed.length > 0 ? "FAIL" : "ok  "} ${path}: ${counts.join(", ")} (${seconds(durationMs)})`,
    ...skipped.map(({ name, detail }) => `    skipped: ${name} (${detail})`),
    ...failed.flatMap(({ name, detail }) => [`    failed: ${name}`, indent(detail)]),
    ...(failed.length > 0 && output !== "" ? ["    output:", indent(output)] : []),
  ];
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

if (import.meta.main) {
  const root = join(import.meta.dirname, "..");
  const parts = process.argv.slice(2);
  const chosen = testFiles(root).filter(
    (path) => parts.length === 0 || parts.some((part) => path.includes(part)),
  );
  using _ = temporaryFilesInMemory();
  process.exitCode = await runTests(root, slowestFirst(chosen));
}
