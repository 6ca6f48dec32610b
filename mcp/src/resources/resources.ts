import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  ResourceTemplate,
  type Variables,
} from "@modelcontextprotocol/server";
import { TapewireError } from "tapewire";
import { readItem, readSymbol } from "../tools/tools.ts";
import type { Room } from "../types.ts";
import { line, most } from "../wording/clean.ts";
import { failureText, type Shown } from "../wording/results.ts";
import { guide } from "./guide.ts";

const text = "text/plain";
const json = "application/json";

/** What an agent can keep in its context: the guide, the tags, a symbol, an item. */
export function registerResources(server: McpServer, room: Room): void {
  server.registerResource(
    "guide",
    "tapewire://guide",
    {
      title: "How to use Tapewire",
      description: "Scores, tools and filters",
      mimeType: "text/markdown",
      cacheHint: { ttlMs: 3_600_000 },
    },
    (uri) => ({ contents: [{ uri: uri.href, mimeType: "text/markdown", text: guide }] }),
  );
  server.registerResource(
    "tags",
    "tapewire://tags",
    { title: "Tags", description: "Values of the tag filters, with their meaning", mimeType: text },
    async (uri, { mcpReq: { signal } }) => ({
      contents: [
        { uri: uri.href, mimeType: text, text: await reading(uri, room, () => tagText(room, signal)) },
      ],
    }),
  );
  const template = (name: string, pattern: string, about: string, read: Read) =>
    server.registerResource(
      name,
      new ResourceTemplate(pattern, { list: undefined }),
      { title: about, mimeType: json },
      async (uri, variables, { mcpReq: { signal } }) => {
        const shown = await reading(uri, room, () => read(variableIn(variables), room, signal));
        return { contents: [{ uri: uri.href, mimeType: json, text: JSON.stringify(shown.data) }] };
      },
    );
  template("symbol", "tapewire://symbol/{ticker}", "Overview of a symbol, such as NASDAQ:AAPL", readSymbol);
  template("item", "tapewire://item/{id}", "One item", readItem);
}

type Read = (value: string, room: Room, signal: AbortSignal) => Promise<Shown>;

function variableIn(variables: Variables): string {
  const value = String(Object.values(variables)[0] ?? "");
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** @throws {ProtocolError} that says what is wrong; bugs are told to nobody but the operator */
async function reading<T>(uri: URL, room: Room, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof TapewireError && error.code === "not_found")
      throw new ResourceNotFoundError(uri.href);
    const told = failureText(error);
    if (told !== null) throw new ProtocolError(ProtocolErrorCode.InvalidParams, told);
    room.onBug?.(error);
    throw new ProtocolError(ProtocolErrorCode.InternalError, "internal: the resource cannot be read");
  }
}

async function tagText({ tapewire }: Room, signal: AbortSignal): Promise<string> {
  const { data } = await tapewire.tags.list({ signal });
  return data
    .flatMap(({ dimension, label, values }) => [
      `${dimension} (${label})`,
      ...values.map((one) => `  ${one.value}: ${line(one.definition ?? one.label, most.title)}`),
    ])
    .join("\n");
}
