/**
 * `npm test [-- PART...]`: runs every test file of the workspaces, or those whose path contains one of the parts.
 * Six processes at a time, each with some files. The last line is always `N passed, N failed[, N skipped]`.
 */
import { existsSync, globSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FileResult, type ProcessResult, runFiles } from "./testing/files.ts";

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
const concurrency = 6;
/** At full length a test of faults takes ten minutes. */
const defaultTimeoutMs = process.env.TAPEWIRE_CHAOS === "full" ? 1_200_000 : 120_000;
const defaultGraceMs = 10_000;
/** Most of the cost of a small file is its process: the service's modules, the scoring tables, the embedded database. */
const filesAProcess = { most: 40, least: 10 };

export interface RunTestsOptions {
  readonly print?: (line: string) => void;
  /** Time limit of one test. */
  readonly timeoutMs?: number;
  /** How much longer than a test may take a process may be silent before it is stopped. */
  readonly graceMs?: number;
}

/** The slowest files, some with others of their kind: their processes begin first, so that none runs alone at the end. */
const slowest: readonly (readonly string[])[] = [
  ["server/test/conformance.test.ts"],
  ["sdk/test/kills.test.ts"],
  ["server/test/ingest/operations/replay.test.ts"],
  ["dashboard/test/work.test.ts", "dashboard/test/backups.test.ts"],
  ["sdk/test/chaos.test.ts"],
  ["dashboard/test/screens.test.ts", "dashboard/test/hostile.test.ts"],
  ["server/test/score/group.test.ts", "server/test/webhooks/crash.test.ts"],
  ["server/test/store/backup-drills.test.ts", "server/test/store/backup.test.ts"],
  ["server/test/cli/cli.test.ts", "server/test/cli/sources.test.ts", "server/test/cli/moving.test.ts"],
  [
    "server/test/stream/held-sockets.test.ts",
    "server/test/bus/nats.test.ts",
    "server/test/http/health.test.ts",
    "server/test/http/vanished-database.test.ts",
  ],
  ["server/test/ingest/polling/shared-intake.test.ts", "server/test/ingest/polling/walk.test.ts"],
];
/** Files with a process each, because they measure it: its memory, its descriptors, the turns of its loop. */
const measuring = [
  "server/test/stream/chaos.test.ts",
  "server/test/stream/stream-load.test.ts",
  "server/test/ingest/hostile-loop.test.ts",
  "server/test/webhooks/fence.test.ts",
];
const first = [...slowest, ...measuring.map((path) => [path])];
/** All files that a process is named for here. */
export const named: readonly string[] = first.flat();

/** The files of each process, in the order in which the processes begin. */
function processesOf(files: readonly string[]): string[][] {
  const shared = files.filter((path) => !named.includes(path));
  // Files of a workspace load the same: those of scoring their tables, those of the server and of its clients the service.
  const byWorkspace = Map.groupBy(shared, (path) => {
    const workspace = path.slice(0, path.indexOf("/"));
    return large.includes(workspace) ? workspace : "clients";
  });
  return [
    ...first.map((paths) => paths.filter((path) => files.includes(path))).filter(({ length }) => length > 0),
    ...[...byWorkspace.values()].flatMap(dealtOut),
  ];
}

/** Workspaces whose files share a process with their own only. */
const large = ["contract", "scoring", "dashboard", "server"];

/**
 * Neighbours take similar times: they are dealt out one by one, so that a process has some of each folder. Towards the end of
 * a long list each process takes a share of what is left, so that the last ones are short and end together.
 */
function dealtOut(files: readonly string[]): string[][] {
  const { most, least } = filesAProcess;
  const hands = Math.ceil(files.length / most);
  const mixed = Array.from({ length: hands }, (_, at) =>
    files.filter((_, index) => index % hands === at),
  ).flat();
  const processes: string[][] = [];
  for (let at = 0; at < mixed.length; at += processes.at(-1)?.length ?? 0) {
    const share = hands < 3 ? most : Math.ceil((mixed.length - at) / (concurrency + 2));
    processes.push(mixed.slice(at, at + Math.min(most, Math.max(least, share))));
  }
  return processes;
}

/** Whether a process of several files hung before its first test. It is seldom, and its cause is not known. */
function neverBegan({ crash, files }: ProcessResult): boolean {
  return crash !== null && files.length > 1 && files.every(({ isBegun }) => !isBegun);
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
  { print = console.log, timeoutMs = defaultTimeoutMs, graceMs = defaultGraceMs }: RunTestsOptions = {},
): Promise<number> {
  const startMs = performance.now();
  const results: ProcessResult[] = [];
  const queue = processesOf(files).values();
  const worker = async () => {
    for (const paths of queue) {
      const limits = { timeoutMs, silenceMs: timeoutMs + graceMs };
      let result = await runFiles(root, paths, limits);
      if (neverBegan(result)) {
        print(
          `no test of ${paths.join(", ")} began, and their process is started again: ${result.crash?.detail}`,
        );
        result = await runFiles(root, paths, limits);
      }
      results.push(result);
      for (const line of reportLines(result)) print(line);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));

  const failures = results.flatMap(failedNames);
  if (failures.length > 0) print(`\nFailed: ${failures.join(", ")}`);
  const all = results.flatMap((result) => result.files);
  const total = (count: (file: FileResult) => number) => all.reduce((sum, file) => sum + count(file), 0);
  const crashes = results.filter(({ crash }) => crash !== null).length;
  const passed = total((file) => file.passed);
  const failed = total((file) => file.failed.length) + crashes;
  const skipped = total((file) => file.skipped.length);
  print(`\n${all.length} files in ${seconds(performance.now() - startMs)}`);
  print(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
  return failed === 0 && passed > 0 ? 0 : 1;
}

function failedNames({ files, crash }: ProcessResult): string[] {
  const failed = files.filter((file) => file.failed.length > 0).map(({ path }) => path);
  return crash === null ? failed : [...failed, crash.name];
}

function reportLines({ files, crash, output }: ProcessResult): string[] {
  const hasFailed = crash !== null || files.some(({ failed }) => failed.length > 0);
  return [
    ...files.flatMap(fileLines),
    ...(crash === null ? [] : [`FAIL ${crash.name}`, indented(crash.detail)]),
    ...(hasFailed && output !== "" ? ["    output:", indented(output)] : []),
  ];
}

function fileLines({ path, passed, failed, skipped, durationMs }: FileResult): string[] {
  const counts = [
    `${passed} passed`,
    ...(failed.length > 0 ? [`${failed.length} failed`] : []),
    ...(skipped.length > 0 ? [`${skipped.length} skipped`] : []),
  ];
  return [
    `${failed.length > 0 ? "FAIL" : "ok  "} ${path}: ${counts.join(", ")} (${seconds(durationMs)})`,
    ...skipped.map(({ name, detail }) => `    skipped: ${name} (${detail})`),
    ...failed.flatMap(({ name, detail }) => [`    failed: ${name}`, indented(detail)]),
  ];
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
