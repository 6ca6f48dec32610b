/** JSON Schema as Python types. */
import type { Schema } from "../../contract/src/description/openapi-types.ts";

type Member = Schema | boolean | undefined;
/** Text of a Python type. */
export type Printed = string;

/** They cannot name a member of a class. */
const keywords = /^(from|import|class|def|global|in|is|not|or|and|lambda|pass|raise|return|with|yield|None)$/;
const widthOfLine = 110;

/** Turns `tag_values` into `TagValues`. */
const words = (name: string) =>
  name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Prints schemas, and collects the classes of objects that have no name of their own. */
export class Printer {
  readonly #within: string;
  /** Names of the schemas that were printed. */
  readonly references = new Set<string>();
  readonly classes: string[] = [];

  /** @param within name of the class, from which those of its nameless objects are made */
  constructor(within: string) {
    this.#within = within;
  }

  type(schema: Member, member = ""): Printed {
    if (schema === undefined || typeof schema === "boolean") return "Any";
    if (schema.$ref !== undefined) {
      const name = schema.$ref.split("/").at(-1) ?? "Any";
      this.references.add(name);
      return name;
    }
    if (schema.const !== undefined) return literal([schema.const]);
    if (schema.enum !== undefined) return literal(schema.enum);
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices !== undefined) return union(choices.map((choice) => this.type(choice, member)));
    if (Array.isArray(schema.type))
      return union(
        schema.type.map((type: NonNullable<Schema["type"]>) => this.type({ ...schema, type }, member)),
      );
    return this.#simple(schema, member);
  }

  /** The class of an object. `members` have their types already. */
  declare(name: string, doc: string | undefined, members: readonly (readonly [string, Printed])[]): void {
    const isClass = members.every(([key]) => /^[a-z_]\w*$/i.test(key) && !keywords.test(key));
    const head = doc === undefined ? [] : docLines(doc);
    const lines = isClass
      ? [`class ${name}(TypedDict):`, ...head, ...members.map(([key, type]) => `    ${key}: ${type}`)]
      : [
          `${name} = TypedDict("${name}", {`,
          ...members.map(([key, type]) => `    ${JSON.stringify(key)}: ${JSON.stringify(type)},`),
          "})",
        ];
    this.classes.push(lines.join("\n"));
  }

  object(name: string, { properties = {}, required = [], description }: Schema): void {
    const members = Object.entries(properties).map(([key, member]) => {
      const type = this.type(member, key);
      return [key, required.includes(key) ? type : `NotRequired[${type}]`] as const;
    });
    this.declare(name, description, members);
  }

  #simple(schema: Schema, member: string): Printed {
    switch (schema.type) {
      case "string":
        return "str";
      case "boolean":
        return "bool";
      case "null":
        return "None";
      case "integer":
        return "int";
      case "number":
        return "float";
      case "array":
        return `list[${this.#element(schema, member)}]`;
      case "object":
        return this.#nameless(schema, member);
      default:
        return "Any";
    }
  }

  /** Arrays of one element type; of those that have a type per place, all types. */
  #element({ items, prefixItems }: Schema, member: string): Printed {
    if (prefixItems !== undefined) return union(prefixItems.map((item) => this.type(item, member)));
    return this.type(Array.isArray(items) ? undefined : items, member);
  }

  #nameless(schema: Schema, member: string): Printed {
    const { properties, propertyNames, additionalProperties } = schema;
    if (properties === undefined) {
      const key = typeof propertyNames === "object" ? this.type(propertyNames) : "str";
      return `dict[${key}, ${this.type(additionalProperties)}]`;
    }
    const name = `${this.#within}${words(member)}`;
    this.object(name, { ...schema, description: undefined });
    return name;
  }
}

function docLines(doc: string): string[] {
  const line = `    """${doc.replaceAll("\\", "\\\\")}"""`;
  return line.length <= widthOfLine ? [line, ""] : [];
}

const constants = new Map<unknown, string>([
  [true, "True"],
  [false, "False"],
  [null, "None"],
]);

const literal = (values: readonly unknown[]): Printed =>
  `Literal[${values.map((value) => constants.get(value) ?? JSON.stringify(value)).join(", ")}]`;

function union(types: readonly Printed[]): Printed {
  const choices = types.flatMap((type) => (type.includes("[") ? [type] : type.split(" | ")));
  const nullable = choices.includes("None") ? ["None"] : [];
  return [...new Set(choices.filter((type) => type !== "None")), ...nullable].join(" | ");
}
