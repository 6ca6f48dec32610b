import type { McpServer, ToolAnnotations } from "@modelcontextprotocol/server";
import type { z } from "zod";
import { listed } from "../schema.ts";
import type { Room } from "../types.ts";
import { errorResult, failureText, resultOf, type Shown } from "../wording/results.ts";

interface Definition<I extends z.ZodType, O extends z.ZodType> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: I;
  readonly output: O;
  /** Absent: it only reads. */
  readonly annotations?: ToolAnnotations;
  /** The rate limit of a call. Absent: the plan's requests per minute. */
  readonly bucket?: "reference";
  /** @throws {ToolError}, or an error of the client library */
  readonly run: (args: z.output<I>, room: Room, signal: AbortSignal) => Promise<Shown>;
}

/** A tool that can be put on a server. */
export interface Tool<I = never> {
  readonly name: string;
  /** @throws {ToolError}, or an error of the client library */
  readonly run: (args: I, room: Room, signal: AbortSignal) => Promise<Shown>;
  readonly bucket: "reference" | "minute";
  readonly register: (server: McpServer, room: Room) => void;
}

const readOnly: ToolAnnotations = { readOnlyHint: true };

export function tool<I extends z.ZodType, O extends z.ZodType>(
  definition: Definition<I, O>,
): Tool<z.output<I>> {
  const { name, title, description, annotations = readOnly, bucket = "minute", run } = definition;
  const inputSchema = listed(definition.input);
  const outputSchema = listed(definition.output);
  return {
    name,
    bucket,
    run,
    register: (server, room) => {
      server.registerTool(
        name,
        { title, description, inputSchema, outputSchema, annotations },
        async (args, { mcpReq: { signal } }) => {
          try {
            return resultOf(await run(args, room, signal));
          } catch (error) {
            const text = failureText(error);
            if (text !== null) return errorResult(text);
            if (!signal.aborted) room.onBug?.(error);
            return errorResult("internal: the tool failed");
          }
        },
      );
    },
  };
}
