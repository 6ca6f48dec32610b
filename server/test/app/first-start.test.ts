import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../support/process.ts";

const root = join(import.meta.dirname, "..", "..", "..");

/** A program that writes down which Node it stands for, and runs the file as this one does. */
function node(said: string, log: string): string {
  return `#!/bin/sh\necho "${said} $1" >> "${log}"\nexec "${process.execPath}" "$@"\n`;
}

// A shell remembers where it found a command, and the first command of these lines brings another Node.
for (const script of ["prestart", "pretest"])
  test(`on a fresh machine ${script} builds the dashboard under the Node that was just installed`, () => {
    using folder = temporaryFolder();
    const of = (...path: string[]) => join(folder.path, ...path);
    for (const name of ["machine", "installed", "tools"]) mkdirSync(of(name));
    writeFileSync(of("machine", "node"), node("machine", of("log")), { mode: 0o755 });
    writeFileSync(
      of("tools", "install.mjs"),
      `import { writeFileSync } from "node:fs";
      writeFileSync(${JSON.stringify(of("installed", "node"))}, ${JSON.stringify(node("installed", of("log")))}, { mode: 0o755 });`,
    );
    writeFileSync(of("tools", "build-dashboard.mjs"), "");
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const ran = spawnSync("sh", ["-c", scripts[script]], {
      cwd: folder.path,
      env: { PATH: [of("installed"), of("machine"), "/usr/bin", "/bin"].join(":") },
      encoding: "utf8",
    });
    assert.equal(ran.status, 0, ran.stderr);
    assert.deepEqual(readFileSync(of("log"), "utf8").trim().split("\n"), [
      "machine tools/install.mjs",
      "installed tools/build-dashboard.mjs",
    ]);
  });
