import type { Schema } from "@tapewire/contract/description/openapi-types.ts";

/** A type in readable form; `ref` is the name of a component. */
export type TypeText = readonly (string | { readonly ref: string })[];

export interface Member {
  /** Name with its path: `gaps[].from`. */
  readonly name: string;
  readonly required: boolean;
  readonly type: TypeText;
  readonly description: string;
}

type Inner = Schema | boolean | undefined;
const isSchema = (value: unknown): value is Schema => typeof value === "object" && value !== null;

/** The members of an object and of nested objects, except those of other components. */
export function membersOf(schema: Schema, path = ""): Member[] {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).flatMap(([key, inner]) => {
    const member = isSchema(inner) ? inner : {};
    const name = `${path}${key}`;
    return [
      { name, required: required.has(key), type: typeOf(member), description: member.description ?? "" },
      ...innerMembers(member, name),
    ];
  });
}

function innerMembers(schema: Schema, name: string): Member[] {
  const bare = withoutNull(schema);
  if (bare.properties !== undefined) return membersOf(bare, `${name}.`);
  if (bare.type === "array" && isSchema(bare.items) && !Array.isArray(bare.items))
    return innerMembers(bare.items, `${name}[]`);
  return [];
}

/** The schema without its null alternative, or the schema itself. */
function withoutNull(schema: Schema): Schema {
  const others = (schema.anyOf ?? []).filter((one) => !isSchema(one) || one.type !== "null");
  const [only] = others;
  return others.length === 1 && isSchema(only) ? only : schema;
}

/** `integer 0..100 or null`, `array of FeedItem`, `"free" | "pro"`. */
export function typeOf(schema: Inner): TypeText {
  if (!isSchema(schema)) return ["any value"];
  if (schema.$ref !== undefined) return [{ ref: componentOf(schema.$ref) }];
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined)
    return choices.flatMap((one, i) => [...(i === 0 ? [] : [" or "]), ...typeOf(one)]);
  if (schema.const !== undefined) return [JSON.stringify(schema.const)];
  if (schema.enum !== undefined) return [schema.enum.map((value) => JSON.stringify(value)).join(" | ")];
  if (schema.prefixItems !== undefined) return tupleType(schema.prefixItems);
  if (schema.type === "array")
    return ["array of ", ...typeOf(Array.isArray(schema.items) ? {} : schema.items)];
  if (schema.type === "object") return isSchema(schema.additionalProperties) ? mapType(schema) : ["object"];
  const [first = "any value", ...others] = [schema.type ?? []].flat();
  return [[[first, schema.format, bounds(schema)].filter(Boolean).join(" "), ...others].join(" or ")];
}

function tupleType(entries: readonly Inner[]): TypeText {
  return ["[", ...entries.flatMap((one, i) => [...(i === 0 ? [] : [", "]), ...typeOf(one)]), "]"];
}

function mapType({ propertyNames, additionalProperties }: Schema): TypeText {
  return ["object of ", ...typeOf(propertyNames), " to ", ...typeOf(additionalProperties)];
}

/** Omits bounds that only mean "any integer" in JSON. */
function bounds({ minimum, maximum, exclusiveMinimum, minLength, maxLength }: Schema): string {
  const least = typeof exclusiveMinimum === "number" ? exclusiveMinimum + 1 : minimum;
  const from = least === undefined || least <= Number.MIN_SAFE_INTEGER ? "" : String(least);
  const to = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? "" : String(maximum);
  if (from !== "" || to !== "") return to === "" ? `from ${from}` : `${from}..${to}`;
  if (maxLength === undefined) return "";
  return `of ${minLength ?? 0} to ${maxLength} characters`;
}

export function componentOf(ref: string): string {
  return ref.slice(ref.lastIndexOf("/") + 1);
}
