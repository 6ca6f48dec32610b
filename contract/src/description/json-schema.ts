import { z } from "zod";
import type { Schema } from "./openapi-types.ts";

/**
 * The JSON Schema of a value: `input` as the caller sends it, `output` as the service reads it. A schema with an id,
 * nested or not, is put into `schemas` once, under that id, and referred to.
 */
export function schemaOf(
  schema: z.ZodType,
  schemas: Record<string, Schema>,
  io: "input" | "output" = "input",
): Schema {
  const made = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      // The pattern repeats what `format` says, at a hundred characters a field.
      if (zodSchema._zod.def.type === "string" && jsonSchema.format !== undefined) delete jsonSchema.pattern;
    },
  });
  const { $defs, $schema: _, ...rest } = made;
  for (const [id, definition] of Object.entries($defs ?? {})) schemas[id] ??= withRefs(definition);
  const { id, ...inline } = rest;
  if (typeof id !== "string") return withRefs(inline);
  schemas[id] ??= withRefs(inline);
  return { $ref: `#/components/schemas/${id}` };
}

function withRefs(schema: unknown): Schema {
  const text = JSON.stringify(schema, (key, value) =>
    key === "id" && typeof value === "string" ? undefined : value,
  );
  return JSON.parse(text.replaceAll('"#/$defs/', '"#/components/schemas/'));
}
