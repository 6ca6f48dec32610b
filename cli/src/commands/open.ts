import { spawn } from "node:child_process";
import { asAdmin } from "../client.ts";
import type { Options } from "../options.ts";

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly [command: string, ...args: string[]]>>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};

/** open [--browser]: a link that signs the operator in to the dashboard, once and within an hour. */
export async function open(_: string[], options: Options): Promise<number> {
  const made = await asAdmin(options).request("POST /admin/v1/sign-in-links");
  console.log(options.json === true ? JSON.stringify(made) : made.url);
  if (options.browser === true) inBrowser(made.url);
  return 0;
}

/** The link is printed before: a machine without a browser loses nothing. */
function inBrowser(url: string): void {
  const [command, ...args] = openers[process.platform] ?? ["xdg-open"];
  const opening = spawn(command, [...args, url], { stdio: "ignore", detached: true });
  opening.on("error", () =>
    console.error(`No browser could be started (${command}): open the link yourself.`),
  );
  opening.unref();
}
