import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernHttp,
} from "@modelcontextprotocol/client";
import { StdioClientTransport as ModernStdio } from "@modelcontextprotocol/client/stdio";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as LegacyStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as LegacyHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { z } from "zod";
import { plainly } from "../../../server/test/support/process.ts";

const main = new URL("../../../cli/src/main.ts", import.meta.url).pathname;

export interface Where {
  readonly url: string;
  readonly key: string;
}

const callResult = z.object({
  content: z.array(z.object({ type: z.literal("text"), text: z.string() })),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  isError: z.boolean().optional(),
});

export interface Called {
  readonly text: string;
  readonly data: Record<string, unknown>;
  readonly isError: boolean;
  /** Of the whole result, as JSON. */
  readonly bytes: number;
}

/** A client of either protocol version. */
export interface Peer extends AsyncDisposable {
  readonly client: ModernClient | LegacyClient;
  call(name: string, args?: Record<string, unknown>, signal?: AbortSignal): Promise<Called>;
}

export const versions = ["modern", "legacy"] as const;
export const transports = ["http", "stdio"] as const;
export type Version = (typeof versions)[number];
export type TransportName = (typeof transports)[number];

/** Connects the official client of a protocol version. */
export async function connect(version: Version, transport: TransportName, where: Where): Promise<Peer> {
  const info = { name: "tapewire-test", version: "1" };
  if (version === "modern") {
    const client = new ModernClient(info, { versionNegotiation: { mode: "auto" } });
    await client.connect(
      transport === "http" ? new ModernHttp(...http(where)) : new ModernStdio(stdio(where)),
    );
    return peerOf(client, (name, args, signal) =>
      client.callTool({ name, arguments: args }, signal === undefined ? {} : { signal }),
    );
  }
  const client = new LegacyClient(info);
  const link = transport === "http" ? new LegacyHttp(...http(where)) : new LegacyStdio(stdio(where));
  // Its declarations were made without exactOptionalPropertyTypes.
  await client.connect(link as Parameters<typeof client.connect>[0]);
  return peerOf(client, (name, args, signal) =>
    client.callTool({ name, arguments: args }, undefined, signal === undefined ? {} : { signal }),
  );
}

type Call = (name: string, args: Record<string, unknown>, signal?: AbortSignal) => Promise<unknown>;

function peerOf(client: ModernClient | LegacyClient, send: Call): Peer {
  return {
    client,
    call: async (name, args = {}, signal) => {
      const result = callResult.parse(await send(name, args, signal));
      return {
        text: result.content.map(({ text }) => text).join("\n"),
        data: result.structuredContent ?? {},
        isError: result.isError === true,
        bytes: Buffer.byteLength(JSON.stringify(result)),
      };
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

const http = ({ url, key }: Where): [URL, { requestInit: { headers: Record<string, string> } }] => [
  new URL(`${url}/mcp`),
  { requestInit: { headers: { authorization: `Bearer ${key}` } } },
];

const stdio = ({ url, key }: Where) => ({
  command: process.execPath,
  args: [...plainly, main, "mcp"],
  env: { TAPEWIRE_URL: url, TAPEWIRE_KEY: key },
  stderr: "inherit" as const,
});
