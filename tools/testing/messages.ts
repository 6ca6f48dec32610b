/** What the runner of the tests and its processes tell each other. */

/** The last argument, as JSON. */
export interface ProcessOptions {
  /** Whole paths, in the order in which they run. */
  readonly files: readonly string[];
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

export function optionsOf(argv: readonly string[]): ProcessOptions {
  return JSON.parse(argv.at(-1) ?? "");
}

export function tell(told: Told): void {
  process.send?.(told);
}
