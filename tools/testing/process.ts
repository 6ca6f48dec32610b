/** Runs test files in this process, one after another, and reports to the parent process. */
import { join } from "node:path";
import { run } from "node:test";
import { inspect } from "node:util";
import { type Ended, optionsOf, report, type TestReport } from "./messages.ts";

const entry = join(import.meta.dirname, "entry.ts");

type TestEvent = ReturnType<typeof run> extends AsyncIterable<infer Event> ? Event : never;
type Outcome = Extract<TestEvent, { type: "test:pass" | "test:fail" }>;

function reportOf(event: TestEvent, file: string): TestReport | null {
  if (event.type === "test:diagnostic") return { kind: "remark", text: event.data.message };
  if (event.type !== "test:dequeue" && event.type !== "test:pass" && event.type !== "test:fail") return null;
  const { name, testId: id, parentId } = event.data;
  if (name === file || name === entry) return null;
  if (event.type === "test:dequeue")
    return { kind: "begins", file, test: { id, parentId: parentId ?? 0, name } };
  return { kind: "ends", file, test: endedOf(event) };
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

async function runAll(): Promise<void> {
  const { files, timeoutMs } = optionsOf(process.argv);
  let file = "";
  for await (const event of run({ files: [entry], isolation: "none", timeout: timeoutMs })) {
    // entry.ts registers a test of its own before each file. node:test names the place of a helper instead, where one
    // registers the tests of several files.
    const name = event.type === "test:dequeue" && event.data.nesting === 0 ? event.data.name : "";
    if (files.includes(name)) file = name;
    const reported = reportOf(event, file);
    if (reported !== null) report(reported);
  }
  // Disconnecting drops what still waits to be sent: this report leaves after all others.
  report({ kind: "done" }, () => process.disconnect());
}

if (import.meta.main) await runAll();
