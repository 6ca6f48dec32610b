import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { ended, session } from "@tapewire/contract/dashboard/people.ts";
import { problem } from "@tapewire/contract/errors/errors.ts";
import { anyEngine } from "../support/db.ts";
import { temporaryFolder } from "../support/process.ts";
import { startService } from "../support/service.ts";

const text = readFileSync(new URL("../../../docs/sign-in.md", import.meta.url), "utf8");

test("the sign-in with curl works as it is written, and without Origin the answer says what is missing", async () => {
  await using service = await startService(anyEngine);
  using folder = temporaryFolder();
  mkdirSync(join(folder.path, "data"));
  writeFileSync(join(folder.path, "data", "admin-token"), `${service.adminToken}\n`);
  const script = /## With curl[\s\S]*?```sh\n([\s\S]*?)```/.exec(text)?.[1] ?? assert.fail("no script");
  const run = async (code: string) => {
    const here = code
      .replace(/^base=.*$/m, `base=${service.url}`)
      .replaceAll("curl -sS", "curl -sS -w '\\n'");
    const { stdout } = await promisify(execFile)("sh", ["-ec", here], { cwd: folder.path });
    return stdout
      .trim()
      .split("\n")
      .map((line): unknown => JSON.parse(line));
  };
  const [begun, read, left] = await run(script);
  assert.equal(session.parse(begun).operator, true);
  assert.equal(session.parse(read).id, session.parse(begun).id);
  assert.equal(ended.parse(left).id, session.parse(begun).id);

  const [refused] = await run(script.replace('-H "Origin: $base"', ""));
  const { code, detail } = problem.parse(refused);
  assert.equal(code, "forbidden_origin");
  assert.equal(
    detail,
    `Origin is missing: a program sends the service's own address, Origin: ${service.url}`,
  );
});
