/** Runs test files in this process, one after another as the parent process names them, and reports to it. */
import { run } from "node:test";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";
import { closeAll } from "./at-end.ts";
import { type Ended, type Order, optionsOf, report, type TestReport } from "./messages.ts";

type TestEvent = ReturnType<typeof run> extends AsyncIterable<infer Event> ? Event : never;
type Outcome = Extract<TestEvent, { type: "test:pass" | "test:fail" }>;

/** node:test counts what the parent counts itself. */
const sums = /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/;

function reportOf(event: TestEvent, file: string): TestReport | null {
  if (event.type === "test:diagnostic")
    return sums.test(event.data.message) ? null : { kind: "remark", text: event.data.message };
  if (event.type !== "test:dequeue" && event.type !== "test:pass" && event.type !== "test:fail") return null;
  const { name, testId: id, parentId } = event.data;
  // node:test makes a test of a file that has none.
  if (name === file) return null;
  if (event.type === "test:dequeue") return { kind: "begins", test: { id, parentId: parentId ?? 0, name } };
  return { kind: "ends", test: endedOf(event) };
}

function endedOf(event: Outcome): Ended {
  const { name, nesting, testId: id, details, skip, todo } = event.data;
  const error = event.type === "test:fail" ? event.data.details.error : null;
  const failedBelow = error !== null && "failureType" in error && error.failureType === "subtestsFailed";
  return {
    id,
    name,
    isSuite: details.type === "suite",
    durationMs: nesting === 0 ? details.duration_ms : 0,
    error: error === null || failedBelow ? null : errorText(error),
    failedBelow,
    skipped: reasonOf(skip) ?? reasonOf(todo, "to do: "),
  };
}

function reasonOf(mark: string | boolean | undefined, before = ""): string | null {
  if (mark === undefined || mark === false) return null;
  return before + (typeof mark === "string" ? mark : "no reason given");
}

/** The runner wraps the error that a test threw. */
function errorText(error: Error): string {
  const cause = error.cause ?? error;
  if (typeof cause === "string") return cause;
  return inspect(cause, { depth: 6, colors: false }).replaceAll(/^\s+at .*\(?node:internal\/.*\n?/gm, "");
}

/**
 * node:test ends a run when its process is about to exit, having nothing more to do. One that keeps databases for the next file
 * always has: so it is told as soon as the tests are known, and waits for them and their hooks.
 */
async function runFile(file: string, timeoutMs: number): Promise<void> {
  let isToldToEnd = false;
  for await (const event of run({ files: [file], isolation: "none", timeout: timeoutMs })) {
    if (event.type === "test:dequeue" && !isToldToEnd) isToldToEnd = process.emit("beforeExit", 0);
    const reported = reportOf(event, file);
    if (reported !== null) report(reported);
  }
  try {
    // node:test drops the error of a file that has registered tests before it.
    await import(pathToFileURL(file).href);
  } catch (error) {
    report({ kind: "breaks", error: inspect(error) });
  }
}

function nextOrder(): Promise<Order> {
  const { promise, resolve } = Promise.withResolvers<Order>();
  process.once("message", (order: Order) => resolve(order));
  report({ kind: "waits" });
  return promise;
}

async function runAll(): Promise<void> {
  const { timeoutMs } = optionsOf(process.argv);
  for (;;) {
    const { file } = await nextOrder();
    if (file === null) break;
    await runFile(file, timeoutMs);
  }
  await closeAll();
  // Disconnecting drops what still waits to be sent: this report leaves after all others.
  report({ kind: "leaves" }, () => process.disconnect());
}

if (import.meta.main) await runAll();
