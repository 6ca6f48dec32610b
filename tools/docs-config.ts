/**
 * `node tools/docs-config.ts`: writes docs/config.md, docs/sources.md and .env.example from the tables that the service
 * itself reads. server/test/docs/config.test.ts fails while a committed file differs.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { settings } from "../server/src/config/config.ts";
import { sourceConfig, sourcesFile } from "../server/src/config/sources.ts";

const origin = "tools/docs-config.ts";

/** The generated files: text by path from the root. */
export function configDocuments(): Readonly<Record<string, string>> {
  return { "docs/config.md": configPage(), "docs/sources.md": sourcesPage(), ".env.example": envExample() };
}

function configPage(): string {
  const rows = Object.values(settings).map(({ env, doc, shown, secret, parse }) => [
    `\`${env}\``,
    wordsFor(schemaOf(parse, "output")),
    shown === "" ? "(none)" : `\`${shown}\``,
    `${doc}${secret ? " Secret." : ""}`,
  ]);
  return lines([
    "# Settings",
    "",
    `<!-- Made by \`node ${origin}\` from server/src/config/config.ts; do not edit. -->`,
    "",
    "Settings are environment variables. An empty one counts as not set. A wrong one ends the start with exit code 2 and",
    "a message that names it. Relative paths start at the working directory; `npm start` sets that to the repository root.",
    "",
    ...table(["Variable", "Value", "Default", "Meaning"], rows),
    "",
    "The command line reads some of these and two of its own, `TAPEWIRE_URL` and `TAPEWIRE_KEY`:",
    "`npm run -s tapewire -- --help` tells.",
    "",
    "The members of the sources file are in [sources.md](sources.md).",
  ]);
}

function sourcesPage(): string {
  return lines([
    "# The sources file",
    "",
    `<!-- Made by \`node ${origin}\` from server/src/config/sources.ts; do not edit. -->`,
    "",
    "`config/sources.json`, or the file that `TAPEWIRE_SOURCES` names, lists the channels that items are read from. It is",
    "read at the start. An unknown member, a wrong value or a repeated `id` ends the start with exit code 2.",
    "",
    "## The file",
    "",
    ...memberTable(sourcesFile),
    "",
    "## An entry of `sources`",
    "",
    ...memberTable(sourceConfig),
    "",
    "## The times of its items",
    "",
    "`published_at` is the time that the source gives; `source_time` has it in any case. The time of first sight counts where",
    "the source gives none, only a day, or one in the future, and for a filing that is released late. What is read live counts",
    "from first sight too when it claims to be older than 400 days. The first walk over a source, before which nobody reads it,",
    "believes all its times, but fills at most the newest 24 of the months before that in one answer: each month is a set of",
    "tables. Pushed items keep the time that they are given, whatever their age.",
  ]);
}

function envExample(): string {
  const entries = Object.values(settings).flatMap(({ env, doc, shown, secret }) => [
    "",
    `# ${doc}`,
    `#${env}=${secret ? "" : shown}`,
  ]);
  return lines([
    `# Made by \`node ${origin}\`; do not edit. Every setting with its default.`,
    "# Copied to .env in the folder of the project it is read at the start; the environment itself goes before it.",
    ...entries,
  ]);
}

/** What the tables need of a JSON Schema. */
const jsonSchema = z.looseObject({
  type: z.string().optional(),
  description: z.string().optional(),
  default: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  format: z.string().optional(),
  /** The words of a pattern. */
  patternWords: z.string().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  minimum: z.number().optional(),
  exclusiveMinimum: z.number().optional(),
  maximum: z.number().optional(),
  required: z.array(z.string()).optional(),
  get properties() {
    return z.record(z.string(), jsonSchema).optional();
  },
  get items() {
    return jsonSchema.optional();
  },
  get anyOf() {
    return z.array(jsonSchema).optional();
  },
});
const reference = z.looseObject({ $ref: z.string() });
type JsonSchema = z.infer<typeof jsonSchema>;

function schemaOf(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  const { $defs = {}, ...made } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema: described }) => {
      if (described.pattern !== undefined) described.patternWords = refusalOf(zodSchema);
    },
  });
  // A schema that has an id is referred to; here each is shown where it is used.
  const text = JSON.stringify(made, (_, value: unknown) => {
    const name = reference.safeParse(value).data?.$ref.replace("#/$defs/", "");
    const { id: _id, ...definition } = name === undefined ? {} : { ...$defs[name] };
    return name === undefined ? value : { ...definition, ...Object(value), $ref: undefined };
  });
  return jsonSchema.parse(JSON.parse(text));
}

/** What a schema of text says of a text that fits no pattern, which is what would have fitted. */
function refusalOf(schema: z.core.$ZodType): string {
  const [issue] = z.core.safeParse(schema, "\u0000").error?.issues ?? [];
  return (issue?.message ?? "text").replace(/^must be /, "");
}

function memberTable(schema: z.ZodObject): string[] {
  const { properties = {}, required = [] } = schemaOf(schema, "input");
  const rows = Object.entries(properties).map(([name, member]) => [
    `\`${name}\``,
    wordsFor(member),
    required.includes(name)
      ? "required"
      : member.default === undefined
        ? "(none)"
        : `\`${JSON.stringify(member.default)}\``,
    member.description ?? "",
  ]);
  return table(["Member", "Value", "Default", "Meaning"], rows);
}

/** The values that a schema allows, in words. */
function wordsFor(schema: JsonSchema): string {
  if (schema.enum !== undefined) return choice(schema.enum.map((value) => `\`${String(value)}\``));
  if (schema.anyOf !== undefined) return choice(schema.anyOf.map(wordsFor));
  switch (schema.type) {
    case "integer":
      return `integer${bounds(schema)}`;
    case "number":
      return `number${bounds(schema)}`;
    case "boolean":
      return "`true` or `false`";
    case "array":
      return schema.items?.enum === undefined ? "list" : `any of ${wordsFor(schema.items)}, comma-separated`;
    case "null":
      return "`null`";
    default:
      return textOf(schema);
  }
}

function textOf({ format, patternWords, minLength, maxLength }: JsonSchema): string {
  if (format === "uri") return "http(s) address";
  if (patternWords !== undefined) return patternWords;
  if (minLength !== undefined && minLength === maxLength) return `text of ${minLength} characters`;
  return maxLength === undefined ? "text" : `text, at most ${maxLength} characters`;
}

function bounds({ minimum, exclusiveMinimum, maximum }: JsonSchema): string {
  const low = exclusiveMinimum === undefined ? minimum : `above ${exclusiveMinimum}`;
  return low === undefined || maximum === undefined ? "" : `, ${low} to ${maximum}`;
}

function choice(values: readonly string[]): string {
  const last = values.at(-1) ?? "";
  return values.length < 2 ? last : `${values.slice(0, -1).join(", ")} or ${last}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)];
}

function lines(text: readonly string[]): string {
  return `${text.join("\n")}\n`;
}

if (import.meta.main) {
  const root = join(import.meta.dirname, "..");
  for (const [path, text] of Object.entries(configDocuments())) {
    writeFileSync(join(root, path), text);
    console.log(path);
  }
}
