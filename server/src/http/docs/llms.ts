import { asyncApiDocument } from "@tapewire/contract/description/asyncapi.ts";
import { guide } from "@tapewire/contract/description/guide.ts";
import type {
  Content,
  OpenApiDocument,
  Operation,
  Schema,
} from "@tapewire/contract/description/openapi-types.ts";
import { errorTable } from "@tapewire/contract/errors/errors.ts";
import type { PlanTable } from "@tapewire/contract/plans.ts";
import type { Dictionary } from "@tapewire/contract/tags.ts";
import { componentOf, membersOf, type TypeText, typeOf } from "./schema-text.ts";

/**
 * The whole interface as plain text for language models, in the form of llms.txt: a title, a summary in a quote, the
 * text without headings, then headings with links only.
 */
export function llmsText(document: OpenApiDocument, plans: PlanTable): string {
  const { info, servers, components } = document;
  const base = servers[0].url;
  return [
    `# ${info.title} API`,
    `> ${info.summary} REST and a WebSocket stream at ${base}; version ${info.version}. This text is the whole interface.`,
    ...guide(base).map(({ title, text }) => `**${title}**\n\n${text}`),
    `**Error codes**\n\n${errorLines()}`,
    `**Plans**\n\n${planLines(plans)}`,
    ...endpoints(document),
    ...streamTexts(document),
    "**Schemas**. A member `name?` may be absent.",
    ...Object.entries(components.schemas).map(([name, schema]) => schemaText(name, schema)),
    "## Description",
    [
      `- [OpenAPI 3.1](${base}/openapi.json): the same for programs, with an example of every request, response and error`,
      `- [AsyncAPI 3.0](${base}/asyncapi.json): the stream for programs, with examples of every frame`,
      `- [Reference page](${base}/docs): the same for people`,
    ].join("\n"),
    "",
  ].join("\n\n");
}

function errorLines(): string {
  return Object.entries(errorTable)
    .map(([code, { status, message, help }]) => `- ${status} ${code}: ${message}. ${help}`)
    .join("\n");
}

function planLines(plans: PlanTable): string {
  return Object.entries(plans)
    .map(([name, plan]) => `- ${name}: ${JSON.stringify(plan)}`)
    .join("\n");
}

function endpoints({ paths, components }: OpenApiDocument): string[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      [
        `**${method.toUpperCase()} ${path}** (${access(operation)}): ${operation.summary}. ${operation.description}`,
        ...parameterLines(operation),
        ...(operation.requestBody === undefined
          ? []
          : [`- body: ${contentText(operation.requestBody.content)}`]),
        ...answerLines(operation, components.responses),
        `\n\`\`\`\n${operation["x-codeSamples"][0].source}\n\`\`\``,
      ].join("\n"),
    ),
  );
}

function access({ security }: Operation): string {
  return { key: "API key", admin: "admin token" }[security.flatMap(Object.keys)[0] ?? ""] ?? "open";
}

/** The guide explains the headers, so only their names are listed here. */
function parameterLines({ parameters }: Operation): string[] {
  const headers = parameters.flatMap((one) => ("$ref" in one ? [componentOf(one.$ref)] : []));
  const lines = parameters.flatMap((one) => {
    if ("$ref" in one) return [];
    const { name, in: where, schema, description, example } = one;
    return [`- ${where} \`${name}\`: ${plain(typeOf(schema))}. ${description} Example: ${String(example)}`];
  });
  return headers.length === 0 ? lines : [...lines, `- headers: ${headers.join(", ")}`];
}

function answerLines(
  { responses }: Operation,
  components: OpenApiDocument["components"]["responses"],
): string[] {
  const errors: string[] = [];
  const others = Object.entries(responses).flatMap(([status, one]) => {
    const { content } = ("$ref" in one ? components[componentOf(one.$ref)] : one) ?? {};
    const codes = Object.values(content ?? {}).flatMap(({ examples = {} }) => Object.keys(examples));
    if (codes.length > 0) errors.push(`${status} ${codes.join(", ")}`);
    return codes.length > 0
      ? []
      : [`- ${status}: ${content === undefined ? "no body" : contentText(content)}`];
  });
  return [...others, `- errors: ${errors.join("; ")}`];
}

