/** JSON Schema as TypeScript. */
import type { Schema } from "../../contract/src/description/openapi-types.ts";

/** Text of a type. */
export type Printed = string;
type Member = Schema | boolean | undefined;

/** Turns `quota_exceeded` and `listFeeds` into `QuotaExceeded` and `ListFeeds`. */
export const words = (name: string) =>
  name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

export function declared(name: string, schema: Schema): string {
  const isShape = schema.type === "object" && schema.properties !== undefined;
  const type = printed(schema);
  const text = isShape ? `export interface ${name} ${type}` : `export type ${name} = ${type};`;
  return comment(schema.description) + text;
}

export function named(
  name: string,
  { type, doc, optional }: { type: Printed; doc: string | undefined; optional: boolean },
): string {
  const key = /^[a-z_]\w*$/i.test(name) ? name : JSON.stringify(name);
  return `${comment(doc)}${key}${optional ? `?: ${type} | undefined` : `: ${type}`};`;
}

const comment = (text: string | undefined) =>
  text === undefined ? "" : `/** ${text.replaceAll("*/", "*\\/")} */\n`;

export function printed(schema: Member): Printed {
  if (schema === undefined || typeof schema === "boolean") return "unknown";
  if (schema.$ref !== undefined) return schema.$ref.split("/").at(-1) ?? "unknown";
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return [...new Set(choices.map(printed))].join(" | ");
  if (Array.isArray(schema.type))
    return schema.type.map((type: NonNullable<Schema["type"]>) => printed({ ...schema, type })).join(" | ");
  return simple(schema);
}

function simple(schema: Schema): Printed {
  switch (schema.type) {
    case "string":
    case "boolean":
    case "null":
      return schema.type;
    case "integer":
    case "number":
      return "number";
    case "array":
      if (schema.prefixItems !== undefined) return `[${schema.prefixItems.map(printed).join(", ")}]`;
      return `(${printed(Array.isArray(schema.items) ? undefined : schema.items)})[]`;
    case "object":
      return object(schema);
    default:
      return "unknown";
  }
}

function object({ properties, required = [], propertyNames, additionalProperties }: Schema): Printed {
  if (properties === undefined) {
    const value = printed(additionalProperties);
    const isOfSome = typeof propertyNames === "object" && propertyNames.$ref !== undefined;
    return isOfSome ? `{ [name in ${printed(propertyNames)}]?: ${value} }` : `{ [name: string]: ${value} }`;
  }
  const members = Object.entries(properties).map(([name, member]) =>
    named(name, {
      type: printed(member),
      doc: typeof member === "boolean" ? undefined : member.description,
      optional: !required.includes(name),
    }),
  );
  return `{\n${members.join("\n")}\n}`;
}
