import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import { z } from "zod";

type Json = z.core.JSONSchema.BaseSchema;

/**
 * A schema as it is listed: a model reads the list in every conversation, so it is as short as it can be. The JSON Schema is
 * made once, not for every request.
 */
export function listed<S extends z.ZodType>(schema: S): StandardSchemaWithJSON<z.input<S>, z.output<S>> {
  const made = new Map<"input" | "output", Json>();
  const json = (io: "input" | "output") => {
    const known = made.get(io);
    if (known !== undefined) return known;
    const short = shortened(z.toJSONSchema(schema, { io }), io);
    made.set(io, short);
    return short;
  };
  const { "~standard": standard } = schema;
  return {
    "~standard": {
      version: standard.version,
      vendor: standard.vendor,
      validate: standard.validate,
      jsonSchema: { input: () => json("input"), output: () => json("output") },
    },
  };
}

const unlisted: ReadonlySet<string> = new Set([
  "$schema",
  "minLength",
  "maxLength",
  "maxItems",
  "propertyNames",
]);
/** Results have what they have, and no other members than these are told of. */
const unlistedInResults: ReadonlySet<string> = new Set([...unlisted, "required", "additionalProperties"]);

/** Leaves out what helps no reader: limits that an error names, and the bounds of every integer. */
function shortened(value: Json, io: "input" | "output"): Json {
  const left = io === "input" ? unlisted : unlistedInResults;
  const isBound = (part: unknown) => part === Number.MAX_SAFE_INTEGER || part === Number.MIN_SAFE_INTEGER;
  const isEmpty = (name: string, part: unknown) => name === "properties" && JSON.stringify(part) === "{}";
  const text = JSON.stringify(value, (name, part: unknown) =>
    left.has(name) || isBound(part) || isEmpty(name, part) ? undefined : part,
  );
  return JSON.parse(text);
}
