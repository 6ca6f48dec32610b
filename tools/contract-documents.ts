/** The documents of the interface as the tools read them: with the committed tags, as of a service on this machine. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openApiDocument } from "../contract/src/description/openapi.ts";
import type {
  Content,
  OpenApiDocument,
  Operation,
  Schema,
} from "../contract/src/description/openapi-types.ts";
import { type Dictionary, tagDictionary } from "../contract/src/tags.ts";
import { eventCatalogue } from "../scoring/src/flash/events/catalogue.ts";

const root = join(import.meta.dirname, "..");
export const serviceUrl = "http://127.0.0.1:8080";

export function committedDictionary(): Dictionary {
  const tags: unknown = JSON.parse(readFileSync(join(root, "config", "tags.json"), "utf8"));
  return { tags: tagDictionary.parse(tags), events: eventCatalogue };
}

export const committedOpenApi = (): OpenApiDocument => openApiDocument(committedDictionary(), serviceUrl);

/** Every operation with its route, such as `GET /v1/feeds`. */
export const operationsOf = ({ paths }: OpenApiDocument) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      route: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  );

/** What a call that succeeds is answered with, by media type; undefined: nothing. */
export function successOf({ responses }: Operation): Content | undefined {
  const success = Object.entries(responses).find(([status]) => status.startsWith("2"))?.[1];
  return success !== undefined && "content" in success ? success.content : undefined;
}

export const jsonAnswerOf = (operation: Operation): Schema | undefined =>
  successOf(operation)?.["application/json"]?.schema;

/** Whether the committed file is what the tool writes; when it is not, says which tool to run. */
export function isCurrent(path: string, { text, tool }: { text: string; tool: string }): boolean {
  const same = readFileSync(join(root, path), "utf8") === text;
  if (!same) console.error(`${path} is not current: run \`node ${tool}\``);
  return same;
}
