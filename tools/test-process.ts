/**
 * One process of tools/test.ts: runs the test files it is called with, one after the other, and tells its parent what
 * they did. The options are the last argument, as JSON.
 */
import { run } from "node:test";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";

export interface ProcessOptions {
  /** Bound of one test. */
  readonly timeoutMs: number;
}

/** What a file's tests do, as node:test tells it, in plain data. */
export type Told =
  | { readonly kind: "begins"; readonly file: string; readonly test: Begun }
  | { readonly kind: "ends"; readonly file: string; readonly test: Ended }
  /** The file cannot be read to its end. */
  | { readonly kind: "breaks"; readonly file: string; readonly error: string }
  | { readonly kind: "remark"; readonly text: string }
  | { readonly kind: "done" };

export interface Begun {
  readonly id: number;
  readonly parentId: number;
  readonly name: string;
}

export interface Ended {
  readonly id: number;
  readonly name: string;
  readonly isSuite: boolean;
  /** 0 below another one, which counts it. */
  readonly durationMs: number;
  /** null: it passed, or a test below it failed. */
  readonly error: string | null;
  readonly failedBelow: boolean;
  /** Why it does not count; null: it does. */
  readonly skipped: string | null;
}

type TestEvent = ReturnType<typeof run> extends AsyncIterable<infer Event> ? Event : never;
type Outcome = Extract<TestEvent, { type: "test:pass" | "test:fail" }>;

function toldOf(event: TestEvent): Told | null {
  if (event.type === "test:diagnostic") return { kind: "remark", text: event.data.message };
  if (event.type !== "test:start" && event.type !== "test:pass" && event.type !== "test:fail") return null;
  const { file = "", name, testId: id, parentId } = event.data;
  if (event.type === "test:start")
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

/** The runner wraps what a test threw. */
function errorText(error: Error): string {
  const cause = error.cause ?? error;
  if (typeof cause === "string") return cause;
  return inspect(cause, { depth: 6, colors: false }).replaceAll(/^\s+at .*\(?node:internal\/.*\n?/gm, "");
}

/** node:test keeps quiet about a file that throws behind its first test; what was imported once throws again. */
async function importError(file: string): Promise<string | null> {
  try {
    await import(pathToFileURL(file).href);
    return null;
  } catch (error) {
    return inspect(error);
  }
}

if (import.meta.main) {
  const files = process.argv.slice(2, -1);
  const { timeoutMs }: ProcessOptions = JSON.parse(process.argv.at(-1) ?? "");
  const tell = (told: Told) => process.send?.(told);
  for await (const event of run({ files, isolation: "none", timeout: timeoutMs })) {
    const told = toldOf(event);
    if (told !== null) tell(told);
  }
  for (const file of files) {
    const error = await importError(file);
    if (error !== null) tell({ kind: "breaks", file, error });
  }
  tell({ kind: "done" });
  process.disconnect();
}
