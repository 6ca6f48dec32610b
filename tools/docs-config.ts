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
    "Settings are environment variables. An empty variable counts as not set. With a wrong value the service does not start:",
    "it prints the name of the variable and ends with exit code 2. Relative paths start at the working directory, which",
    "`npm start` sets to the root of the repository.",
    "",
    ...table(["Variable", "Value", "Default", "Meaning"], rows),
    "",
    "The command line also reads `TAPEWIRE_URL` and `TAPEWIRE_KEY`; `npm run -s tapewire -- --help` explains them.",
    "",
    "For the sources file see [sources.md](sources.md).",
  ]);
}

function sourcesPage(): string {
  return lines([
    "# The sources file",
    "",
    `<!-- Made by \`node ${origin}\` from server/src/config/sources.ts; do not edit. -->`,
    "",
    "`config/sources.json`, or the file that `TAPEWIRE_SOURCES` names, lists the sources that items are read from. It is",
    "read at the start. With an unknown member, a wrong value or a repeated `id` the service does not start and ends with",
    "exit code 2.",
    "",
    "## The file",
    "",
    ...memberTable(sourcesFile),
    "",
    "## An entry of `sources`",
    "",
    ...memberTable(sourceConfig),
    "",
    "## Publication times",
    "",
    "`source_time` is the time that the source gives. `published_at` is the same time, with these exceptions, where it is the",
    "time of first sight:",
    "",
    "- The source gives no time, only a day, a time before 1990, or a time in the future.",
    "- A filing is released late.",
    "- An item of a later poll claims to be older than 400 days.",
    "",
    "The first poll of a source also keeps dates without a time, late filings and times older than 400 days. Of the latter it",
    "keeps the newest 24 months in a response, because each month needs tables of its own. Pushed items keep times of",
    "any age, back to 1990.",
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
    "# Copy this file to .env in the root of the repository. It is read at the start; the environment takes precedence.",
    ...entries,
  ]);
}

/** The parts of a JSON Schema that the tables need. */
const jsonSchema = z.looseObject({
  type: z.string().optional(),
  description: z.string().optional(),
  default: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  format: z.string().optional(),
  /** The pattern in words. */
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
  // A schema with an id is a reference in JSON Schema. The tables show it where it is used.
  const text = JSON.stringify(made, (_, value: unknown) => {
    const name = reference.safeParse(value).data?.$ref.replace("#/$defs/", "");
    const { id: _id, ...definition } = name === undefined ? {} : { ...$defs[name] };
    return name === undefined ? value : { ...definition, ...Object(value), $ref: undefined };
  });
  return jsonSchema.parse(JSON.parse(text));
}

/** The error message of a text schema, which says which texts it allows. */
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

/** The allowed values of a schema, in words. */
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
