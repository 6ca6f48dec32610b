/** Counts the tests of one file. */
import { setTimeout as delay } from "node:timers/promises";
import type { Begun, Ended, TestReport } from "./messages.ts";

export interface Finding {
  /** Names from the outermost suite to the test. */
  readonly name: string;
  readonly detail: string;
}

export interface FileResult {
  readonly path: string;
  readonly passed: number;
  readonly failed: readonly Finding[];
  readonly skipped: readonly Finding[];
  readonly durationMs: number;
  /** What its process wrote to stdout and stderr meanwhile, and remarks of node:test. */
  readonly output: string;
}

/** Reports come faster than what was written before them. */
const lateOutputMs = 50;

/** Counts the leaves among the tests: a test with subtests counts only when it fails by itself. */
export class Tally {
  readonly path: string;
  #passed = 0;
  readonly #failed: Finding[] = [];
  readonly #skipped: Finding[] = [];
  /** Names of the tests that have begun, and which of them turned out to have subtests. */
  readonly #names = new Map<number, string>();
  readonly #parents = new Set<number>();
  readonly #ended = new Set<number>();
  #durationMs = 0;
  #output = "";

  constructor(path: string) {
    this.path = path;
  }

  take(report: TestReport): void {
    if (report.kind === "begins") this.#begin(report.test);
    else if (report.kind === "ends") this.#end(report.test);
    else if (report.kind === "breaks") this.#failed.push({ name: this.path, detail: report.error });
    else if (report.kind === "remark") this.hear(`${report.text}\n`);
  }

  /** @param text from stdout or stderr of the process */
  hear(text: string): void {
    this.#output += text;
  }

  /** Whether one of its tests has begun. */
  get isBegun(): boolean {
    return this.#names.size > 0;
  }

  /** The tests that have begun and not ended, without the suites around them. */
  running(): string[] {
    const isRunning = (id: number) => !this.#ended.has(id) && !this.#parents.has(id);
    return [...this.#names].filter(([id]) => isRunning(id)).map(([, name]) => name);
  }

  /** After all its tests. */
  async finish(): Promise<FileResult> {
    const counted = this.#passed + this.#failed.length + this.#skipped.length;
    if (counted === 0) this.#failed.push({ name: this.path, detail: "it has no tests" });
    if (this.#failed.length > 0) await delay(lateOutputMs);
    return this.result();
  }

  result(): FileResult {
    return {
      path: this.path,
      passed: this.#passed,
      failed: this.#failed,
      skipped: this.#skipped,
      durationMs: this.#durationMs,
      output: this.#output,
    };
  }

  #begin({ id, parentId, name }: Begun): void {
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
