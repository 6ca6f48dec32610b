import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const root = join(import.meta.dirname, "..", "..", "..");

test("the plans of docs/scaling.md are those that bench/plans.ts makes of its unit costs", () => {
  const text = readFileSync(join(root, "docs", "scaling.md"), "utf8");
  const rows = execFileSync(process.execPath, [join(root, "bench", "plans.ts")], { encoding: "utf8" })
    .trimEnd()
    .split("\n")
    .slice(2)
    .map((row) => row.split(" | ").map((cell) => cell.replaceAll("|", "").trim()));
  assert.ok(rows.length >= 8);
  for (const cells of rows) {
    // The document says in words what is bound first.
    const load = `| ${cells.slice(0, 8).join(" | ")} |`;
    const asked = `| ${[cells[0], ...cells.slice(9)].join(" | ")} |`;
    for (const wanted of [load, asked]) assert.ok(text.includes(wanted), wanted);
  }
});
