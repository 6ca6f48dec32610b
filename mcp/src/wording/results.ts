import type { CallToolResult } from "@modelcontextprotocol/server";
import { ConnectionError, StreamClosed, TapewireError } from "tapewire";
import { line } from "./clean.ts";

/** Limits of a result: models pay for every character, and clients cut off long results without saying so. */
export const limits = { items: 20, bytes: 20_000 } as const;

/** What a tool returns: data by its output schema, and the same as short lines. */
export interface Shown {
  readonly data: Record<string, unknown>;
  readonly lines: readonly string[];
}

export function resultOf({ data, lines }: Shown): CallToolResult {
  return { content: [{ type: "text", text: lines.join("\n") }], structuredContent: data };
}

export const bytesOf = (shown: Shown): number => Buffer.byteLength(JSON.stringify(resultOf(shown)));

/** As many of the entries as fit into a result, from the first on. */
export function fitting<T>(entries: readonly T[], show: (entries: readonly T[]) => Shown): Shown {
  for (let count = Math.min(entries.length, limits.items); ; ) {
    const shown = show(entries.slice(0, count));
    const bytes = bytesOf(shown);
    if (bytes <= limits.bytes || count === 0) return shown;
    count = Math.min(count - 1, Math.floor((count * limits.bytes) / bytes));
  }
}

/** An error that the model can correct. The text names the argument. */
export class ToolError extends Error {
  override readonly name = "ToolError";
}

export function errorResult(text: string): CallToolResult {
  return { content: [{ type: "text", text }], isError: true };
}

/** Fields of requests whose arguments have another name. */
const argumentNames: Readonly<Record<string, string>> = {
  ticker: "symbol",
  "artifact.title": "title",
  "artifact.body": "body",
  "artifact.type": "type",
  "artifact.related_symbols": "related_symbols",
  "options.model": "model",
};

/** What to tell the model about a failure; null: it is a bug. */
export function failureText(error: unknown): string | null {
  if (error instanceof ToolError) return error.message;
  if (error instanceof TapewireError) return refusalText(error);
  if (error instanceof StreamClosed || error instanceof ConnectionError) return line(error.message, 500);
  return null;
}

function refusalText({ code, problem, fields, message, retryAfterMs }: TapewireError): string {
  const named = fields.map(({ name, detail }) => `${argumentNames[name] ?? name}: ${detail}`);
  const what = named.length > 0 ? named.join("; ") : (problem?.detail ?? message);
  const wait = retryAfterMs === null ? "" : ` Try again in ${Math.ceil(retryAfterMs / 1_000)} s.`;
  return line(`${code}: ${what}.${wait}`.replace("..", "."), 1_000);
}
