import { serveOverStdio } from "@tapewire/mcp/stdio.ts";
import { version } from "@tapewire/server/runtime/version.ts";
import { asKey } from "../client.ts";
import type { Options } from "../options.ts";

/** Serves an agent that started this process, until it closes standard input. Standard output belongs to the protocol. */
export async function mcp(_: string[], options: Options): Promise<number> {
  const onBug = (error: unknown) => console.error(error);
  serveOverStdio({ tapewire: asKey(options), now: () => new Date(), onBug }, version);
  return 0;
}
