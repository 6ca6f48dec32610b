import assert from "node:assert/strict";
import { mkdirSync, mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { sizeViolations } from "../../tools/layers/sizes.ts";

const root = join(import.meta.dirname, "..", "..");
const lines = (count: number, line = "export {};") => `${line}\n`.repeat(count);
const testOf = (count: number) =>
  `test("a", () => {\n${lines(count, "  assert.ok(true);\n").trimEnd()}\n});\n`;

test("no file, test or folder of the repository is too large", () => {
  assert.deepEqual(sizeViolations(root), []);
});

test("a file of more than 300 lines is found, of product code, tests and what stands beside them", () => {
  for (const path of [
    "server/src/feed/a.ts",
    "cli/test/a.ts",
    "scoring/eval/a.ts",
    "bench/a.ts",
    "tools/x/a.ts",
  ]) {
    assert.deepEqual(check({ [path]: lines(300) }), []);
    assert.deepEqual(check({ [path]: lines(301) }), [`${path}: 301 lines; at most 300`]);
  }
});

test("a table that is named as data may be longer", () => {
  assert.deepEqual(check({ "scoring/src/tags/corporate.ts": lines(400) }), []);
});

test("a test of more than 60 lines is found, inside another as well; blank lines do not count", () => {
  assert.deepEqual(check({ "server/test/a.test.ts": testOf(60) }), []);
  assert.deepEqual(check({ "server/test/a.test.ts": `\n${testOf(61)}` }), [
    "server/test/a.test.ts:2: a test of 61 lines; at most 60",
  ]);
  const nested = testOf(61).replaceAll(/^/gm, "  ").replace("test(", "await context.test(").trimEnd();
  assert.deepEqual(check({ "server/test/a.test.ts": `suite("s", async (context) => {\n${nested}\n});\n` }), [
    "server/test/a.test.ts:2: a test of 61 lines; at most 60",
  ]);
});

test("a suite of short tests may be long", () => {
  const inside = [testOf(40), testOf(40)].join("\n").replaceAll(/^/gm, "  ");
  assert.deepEqual(check({ "server/test/a.test.ts": `suite("s", () => {\n${inside}\n});\n` }), []);
});

test("a folder of product code with more than 15 files is found; those inside count for themselves", () => {
  const files = (folder: string, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`${folder}/f${n}.ts`, "export {};"]));
  assert.deepEqual(check({ ...files("server/src/feed", 15), ...files("server/src/feed/story", 15) }), []);
  assert.deepEqual(check(files("server/src/feed", 16)), ["server/src/feed: 16 files; at most 15"]);
});

function check(files: Readonly<Record<string, string>>): string[] {
  using folder = mkdtempDisposableSync(join(tmpdir(), "tapewire-sizes-"));
  for (const [path, source] of Object.entries(files)) {
    mkdirSync(dirname(join(folder.path, path)), { recursive: true });
    writeFileSync(join(folder.path, path), source);
  }
  return sizeViolations(folder.path);
}
