import { existsSync } from "node:fs";

const usual = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

/** A Chromium of this machine: TAPEWIRE_CHROMIUM, or a usual place; null: there is none. */
export const chromiumPath: string | null =
  [process.env.TAPEWIRE_CHROMIUM ?? "", ...usual].find((path) => path !== "" && existsSync(path)) ?? null;

/** Why tests with a browser are left out; false: they run. Under CI they must not be left out. */
export const withoutChromium: string | false =
  chromiumPath !== null || process.env.CI === "true"
    ? false
    : "no Chromium here: apt-get install chromium-headless-shell, or set TAPEWIRE_CHROMIUM";
