import { z } from "zod";
import { schemaOf } from "./json-schema.ts";
import type { Components, Parameter } from "./openapi-types.ts";

/** The members of a schema as parameters. */
export function fieldParameters(
  schema: z.ZodObject | undefined,
  where: "path" | "query",
  components: Components,
): Parameter[] {
  if (schema === undefined) return [];
  return Object.entries(schema.shape).map(([name, field]) => {
    const read = schemaOf(field, components.schemas, "output");
    // An integer is sent as text but described as an integer. Lists and times are described as they are sent.
    const meant = read.type === "integer" ? read : schemaOf(field, components.schemas);
    const { description = "", examples: _, ...shape } = meant;
    return {
      name,
      in: where,
      required: where === "path",
      description,
      schema: shape,
      example: exampleOf(field),
    };
  });
}

/** Read from the schema itself: its JSON form has no examples when the value is transformed. */
function exampleOf(field: z.core.$ZodType): unknown {
  const examples = z.globalRegistry.get(field)?.examples;
  return Array.isArray(examples) ? examples[0] : undefined;
}
