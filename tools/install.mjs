// Runs before `npm start`, `npm test` and the other scripts, under whatever Node the machine has (20 or newer):
// installs the locked dependencies when they are missing or no longer those of package-lock.json. The `node`
// dependency then puts Node 24 first on the PATH of every npm script.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const marker = join(root, "node_modules", ".tapewire-installed");
const wanted = createHash("sha256")
  .update(readFileSync(join(root, "package-lock.json")))
  .digest("hex");

if (installed() !== wanted) {
  console.error("Installing dependencies (first start, or package-lock.json changed) ...");
  const { npm_execpath: npm, npm_node_execpath: node } = process.env;
  // npm's own node and script, by path: node_modules/.bin/node disappears while npm replaces node_modules.
  const [command, ...prefix] = npm && node ? [node, npm] : ["npm"];
  const ran = spawnSync(command, [...prefix, "ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: root,
    // stdout of the caller stays clean: `npm run -s tapewire -- ... --json` is read by programs.
    stdio: ["ignore", 2, 2],
  });
  if (ran.status !== 0) {
    console.error("npm ci failed; see above. The registry must be reachable for the first start.");
    process.exit(ran.status ?? 1);
  }
  writeFileSync(marker, wanted);
}

function installed() {
  try {
    return readFileSync(marker, "utf8");
  } catch {
    return null;
  }
}
