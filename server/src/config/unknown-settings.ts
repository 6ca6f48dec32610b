import { settings } from "./config.ts";

/** Variables of the command line and of the image, which may stand in the same file `.env`. */
const others: readonly string[] = ["TAPEWIRE_URL", "TAPEWIRE_KEY", "TAPEWIRE_IMAGE"];

/** Names of variables that look like settings and are none, as a misspelt one: what they say has no effect. */
export function unknownSettings(env: Readonly<Record<string, string | undefined>> = process.env): string[] {
  const known = new Set([...Object.values(settings).map((setting) => setting.env), ...others]);
  return Object.keys(env).filter((name) => name.startsWith("TAPEWIRE_") && !known.has(name));
}
