import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { tapewireServer } from "./server.ts";
import type { Room } from "./types.ts";

/** Serves the process's standard input and output until the input ends. */
export function serveOverStdio(room: Room, version: string): void {
  serveStdio(() => tapewireServer(room, version), { onerror: (error) => room.onBug?.(error) });
}
