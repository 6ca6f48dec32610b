import { McpServer } from "@modelcontextprotocol/server";
import { instructions } from "./instructions.ts";
import { registerPrompts } from "./prompts.ts";
import { registerResources } from "./resources/resources.ts";
import { tools } from "./tools/tools.ts";
import type { Room } from "./types.ts";

export type { Room } from "./types.ts";

const lasting = { ttlMs: 300_000, cacheScope: "private" } as const;

/** A Model Context Protocol server for one account, not yet connected to a transport. */
export function tapewireServer(room: Room, version: string): McpServer {
  const server = new McpServer(
    { name: "tapewire", title: "Tapewire", version },
    {
      instructions,
      // All lists are the same for everybody, for as long as the service runs.
      capabilities: {
        tools: { listChanged: false },
        prompts: { listChanged: false },
        resources: { listChanged: false, ...(room.tellsUpdates === true ? { subscribe: true } : {}) },
      },
      cacheHints: {
        "tools/list": lasting,
        "prompts/list": lasting,
        "resources/list": lasting,
        "resources/templates/list": lasting,
        "server/discover": lasting,
      },
    },
  );
  for (const { register } of tools) register(server, room);
  registerResources(server, room);
  registerPrompts(server);
  return server;
}
