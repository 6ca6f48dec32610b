/** What the test runner and its processes send to each other. */

/** The last argument of a process, as JSON. */
export interface ProcessOptions {
  /** Whole paths, in the order in which they run. */
  readonly files: readonly string[];
  /** Time limit of one test. */
  readonly timeoutMs: number;
}

/** An event of a file's tests, as plain data. */
export type TestReport =
  | { readonly kind: "begins"; readonly file: string; readonly test: Begun }
  | { readonly kind: "ends"; readonly file: string; readonly test: Ended }
  | { readonly kind: "loads"; readonly file: string }
  /** Importing the file failed. */
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
  /** 0 for a subtest, since its parent's duration includes it. */
  readonly durationMs: number;
  /** null: it passed, or a test below it failed. */
  readonly error: string | null;
  readonly failedBelow: boolean;
  /** Why it does not count; null: it counts. */
  readonly skipped: string | null;
}

export function optionsOf(argv: readonly string[]): ProcessOptions {
  return JSON.parse(argv.at(-1) ?? "");
}

/** @param sent called when it has left this process, and all reports before it */
export function report(message: TestReport, sent?: () => void): void {
  process.send?.(message, undefined, undefined, sent);
}