function contentText(content: Content): string {
  return Object.entries(content)
    .map(([type, { schema }]) => (type === "application/json" ? plain(typeOf(schema)) : `or ${type}`))
    .join(" ");
}

/** The list's parameters have the tag values. Filters here refer to them. */
const noValues = { label: "", values: [] };
const noDictionary: Dictionary = {
  tags: {
    corp_activity: noValues,
    market: noValues,
    market_country: { label: "" },
    economic_category: noValues,
  },
  events: [],
};

function streamTexts({ servers, components }: OpenApiDocument): string[] {
  const base = servers[0].url;
  const { channels, components: ofStream } = asyncApiDocument(noDictionary, base);
  const { FeedItem: listed = {} } = components.schemas;
  const schemas = Object.entries(ofStream.schemas).filter(([name]) => !(name in components.schemas));
  const address = `${base.replace(/^http/, "ws")}${channels.stream.address}`;
  return [
    `**WebSocket ${address}** (API key as \`?api_key=\` or in Authorization; server-sent events for browsers: GET ${base}/v1/stream/sse?api_key=): ${channels.stream.description}`,
    "**Frames**: the client sends subscribe, unsubscribe and ping; the server sends all others.",
    Object.values(ofStream.messages)
      .map(({ name, summary, payload }) => `- ${name}: ${summary} ${frameMembers(payload)}`)
      .join("\n"),
    ...schemas.map(([name, schema]) =>
      name === "StreamItem" ? itemText(schema, listed) : schemaText(name, aboutTags(schema)),
    ),
  ];
}

function frameMembers(payload: Schema): string {
  const members = membersOf(payload).filter(({ name }) => name !== "type");
  const told = members.map(({ name, required, type, description }) => {
    const about = description === "" ? "" : ` (${description.replace(/\.$/, "")})`;
    return `\`${name}${required ? "" : "?"}\` ${plain(type)}${about}`;
  });
  return told.length === 0 ? "No members." : `Members: ${told.join("; ")}.`;
}

/** The members of a stream item that differ from the list. */
function itemText({ properties = {} }: Schema, { properties: listed = {} }: Schema): string {
  const own = Object.entries(properties).filter(
    ([name, schema]) => plain(typeOf(schema)) !== plain(typeOf(listed[name])),
  );
  const members = own.map(([name, schema]) => `\`${name}\` is ${plain(typeOf(schema))}`);
  return `**StreamItem**: a FeedItem whose ${members.join(", ")}.`;
}

function aboutTags(schema: Schema): Schema {
  const tags = schema.properties?.tags;
  if (typeof tags !== "object") return schema;
  const named = Object.keys(tags.properties ?? {}).map((name) => [
    name,
    { type: "array", items: { type: "string" }, description: `Values of \`${name}\` in GET /v1/feeds.` },
  ]);
  return {
    ...schema,
    properties: { ...schema.properties, tags: { ...tags, properties: Object.fromEntries(named) } },
  };
}

const plain = (text: TypeText) => text.map((part) => (typeof part === "string" ? part : part.ref)).join("");

function schemaText(name: string, schema: Schema): string {
  const members = membersOf(schema);
  const about = schema.description === undefined ? "" : `: ${schema.description}`;
  if (members.length === 0) return `**${name}**${about} ${plain(typeOf(schema))}`;
  return [
    `**${name}**${about}`,
    ...members.map(
      ({ name: member, required, type, description }) =>
        `- ${member}${required ? "" : "?"}: ${plain(type)}${description === "" ? "" : `. ${description}`}`,
    ),
  ].join("\n");
}
