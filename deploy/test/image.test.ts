import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { gzipSync } from "node:zlib";
import { seedDataDir } from "../../server/test/support/db.ts";
import { plainly, temporaryFolder } from "../../server/test/support/process.ts";
import { until } from "../../server/test/support/receiver.ts";
import { contextFiles, root, runLines, stages } from "./docker.ts";

/** full: the RUN lines as they are, npm's downloads and the warm start included (`TAPEWIRE_IMAGE=full`). */
const isFull = process.env.TAPEWIRE_IMAGE === "full";
/** Of the image without its base, which has some 25 MB. */
const mostUnpackedBytes = 215e6;
const mostPackedBytes = 75e6;

const [build, final] = stages();

test("the image gets what a service needs, and nothing else", () => {
  const files = contextFiles();
  const tops = new Set(files.map((path) => path.split("/").slice(0, 2).join("/")));
  for (const needed of ["server/src", "server/migrations", "config/sources.json", "dashboard/src", "LICENSE"])
    assert.ok(tops.has(needed), needed);
  const unwanted = files.filter((path) => /(^|\/)(test|node_modules|\.git|\.env|data\/\.)(\/|$)/.test(path));
  assert.deepEqual(unwanted, []);
});

test("what a file of the image imports is in the image", () => {
  const files = new Set(contextFiles());
  const missing = [...files]
    .filter((path) => /\.(ts|tsx|mjs)$/.test(path))
    .flatMap((path) => {
      const text = readFileSync(join(root, path), "utf8");
      return [...text.matchAll(/^(?:import|export) [^;]*?"(\.[^"]+)";$|import\("(\.[^"]+)"\)/gm)]
        .map(([, fixed, late]) => join(dirname(path), fixed ?? late ?? ""))
        .filter((target) => !files.has(target))
        .map((target) => `${path}: ${target}`);
    });
  assert.deepEqual(missing, []);
});

test("the image has the pinned Node, runs as nobody in particular, and is asked whether it is ready", () => {
  const { node } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).devDependencies;
  assert.equal(build?.from, `node:${node}-bookworm-slim AS build`);
  const last = new Map(final?.commands);
  assert.equal(last.get("USER"), "65532:65532");
  assert.match(last.get("HEALTHCHECK") ?? "", /"server\/src\/health\.ts"/);
  // Its code is compiled under the same flags.
  const entry: unknown = JSON.parse(last.get("ENTRYPOINT") ?? "");
  const warm = readFileSync(join(root, "deploy", "image", "warm.ts"), "utf8");
  const flags: unknown = JSON.parse(/const flags = (\[.+\]);/.exec(warm)?.[1] ?? "");
  assert.ok(Array.isArray(flags));
  assert.deepEqual(entry, ["/usr/local/bin/node", ...flags]);
});

test("what is copied and installed for the image runs: ready, dashboard, verdicts", async (context) => {
  using folder = temporaryFolder();
  const app = join(folder.path, "app");
  for (const path of contextFiles()) {
    mkdirSync(dirname(join(app, path)), { recursive: true });
    cpSync(join(root, path), join(app, path));
  }
  if (isFull) runAll(app, folder.path);
  else installQuickly(app);
  assert.ok(!existsSync(join(app, "dashboard", "src")) && !existsSync(join(app, "tools")));
  assert.deepEqual(globSync("node_modules/**/*.map", { cwd: app }), []);
  reportSizes(app, context);

  const dataDir = join(folder.path, "data");
  mkdirSync(dataDir);
  await seedDataDir(dataDir);
  const port = String(await freePort());
  const env = { PATH: "", TAPEWIRE_DATA_DIR: dataDir, TAPEWIRE_PORT: port, TAPEWIRE_LOG_LEVEL: "error" };
  const sources = { TAPEWIRE_SOURCES: join(root, "server/test/support/no-sources.json") };
  // The packages that send traces are not in the image: a warning, no failure.
  const traces = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" };
  const options = { cwd: app, env: { ...env, ...sources, ...traces } };
  const url = `http://127.0.0.1:${port}`;
  const isReady = () => spawnSync(process.execPath, ["server/src/health.ts"], options).status === 0;
  const service = spawn(process.execPath, [...plainly, "server/src/main.ts"], options);
  try {
    const answers = () =>
      fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    await until(answers, "the service is ready", 60_000);
    assert.ok(isReady());
    await assertServes(url, readFileSync(join(dataDir, "first-key"), "utf8").trim());
    const told = spawnSync(process.execPath, ["cli/src/main.ts", "open"], options);
    assert.match(String(told.stdout), /#\/start\//);
  } finally {
    const ended = once(service, "exit");
    service.kill("SIGTERM");
    await ended;
  }
  assert.equal(service.exitCode, 0);
  assert.ok(!isReady(), "a service that has ended is not ready");
});

async function assertServes(url: string, key: string): Promise<void> {
  assert.equal((await fetch(`${url}/readyz`)).status, 200);
  const page = await fetch(`${url}/app/`);
  const script = /src="([^"]+\.js)"/.exec(await page.text())?.[1];
  assert.equal((await fetch(new URL(script ?? "none", `${url}/app/`))).status, 200);
  const artifact = { type: "filing", title: "Acme Corp: annual report", body: "Revenue rose by a fifth." };
  const verdict = await fetch(`${url}/v1/score`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ artifact }),
  });
  assert.match(await verdict.text(), /"model":"pro"/);
}

