// Runs before `npm start` and `npm test`, after install.mjs: builds dashboard/ when its files, the client library or the
// lock have changed. A failed build is told and kept in dist/failed.txt, but never stops the service.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, "dashboard", "dist");
const marker = join(dist, "key.txt");
/** A marker in an old state stays out of the way: it names what it was built from. */
const key = keyOfSources();

if (read(marker) !== key) build();

function build() {
  console.error("Building the dashboard (first start, or its files have changed) ...");
  const vite = join(root, "node_modules", "vite", "bin", "vite.js");
  const ran = spawnSync(process.execPath, [vite, "build", join(root, "dashboard"), "--logLevel", "warn"], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
  if (ran.status === 0) {
    pack(join(dist, "assets"));
    writeFileSync(marker, key);
    return;
  }
  const reason = ran.error?.message ?? `${ran.stdout}\n${ran.stderr}`.trim();
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  writeFileSync(join(dist, "failed.txt"), `${reason}\n`);
  console.error(`${reason}\nThe dashboard could not be built; everything else works.`);
  // Only the script that builds on request fails.
  if (process.argv.includes("--strict")) process.exitCode = 1;
}

function keyOfSources() {
  const paths = globSync(["dashboard/*.*", "dashboard/src/**/*.*", "sdk/src/**/*.*"], { cwd: root }).sort();
  const hash = createHash("sha256");
  for (const path of [...paths, "package-lock.json"])
    hash
      .update(path)
      .update("\0")
      .update(readFileSync(join(root, path)))
      .update("\0");
  return hash.digest("hex");
}

/** Compressed once, as well as possible, beside each file. */
function pack(folder) {
  for (const name of readdirSync(folder)) {
    const bytes = readFileSync(join(folder, name));
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes, { params }));
    // How much gzip looks at before it begins a block: which is best differs from file to file.
    const tried = [6, 7, 8, 9].map((memLevel) => gzipSync(bytes, { level: 9, memLevel }));
    tried.sort((a, b) => a.length - b.length);
    writeFileSync(join(folder, `${name}.gz`), tried[0]);
  }
}

function read(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
