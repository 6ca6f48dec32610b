import assert from "node:assert/strict";
import { mkdirSync, mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { named, type RunTestsOptions, runTests, testFiles } from "../../tools/test.ts";

const root = join(import.meta.dirname, "..", "..");
const head = `import { describe, test } from "node:test";\nimport assert from "node:assert/strict";\n`;

test("passing tests are counted as leaves and the last line says so", async () => {
  const { lines, code } = await runSamples({
    flat: `test("one", () => {}); test("two", () => { console.log("chatter"); });`,
    nested: `describe("s", () => { test("a", () => {}); });
      test("parent", async (t) => { await t.test("b", () => {}); await t.test("c", () => {}); });`,
  });
  assert.equal(lines.at(-1), "5 passed, 0 failed");
  assert.equal(code, 0);
  assert.doesNotMatch(lines.join("\n"), /chatter/);
});

test("a failure is told with its names, its error and the output of its file", async () => {
  const { lines, code } = await runSamples({
    bad: `describe("sums", () => { test("add", () => { console.log("clue"); assert.equal(1 + 1, 3); }); });`,
  });
  const text = lines.join("\n");
  assert.match(text, /FAIL server\/test\/bad\.test\.ts: 0 passed, 1 failed/);
  assert.match(text, /failed: sums > add/);
  assert.match(text, /2 !== 3/);
  assert.match(text, /clue/);
  assert.equal(lines.at(-1), "0 passed, 1 failed");
  assert.equal(code, 1);
});

test("skipped tests and suites are told with their reasons and do not fail the run", async () => {
  const { lines, code } = await runSamples({
    skips: `test("here", () => {});
      test("with reason", { skip: "no PostgreSQL" }, () => {});
      test("from inside", (t) => t.skip("no NATS"));
      describe("suite", { skip: "not on this system" }, () => { test("x", () => {}); });
      test("later", { todo: "with the next release" }, () => { throw new Error("not yet"); });`,
  });
  const text = lines.join("\n");
  for (const reason of ["no PostgreSQL", "no NATS", "not on this system", "to do: with the next release"])
    assert.ok(text.includes(`(${reason})`), text);
  assert.equal(lines.at(-1), "1 passed, 0 failed, 4 skipped");
  assert.equal(code, 0);
});

test("reports that the runner has not read yet when the tests have ended are not lost", async () => {
  const { lines, code } = await runSamples({
    many: `for (let n = 0; n < 2_000; n += 1) test("x".repeat(3_000) + n, () => {});`,
  });
  assert.equal(lines.at(-1), "2000 passed, 0 failed");
  assert.equal(code, 0);
});

const crashes: Readonly<Record<string, { source: string; last: string; told: RegExp }>> = {
  "a file that does not parse": { source: "export { ;;", last: "0 passed, 1 failed", told: /SyntaxError/ },
  "an error outside a test": {
    source: `test("fine", () => {}); throw new Error("at the top");`,
    last: "1 passed, 1 failed",
    told: /at the top/,
  },
  "an error after the last test": {
    source: `test("fine", () => { setTimeout(() => { throw new Error("too late"); }, 20); });`,
    last: "1 passed, 1 failed",
    told: /too late/,
  },
  "an exit with code 0 in the middle of a test": {
    source: `test("out", async () => { process.exit(0); }); test("never run", () => {});`,
    last: "0 passed, 1 failed",
    told: /its process ended before they did/,
  },
  "a failing hook": {
    source: `import { before } from "node:test"; before(() => { throw new Error("no set-up"); }); test("x", () => {});`,
    last: "0 passed, 1 failed",
    told: /no set-up/,
  },
  "a file without tests": { source: "export {};", last: "0 passed, 1 failed", told: /has no tests/ },
};

for (const [name, { source, last, told }] of Object.entries(crashes))
  test(`${name} fails the run`, async () => {
    const { lines, code } = await runSamples({ crash: source });
    assert.match(lines.join("\n"), told);
    assert.equal(lines.at(-1), last);
    assert.equal(code, 1);
  });

test("files that share a process are counted apart, and a broken one hides no other", async () => {
  const { lines, code } = await runSamples({
    a: `test("same name", () => {});`,
    b: `test("same name", () => { assert.fail("of b"); });`,
    c: `import "./missing.js"; test("same name", () => {});`,
    d: `test("same name", () => {}); test("another", () => {});`,
  });
  const text = lines.join("\n");
  assert.match(text, /ok {3}server\/test\/a\.test\.ts: 1 passed/);
  assert.match(text, /FAIL server\/test\/b\.test\.ts: 0 passed, 1 failed/);
  assert.match(text, /FAIL server\/test\/c\.test\.ts: 0 passed, 1 failed/);
  assert.match(text, /missing\.js/);
  assert.match(text, /ok {3}server\/test\/d\.test\.ts: 2 passed/);
  assert.match(text, /^Failed: server\/test\/b\.test\.ts, server\/test\/c\.test\.ts$/m);
  assert.equal(lines.at(-1), "3 passed, 2 failed");
  assert.equal(code, 1);
});

test("a process that ends too early names the file that it did not finish, and leaves the others to the next one", async () => {
  const { lines, code } = await runSamples({
    a: `test("a", () => {});`,
    b: `test("b", async () => { setTimeout(() => process.exit(0), 200); await new Promise(() => {}); });`,
    c: `test("c", () => {});`,
  });
  const text = lines.join("\n");
  assert.match(text, /^FAIL server\/test\/b\.test\.ts$/m);
  assert.match(text, /ok {3}server\/test\/c\.test\.ts: 1 passed/);
  assert.equal(lines.at(-1), "2 passed, 1 failed");
  assert.equal(code, 1);
});

test("what is left open is found after the last file", async () => {
  const { lines, code } = await runSamples(
    { open: `test("fine", () => { setInterval(() => {}, 50); });` },
    { timeoutMs: 100, graceMs: 3_000 },
  );
  assert.match(
    lines.join("\n"),
    /FAIL a process that ran server\/test\/open\.test\.ts\n.*reported nothing for/,
  );
  assert.equal(lines.at(-1), "1 passed, 1 failed");
  assert.equal(code, 1);
});

test("hooks of a file run after its tests, and are waited for", async () => {
  const { lines } = await runSamples({
    hooks: `import { after } from "node:test"; let ended = false;
      after(async () => { await new Promise((resolve) => setTimeout(resolve, 100)); ended = true; });
      process.on("exit", () => { if (!ended) process.exitCode = 3; });
      test("one", () => {});`,
    next: `test("two", () => {});`,
  });
  assert.equal(lines.at(-1), "2 passed, 0 failed");
});

test("a test that hangs is timed out, and a process that then stays open is stopped", async () => {
  const { lines, code } = await runSamples(
    {
      hang: `test("hang", () => new Promise(() => { setInterval(() => {}, 50); }));`,
      inside: `describe("suite", () => { test("ends", () => {}); test("waits", () => new Promise(() => {})); });`,
    },
    { timeoutMs: 300, graceMs: 6_000 },
  );
  const text = lines.join("\n");
  assert.match(text, /timed out after 300ms/);
  assert.match(text, /reported nothing for/);
  assert.match(text, /running: suite > waits\n/);
  assert.match(text, /FAIL server\/test\/inside\.test\.ts\n(.*\n)+ +it waits for: .*a timer of \d+ ms/);
  assert.equal(lines.at(-1), "1 passed, 2 failed");
  assert.equal(code, 1);
});

test("a run without tests fails", async () => {
  const { lines, code } = await runSamples({});
  assert.equal(lines.at(-1), "0 passed, 0 failed");
  assert.equal(code, 1);
});

test("the files that a process is named for exist", () => {
  const files = testFiles(root);
  assert.deepEqual(
    named.filter((path) => !files.includes(path)),
    [],
  );
});

/** Runs sample files (name to source) as a run of their own, whose processes know nothing of this one's tests. */
async function runSamples(samples: Readonly<Record<string, string>>, options: RunTestsOptions = {}) {
  using folder = mkdtempDisposableSync(join(tmpdir(), "tapewire-runner-"));
  mkdirSync(join(folder.path, "server", "test"), { recursive: true });
  writeFileSync(join(folder.path, "package.json"), `{ "type": "module" }`);
  for (const [name, source] of Object.entries(samples))
    writeFileSync(join(folder.path, "server", "test", `${name}.test.ts`), head + source);
  const printed: string[] = [];
  const print = (text: string) => printed.push(text);
  const context = process.env.NODE_TEST_CONTEXT;
  delete process.env.NODE_TEST_CONTEXT;
  try {
    const code = await runTests(folder.path, testFiles(folder.path), { processes: 1, ...options, print });
    return { lines: printed.join("\n").trimEnd().split("\n"), code };
  } finally {
    if (context !== undefined) process.env.NODE_TEST_CONTEXT = context;
  }
}