function runAll(app: string, folder: string): void {
  const [cache, data] = [join(folder, "cache"), join(folder, "made")];
  for (const line of runLines(build ?? { from: "", commands: [] })) {
    const here = line
      .replaceAll("/cache", cache)
      .replaceAll("/data", data)
      .replaceAll(/ && chown .*/g, "");
    const PATH = `${dirname(process.execPath)}:${process.env.PATH}`;
    execFileSync("sh", ["-ec", here], { cwd: app, env: { ...process.env, PATH }, stdio: "inherit" });
  }
}

/** The packages that the last `npm ci` would install, copied from here, and the dashboard as it is built here. */
function installQuickly(app: string): void {
  const [install = ""] = runLines(build ?? { from: "", commands: [] }).filter((line) => /rm -rf/.test(line));
  const flags = install.split(" ").filter((word) => /^--(omit|workspace)=/.test(word));
  const npm = spawnSync("npm", ["ls", "--all", "--parseable", ...flags], { cwd: root, encoding: "utf8" });
  const modules = join(root, "node_modules");
  // What was installed here beside the lock file is not in an image.
  const locked: object = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;
  const packages = npm.stdout
    .split("\n")
    .filter((path) => path.startsWith(`${modules}/`) && !lstatSync(path).isSymbolicLink())
    .filter((path) => path.slice(root.length + 1) in locked);
  assert.ok(packages.length > 50, npm.stderr);
  for (const path of packages) {
    const inside = path.slice(root.length + 1);
    const nested = join(path, "node_modules");
    cpSync(path, join(app, inside), { recursive: true, filter: (from) => from !== nested });
  }
  for (const name of ["cli", "contract", "mcp", "scoring", "server"]) {
    mkdirSync(join(app, "node_modules", "@tapewire"), { recursive: true });
    symlinkSync(join("..", "..", name), join(app, "node_modules", "@tapewire", name));
  }
  symlinkSync(join("..", "sdk"), join(app, "node_modules", "tapewire"));
  cpSync(join(root, "dashboard", "dist"), join(app, "dashboard", "dist"), { recursive: true });
  execFileSync(process.execPath, ["deploy/image/prune.ts"], { cwd: app });
}

function reportSizes(app: string, context: TestContext): void {
  const files = globSync("**", { cwd: app, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = [...files.map((entry) => join(entry.parentPath, entry.name)), process.execPath];
  const unpacked = paths.reduce((sum, path) => sum + statSync(path).size, 0);
  context.diagnostic(`${paths.length} files, ${(unpacked / 1e6).toFixed(1)} MB with Node, without the base`);
  assert.ok(unpacked < mostUnpackedBytes, `${unpacked} bytes`);
  if (!isFull) return;
  const packed = paths.reduce((sum, path) => sum + gzipSync(readFileSync(path)).length, 0);
  context.diagnostic(`${(packed / 1e6).toFixed(1)} MB packed`);
  assert.ok(packed < mostPackedBytes, `${packed} bytes`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new TypeError("not listening on a port");
  return address.port;
}
