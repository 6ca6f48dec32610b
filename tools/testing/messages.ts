/** What the test runner and its processes send to each other. */

/** The last argument of a process, as JSON. */
export interface ProcessOptions {
  /** Time limit of one test. */
  readonly timeoutMs: number;
}

/** To a process that waits: the whole path of the next file, or null: there is none. */
export type Order = { readonly file: string | null };

/** An event of the tests of the file that a process runs, as plain data. */
export type TestReport =
  | { readonly kind: "begins"; readonly test: Begun }
  | { readonly kind: "ends"; readonly test: Ended }
  /** Importing the file failed. */
  | { readonly kind: "breaks"; readonly error: string }
  | { readonly kind: "remark"; readonly text: string }
  /** The process waits for an order; a file that it had is done. */
  | { readonly kind: "waits" }
  /** After the last order: all that it had to say was said. */
  | { readonly kind: "leaves" };

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
