/**
 * `node tools/sdk-types.ts`: writes sdk/src/types.ts from the OpenAPI and AsyncAPI documents, so that the client library
 * knows the wire without depending on the contract. `npm run check` fails while the committed file differs.
 */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { asyncApiDocument } from "../contract/src/description/asyncapi.ts";
import type {
  OpenApiDocument,
  Operation,
  Parameter,
  Schema,
} from "../contract/src/description/openapi-types.ts";
import {
  committedDictionary,
  committedOpenApi,
  isCurrent,
  jsonAnswerOf,
  operationsOf,
  serviceUrl,
} from "./contract-documents.ts";
import { declared, named, type Printed, printed, words } from "./sdk-types/print.ts";

const root = join(import.meta.dirname, "..");
const target = "sdk/src/types.ts";

const head = `/**
 * The types of the wire.
 * Made by \`node tools/sdk-types.ts\` from the OpenAPI and AsyncAPI documents; do not edit.
 */

/** A time in a request: a Date, or RFC 3339 text. */
export type Instant = string | Date;
/** Alternatives in a query: one value, or several. */
export type Values = string | readonly string[];
`;

/** The text of sdk/src/types.ts. */
export function sdkTypes(): string {
  const rest = committedOpenApi();
  const stream = asyncApiDocument(committedDictionary(), serviceUrl);
  const schemas = { ...stream.components.schemas, ...rest.components.schemas };
  const frames = Object.values(stream.components.messages).map(({ name, summary, payload }) => ({
    name: `${words(name)}Frame`,
    type: name,
    text: declared(`${words(name)}Frame`, { ...payload, description: summary }),
  }));
  const received = Object.values(stream.operations)
    .filter(({ action }) => action === "receive")
    .flatMap(({ messages }) => messages.map(({ $ref }) => $ref.split("/").at(-1)));
  const union = (name: string, doc: string, sent: boolean) =>
    `/** ${doc} */\nexport type ${name} = ${frames
      .filter(({ type }) => received.includes(type) === sent)
      .map((frame) => frame.name)
      .join(" | ")};`;
  return formatted(
    [
      head,
      ...Object.entries(schemas).map(([name, schema]) => declared(name, schema)),
      ...queries(rest),
      routes(rest),
      ...frames.map(({ text }) => text),
      union("ClientFrame", "Frames that a client sends.", true),
      union("ServerFrame", "Frames that the server sends.", false),
      closeCodes(stream.channels.stream["x-close-codes"]),
    ].join("\n\n"),
  );
}

const parametersOf = ({ parameters }: Operation, where: Parameter["in"]) =>
  parameters.filter((one): one is Parameter => "in" in one && one.in === where);

const queryName = ({ operationId }: Operation) => `${words(operationId)}Query`;

function queries(document: OpenApiDocument): string[] {
  return operationsOf(document).flatMap(({ operation, route }) => {
    const parameters = parametersOf(operation, "query");
    if (parameters.length === 0) return [];
    const members = parameters.map(({ name, description, schema }) =>
      named(name, { type: queryType(name, schema), doc: description, optional: true }),
    );
    return [
      `/** Query of ${route}. */\nexport interface ${queryName(operation)} {\n${members.join("\n")}\n}`,
    ];
  });
}

/** What a caller may give. The library turns it into the text of a query. */
function queryType(name: string, schema: Schema): Printed {
  if (schema.enum?.join() === "true,false") return "boolean";
  if (schema.format === "date-time" || name === "until") return "Instant";
  const isList = schema.type === "string" && schema.enum === undefined && !/^(cursor|after)$/.test(name);
  return isList ? "Values" : printed(schema);
}

/** Every route with what it takes and returns: the one place where paths and types meet. */
function routes(document: OpenApiDocument): string {
  const entries = operationsOf(document).flatMap(({ route, operation }) => {
    const answer = jsonAnswerOf(operation);
    if (answer === undefined) return [];
    const paths = parametersOf(operation, "path").map(({ name }) => `${name}: string`);
    const body = operation.requestBody?.content["application/json"]?.schema;
    const takesKey = operation.parameters.some(
      (one) => "$ref" in one && one.$ref.endsWith("/Idempotency-Key"),
    );
    return [
      [
        `/** ${operation.summary}. */`,
        `"${route}": {`,
        `params: ${paths.length === 0 ? "undefined" : `{ ${paths.join("; ")} }`};`,
        `query: ${parametersOf(operation, "query").length === 0 ? "undefined" : queryName(operation)};`,
        `body: ${body === undefined ? "undefined" : printed(body)};`,
        `response: ${printed(answer)};`,
        `idempotent: ${takesKey};`,
        "};",
      ].join("\n"),
    ];
  });
  return `/** Every route: what it takes and what it returns. idempotent: whether it takes an Idempotency-Key. */\nexport interface Routes {\n${entries.join("\n")}\n}`;
}

function closeCodes(codes: readonly { code: number; meaning: string; reconnect: string }[]): string {
  const lines = codes.map(
    ({ code, meaning, reconnect }) => ` * - ${code}: ${meaning}. Reconnect: ${reconnect}.`,
  );
  return `/**\n * Codes with which the server closes a stream.\n${lines.join("\n")}\n */\nexport type CloseCode = ${codes.map(({ code }) => code).join(" | ")};`;
}

function formatted(source: string): string {
  const biome = join(root, "node_modules", ".bin", "biome");
  const ran = spawnSync(biome, ["format", `--stdin-file-path=${join(root, target)}`], {
    cwd: root,
    encoding: "utf8",
    input: source,
  });
  if (ran.status !== 0) throw new Error(`biome could not format the types: ${ran.error ?? ran.stderr}`);
  return ran.stdout;
}

/** @returns whether the committed file is what this tool writes */
export const sdkTypesAreCurrent = (): boolean =>
  isCurrent(target, { text: sdkTypes(), tool: "tools/sdk-types.ts" });

if (import.meta.main) writeFileSync(join(root, target), sdkTypes());
