/** `npm run check`: types, lint and format, import layers, sizes. Writes nothing; runs every step even after a failure. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { dashboardSizes } from "./dashboard-sizes.ts";
import { monitoringIsCurrent } from "./grafana.ts";
import { sizeViolations } from "./layers/sizes.ts";
import { layerViolations } from "./layers.ts";
import { lintOpenApi } from "./lint-openapi.ts";
import { pythonTypesAreCurrent } from "./python-types.ts";
import { sdkSizes } from "./sdk-sizes.ts";
import { sdkTypesAreCurrent } from "./sdk-types.ts";

const root = join(import.meta.dirname, "..");

interface Step {
  readonly name: string;
  /** Prints what is wrong. */
  readonly run: () => boolean | Promise<boolean>;
}

const steps: readonly Step[] = [
  { name: "types", run: () => succeeds("tsc", ["--noEmit", "-p", "."]) },
  { name: "types of the SDK in a browser", run: () => succeeds("tsc", ["--noEmit", "-p", "sdk"]) },
  { name: "generated types of the SDK", run: sdkTypesAreCurrent },
  { name: "types of the dashboard", run: () => succeeds("tsc", ["--noEmit", "-p", "dashboard"]) },
  { name: "lint and format", run: () => succeeds("biome", ["check", "--error-on-warnings", "."]) },
  { name: "generated types of the Python client", run: pythonTypesAreCurrent },
  { name: "generated boards and alerts", run: monitoringIsCurrent },
  { name: "layers", run: () => holds(layerViolations(root)) },
  { name: "sizes", run: () => holds(sizeViolations(root)) },
  { name: "sizes of the SDK", run: async () => holds(await sdkSizes(root, console.log)) },
  { name: "sizes of the dashboard", run: () => holds(dashboardSizes(root, console.log)) },
  { name: "openapi", run: lintOpenApi },
];

function succeeds(tool: string, args: readonly string[]): boolean {
  const command = join(root, "node_modules", ".bin", tool);
  const ran = spawnSync(command, args, { cwd: root, stdio: ["ignore", "inherit", "inherit"] });
  if (ran.error !== undefined) console.error(`${command}: ${ran.error.message}`);
  return ran.status === 0;
}

function holds(violations: readonly string[]): boolean {
  for (const violation of violations) console.error(violation);
  return violations.length === 0;
}

const failed: string[] = [];
for (const { name, run } of steps) {
  console.log(`check: ${name} ...`);
  const ok = await run();
  console.log(`check: ${name}: ${ok ? "ok" : "FAILED"}`);
  if (!ok) failed.push(name);
}
if (failed.length > 0) {
  console.error(`check failed: ${failed.join(", ")}`);
  process.exitCode = 1;
}
