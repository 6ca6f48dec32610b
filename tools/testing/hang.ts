/** What a process that reports nothing is doing: its stack, and what it waits for. */
import type { ChildProcess } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/** A process that is stopped or that never runs its loop writes no report. */
const mostWaitMs = 5_000;

/** Options of node with which a process can be asked. */
export function askable(name: string): string[] {
  return [
    "--report-on-signal",
    "--report-signal=SIGUSR2",
    "--report-exclude-env",
    "--report-exclude-network",
    `--report-directory=${tmpdir()}`,
    `--report-filename=${name}`,
  ];
}

interface Report {
  readonly javascriptStack: { readonly stack?: readonly string[] };
  readonly libuv: readonly Handle[];
}
interface Handle {
  readonly type: string;
  readonly is_active: boolean;
  readonly is_referenced?: boolean;
  readonly firesInMsFromNow?: number;
  readonly remoteEndpoint?: { readonly port?: number } | null;
  readonly pid?: number;
}

/** @param name as it was given to askable */
export async function whereItHangs(child: ChildProcess, name: string): Promise<string> {
  const path = join(tmpdir(), name);
  child.kill("SIGUSR2");
  const untilMs = performance.now() + mostWaitMs;
  while (performance.now() < untilMs) {
    const report = existsSync(path) ? parsed(readFileSync(path, "utf8")) : null;
    if (report !== null) {
      rmSync(path);
      return described(report);
    }
    await delay(50);
  }
  return "it did not answer when it was asked what it waits for";
}

/** null: it is being written. */
function parsed(text: string): Report | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function described({ javascriptStack, libuv }: Report): string {
  const waits = libuv.filter((handle) => isWaitedFor(handle)).map(named);
  const stack = javascriptStack.stack ?? [];
  return [
    `it waits for: ${waits.length === 0 ? "nothing" : waits.join(", ")}`,
    ...(stack.length === 0 ? [] : ["it runs:", ...stack]),
  ].join("\n");
}

/** node:test keeps its process alive by a timer of 24 days. */
const mostTimerMs = 2_000_000_000;

function isWaitedFor({ is_active, is_referenced, firesInMsFromNow = 0 }: Handle): boolean {
  return is_active && is_referenced === true && firesInMsFromNow < mostTimerMs;
}

function named({ type, firesInMsFromNow, remoteEndpoint, pid }: Handle): string {
  if (type === "timer") return `a timer of ${firesInMsFromNow} ms`;
  if (remoteEndpoint?.port !== undefined) return `${type} to port ${remoteEndpoint.port}`;
  return pid === undefined ? type : `${type} ${pid}`;
}
