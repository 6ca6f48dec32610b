import type { Readable, Writable } from "node:stream";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { Lines } from "./lines.ts";
import { tapewireServer } from "./server.ts";
import type { Room } from "./types.ts";

export interface Streams {
  readonly input: Readable;
  readonly output: Writable;
}

/** Serves standard input and output, or other streams, until the input ends. */
export function serveOverStdio(
  room: Room,
  version: string,
  { input, output }: Streams = { input: process.stdin, output: process.stdout },
): void {
  const lines = input.pipe(new Lines(output));
  // The transport pauses its input when it ends by itself: an input that is read on would keep the process.
  lines.once("pause", () => input.unpipe(lines).pause());
  const transport = new StdioServerTransport(lines, output);
  serveStdio(() => tapewireServer(room, version), { transport, onerror: (error) => room.onBug?.(error) });
}
