/**
 * `npm test [-- PART...]`: runs every test file of the workspaces, or those whose path contains one of the parts.
 * Four processes at a time, each of which takes the next file when it is done with one. The last line is always
 * `N passed, N failed[, N skipped]`.
 */
import { existsSync, globSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FileResult } from "./testing/tally.ts";
import { type Crash, type ProcessEnd, runFiles } from "./testing/test-process.ts";

/** Node keeps compiled modules here, since many processes load the same ones. */
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), "tapewire-compile-cache");

const memoryFolder = "/dev/shm";
const roomBytes = 4 * 2 ** 30;

/**
 * Puts the tests' temporary files into memory where the machine has a folder for that with room: copying an embedded
 * database, a thousand small files, takes a tenth of the time there.
 * @returns removes them
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

/** More than most machines have cores: a test waits half of its time, for a process, a page or a deadline. */
const defaultProcesses = 4;
/** At full length a test of faults takes ten minutes. */
const defaultTimeoutMs = process.env.TAPEWIRE_CHAOS === "full" ? 1_200_000 : 120_000;
const defaultGraceMs = 10_000;

export interface RunTestsOptions {
  readonly print?: (line: string) => void;
  /** How many processes run files at a time. */
  readonly processes?: number;
  /** Time limit of one test. */
  readonly timeoutMs?: number;
  /** How much longer than a test may take a process may be silent before it is stopped. */
  readonly graceMs?: number;
}

/** The slowest files begin first, so that none runs alone at the end. */
const slowest: readonly string[] = [
  "server/test/conformance.test.ts",
  "server/test/score/group.test.ts",
  "dashboard/test/webhooks.test.ts",
  "dashboard/test/work.test.ts",
  "server/test/ingest/operations/replay.test.ts",
  "sdk/test/kills.test.ts",
  "dashboard/test/feed.test.ts",
  "server/test/stream/held-sockets.test.ts",
  "server/test/store/backup-drills.test.ts",
  "server/test/bus/nats.test.ts",
  "dashboard/test/screens.test.ts",
  "server/test/store/backup.test.ts",
  "dashboard/test/past.test.ts",
  "sdk/test/chaos.test.ts",
  "server/test/cli/moving.test.ts",
  "clients/python/test/python.test.ts",
  "examples/test/examples.test.ts",
];
/** Files with a process each, because they measure it: its memory, its descriptors, the turns of its loop. */
const measuring: readonly string[] = [
  "server/test/stream/stream-load.test.ts",
  "server/test/stream/chaos.test.ts",
  "server/test/webhooks/fence.test.ts",
  "server/test/ingest/hostile-loop.test.ts",
];
/** All files that are named here. */
export const named: readonly string[] = [...slowest, ...measuring];
/** Workspaces of quick tests: at the end they leave no process alone for long. */
const quick = /^(scoring|contract)\//;

/** The order in which shared processes take the files. */
function sharedOrder(files: readonly string[]): string[] {
  const others = files.filter((path) => !named.includes(path));
  return [
    ...slowest.filter((path) => files.includes(path)),
    ...others.filter((path) => !quick.test(path)),
    ...others.filter((path) => quick.test(path)),
  ];
}

/** Paths of the test files below `root`, sorted. */
export function testFiles(root: string): string[] {
  return globSync(
    "{contract,scoring,server,sdk,mcp,cli,dashboard,clients,examples,deploy}/**/test/**/*.test.ts",
    {
      cwd: root,
      exclude: (path) => path.endsWith("node_modules"),
    },
  )
    .map((path) => path.replaceAll("\\", "/"))
    .sort();
}

/**
 * Runs the files (paths from `root`) and prints their results.
 * @returns the exit code: 0 when tests ran and none failed, else 1
 */
export async function runTests(
  root: string,
  files: readonly string[],
  {
    print = console.log,
    processes = defaultProcesses,
    timeoutMs = defaultTimeoutMs,
    graceMs = defaultGraceMs,
  }: RunTestsOptions = {},
): Promise<number> {
  const startMs = performance.now();
  const results: FileResult[] = [];
  const crashes: Crash[] = [];
  const finished = (file: FileResult) => {
    results.push(file);
    for (const line of fileLines(file)) print(line);
  };
  const limits = { root, timeoutMs, silenceMs: timeoutMs + graceMs, finished };
  /** @returns whether the process took a file */
  const runProcess = async (paths: Iterator<string>) => {
    const end = await runFiles({ ...limits, paths });
    const { crash, taken } = await startedAgain(
      end,
      (path) => runFiles({ ...limits, paths: [path].values() }),
      print,
    );
    if (crash !== null) crashes.push(crash);
    for (const line of crashLines(crash)) print(line);
    return taken.length > 0;
  };
  const alone = measuring.filter((path) => files.includes(path)).values();
  const queue = sharedOrder(files).values();
  const worker = async () => {
    for (const path of alone) await runProcess([path].values());
    // A process that fails leaves the other files to the next one.
    while (await runProcess(queue));
  };
  await Promise.all(Array.from({ length: processes }, worker));

  const all = [...results, ...crashes.flatMap(({ file }) => file ?? [])];
  const failures = [
    ...results.filter(({ failed }) => failed.length > 0).map(({ path }) => path),
    ...crashes.map(({ name }) => name),
  ];
  if (failures.length > 0) print(`\nFailed: ${failures.sort().join(", ")}`);
  const total = (count: (file: FileResult) => number) => all.reduce((sum, file) => sum + count(file), 0);
  const passed = total((file) => file.passed);
  const failed = total((file) => file.failed.length) + crashes.length;
  const skipped = total((file) => file.skipped.length);
  print(`\n${all.length} files in ${seconds(performance.now() - startMs)}`);
  print(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
  return failed === 0 && passed > 0 ? 0 : 1;
}

/** A process that hung before the first test of a file: it is seldom, and its cause is not known. The file is run once more. */
async function startedAgain(
  end: ProcessEnd,
  run: (path: string) => Promise<ProcessEnd>,
  print: (line: string) => void,
): Promise<ProcessEnd> {
  const { crash, taken } = end;
  if (crash?.file == null || crash.isBegun || taken.length < 2) return end;
  print(`no test of ${crash.name} began, and it is run again: ${crash.detail}`);
  return { taken, crash: (await run(crash.file.path)).crash };
}

function crashLines(crash: Crash | null): string[] {
  if (crash === null) return [];
  const { name, detail, file } = crash;
  return [
    ...(file === null ? [] : fileLines(file)),
    `FAIL ${name}`,
    indented(detail),
    ...(file === null ? [] : outputLines(file)),
  ];
}

function fileLines(file: FileResult): string[] {
  const { path, passed, failed, skipped, durationMs } = file;
  const counts = [
    `${passed} passed`,
    ...(failed.length > 0 ? [`${failed.length} failed`] : []),
    ...(skipped.length > 0 ? [`${skipped.length} skipped`] : []),
  ];
  return [
    `${failed.length > 0 ? "FAIL" : "ok  "} ${path}: ${counts.join(", ")} (${seconds(durationMs)})`,
    ...skipped.map(({ name, detail }) => `    skipped: ${name} (${detail})`),
    ...failed.flatMap(({ name, detail }) => [`    failed: ${name}`, indented(detail)]),
    ...(failed.length > 0 ? outputLines(file) : []),
  ];
}

function outputLines({ output }: FileResult): string[] {
  return output === "" ? [] : ["    output:", indented(output)];
}

function indented(text: string): string {
  return text.trimEnd().replaceAll(/^(?=.)/gm, "      ");
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
  process.exitCode = await runTests(root, chosen);
}
