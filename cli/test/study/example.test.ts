import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { StudyReport } from "../../src/study/report.ts";

const root = join(import.meta.dirname, "..", "..", "..");
const page = readFileSync(join(root, "docs", "study.md"), "utf8");
const commands = [...page.matchAll(/^npm run -s tapewire -- (study .*examples\/study.*)$/gm)].map(
  ([, args = ""]) => args,
);

const run = (args: string) =>
  execFileSync(process.execPath, ["cli/src/main.ts", ...args.split(" ")], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });

test("the example of docs/study.md prints what the page shows, and finds what was planted", () => {
  const [command = ""] = commands;
  const shown = /```\n(\d+ items studied[\s\S]*?)\n```/.exec(page)?.[1] ?? "";
  assert.ok(shown.length > 500);
  assert.ok(run(command).startsWith(shown), run(command));
  const report: StudyReport = JSON.parse(run(`${command} --json`));
  const actionable = report.horizons[0]?.by.actionable.find(({ key }) => key === "actionable");
  // Right in 7 of 10 cases about a move of 3 % is a mean of 1.2 %.
  assert.ok((actionable?.mean_move?.low ?? 1) < 0.012 && (actionable?.mean_move?.high ?? 0) > 0.012);
  const others = report.horizons[0]?.by.actionable.find(({ key }) => key === "not actionable");
  assert.ok((others?.mean_move?.low ?? 1) < 0 && (others?.mean_move?.high ?? -1) > 0);
});
