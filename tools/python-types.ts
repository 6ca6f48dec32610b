/**
 * `node tools/python-types.ts`: writes clients/python/tapewire/_types.py from the OpenAPI document. `npm run check` fails
 * while the committed file differs.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openApiDocument } from "../contract/src/description/openapi.ts";
import type { OpenApiDocument, Parameter, Schema } from "../contract/src/description/openapi-types.ts";
import { tagDictionary } from "../contract/src/tags.ts";
import { eventCatalogue } from "../scoring/src/flash/events/catalogue.ts";
import { Printer } from "./python-types/print.ts";

const root = join(import.meta.dirname, "..");
const target = join(root, "clients", "python", "tapewire", "_types.py");

const head = `"""The types of the wire.

Made by \`node tools/python-types.ts\` from the OpenAPI document; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Union

if TYPE_CHECKING:  # Python 3.11 has it in typing; checkers know it everywhere.
    from typing_extensions import NotRequired

# A time in a request: a datetime with its time zone, or RFC 3339 text.
Instant = Union[str, datetime]
# Alternatives in a query: one value, or several.
Values = Union[str, Sequence[str]]
`;

/** Lists whose queries have types; the other queries are arguments by name. */
const queries = { "/v1/feeds": "FeedsQuery", "/v1/feeds/stats": "FeedStatsQuery" } as const;
/** What callers give, and the item of streams and deliveries. */
const given = [
  "ScoreArtifact",
  "WebhookCreate",
  "WebhookUpdate",
  "SubscriptionFilters",
  "FieldError",
  "StreamItem",
];

/** The text of _types.py. */
export function pythonTypes(): string {
  const tags: unknown = JSON.parse(readFileSync(join(root, "config", "tags.json"), "utf8"));
  const dictionary = { tags: tagDictionary.parse(tags), events: eventCatalogue };
  const document = openApiDocument(dictionary, "http://127.0.0.1:8080");
  const { aliases, classes } = declarations(document);
  return `${[head + aliases.join("\n"), ...classes, ...queriesOf(document)].join("\n\n\n")}\n`;
}

/** Everything that the routes of a key answer, and what that refers to. */
function declarations({ components, paths }: OpenApiDocument) {
  const aliases: string[] = [];
  const classes: string[] = [];
  const done = new Set<string>();
  const visit = (name: string) => {
    const schema = components.schemas[name];
    if (done.has(name) || schema === undefined) return;
    done.add(name);
    const printer = new Printer(name);
    const isClass = schema.type === "object" && schema.properties !== undefined;
    const type = isClass ? printer.object(name, schema) : printer.type(schema);
    for (const reference of printer.references) visit(reference);
    // The text of an alias is run when the module is read: what it refers to stands before it, as text.
    if (isClass) classes.push(...printer.classes);
    else aliases.push(`${name} = ${runnable(type ?? "Any")}`);
  };
  for (const name of [...answersOf(paths), ...given]) visit(name);
  return { aliases, classes };
}

function runnable(type: string): string {
  const choices = type.split(" | ");
  return choices.length === 1 ? type : `Union[${choices.map((name) => JSON.stringify(name)).join(", ")}]`;
}

function answersOf(paths: OpenApiDocument["paths"]): string[] {
  const operations = Object.entries(paths)
    .filter(([path]) => path.startsWith("/v1/"))
    .flatMap(([, methods]) => Object.values(methods));
  return operations.flatMap(({ responses }) => {
    const success = Object.entries(responses).find(([status]) => status.startsWith("2"))?.[1];
    const content = success !== undefined && "content" in success ? success.content : undefined;
    return content?.["application/json"]?.schema.$ref?.split("/").at(-1) ?? [];
  });
}

function queriesOf({ paths }: OpenApiDocument): string[] {
  return Object.entries(queries).flatMap(([path, name]) => {
    const parameters = paths[path]?.get?.parameters.filter((one): one is Parameter => "in" in one) ?? [];
    const members = parameters.map((one) => [one.name, `NotRequired[${queryType(one)}]`] as const);
    if (members.length === 0) return [];
    const printer = new Printer(name);
    printer.declare(name, `Query of GET ${path}.`, members);
    return printer.classes;
  });
}

/** What a caller may give; the library turns it into the text of a query. */
function queryType({ name, schema }: Parameter): string {
  if (schema.enum?.join() === "true,false") return "bool";
  if (schema.format === "date-time") return "Instant";
  return isList(name, schema) ? "Values" : new Printer(name).type(schema);
}

const isList = (name: string, { type, enum: values }: Schema) =>
  type === "string" && values === undefined && name !== "cursor";

/** @returns whether the committed file is what this tool writes */
export function pythonTypesAreCurrent(): boolean {
  const isCurrent = readFileSync(target, "utf8") === pythonTypes();
  if (!isCurrent)
    console.error("clients/python/tapewire/_types.py is not current: run `node tools/python-types.ts`");
  return isCurrent;
}

if (import.meta.main) writeFileSync(target, pythonTypes());
