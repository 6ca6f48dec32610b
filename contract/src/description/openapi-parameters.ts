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
    // Integers travel as text and are meant as integers; lists and times are described as they travel.
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

/** From the schema itself: its JSON form has no examples where the value is read as something else. */
function exampleOf(field: z.core.$ZodType): unknown {
  const examples = z.globalRegistry.get(field)?.examples;
  return Array.isArray(examples) ? examples[0] : undefined;
}
