/** Runs code as the dashboard shows it. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Locator } from "playwright-core";
import { pythonHome, pythonName } from "../../../clients/python/test/support/python.ts";

const root = join(import.meta.dirname, "../../..");

/** The code of each of the ways, by the name of its tab. */
export async function snippetsIn(place: Locator): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  await place.getByRole("tab").first().waitFor();
  for (const tab of await place.getByRole("tab").all()) {
    await tab.click();
    found.set((await tab.textContent()) ?? "", (await place.locator("pre").textContent()) ?? "");
  }
  return found;
}

type Command = readonly [string, ...string[]];
export const inShell = (text: string): Command => ["sh", "-c", text];
export const inNode = (text: string): Command => [
  process.execPath,
  "--input-type=module-typescript",
  "-e",
  text,
];
export const inPython = (text: string): Command => [pythonName ?? "python3", "-c", text];

/** Runs it as it stands, with a key in the environment, until it ends or has said what is waited for. */
export async function said([name, ...args]: Command, key: string, waited = /$^/): Promise<string> {
  const { PATH, HOME } = process.env;
  const child = spawn(name, args, {
    cwd: root,
    detached: true,
    env: { TAPEWIRE_KEY: key, PATH, HOME, PYTHONPATH: pythonHome, PYTHONUNBUFFERED: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  child.stderr.on("data", (chunk) => {
    out += chunk;
  });
  child.stdout.on("data", (chunk) => {
    out += chunk;
    if (waited.test(out)) endGroup(child);
  });
  await once(child, "close");
  return out;
}

/** With what it started: a shell's curl goes on without its shell. */
function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}
