/**
 * `node tools/python-types.ts`: writes clients/python/tapewire/_types.py from the OpenAPI document. `npm run check` fails
 * while the committed file differs.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { OpenApiDocument, Parameter, Schema } from "../contract/src/description/openapi-types.ts";
import { committedOpenApi, isCurrent, jsonAnswerOf, operationsOf } from "./contract-documents.ts";
import { Printer } from "./python-types/print.ts";

const root = join(import.meta.dirname, "..");
const target = "clients/python/tapewire/_types.py";

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
  const document = committedOpenApi();
  const { aliases, classes } = declarations(document);
  return `${[head + aliases.join("\n"), ...classes, ...queriesOf(document)].join("\n\n\n")}\n`;
}

/** Everything that the routes of a key answer, and what that refers to. */
function declarations(document: OpenApiDocument) {
  const { schemas } = document.components;
  const aliases: string[] = [];
  const classes: string[] = [];
  const done = new Set<string>();
  const visit = (name: string) => {
    const schema = schemas[name];
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
  for (const name of [...answersOf(document), ...given]) visit(name);
  return { aliases, classes };
}

function runnable(type: string): string {
  const choices = type.split(" | ");
  return choices.length === 1 ? type : `Union[${choices.map((name) => JSON.stringify(name)).join(", ")}]`;
}

const answersOf = (document: OpenApiDocument): string[] =>
  operationsOf(document)
    .filter(({ path }) => path.startsWith("/v1/"))
    .flatMap(({ operation }) => jsonAnswerOf(operation)?.$ref?.split("/").at(-1) ?? []);

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
export const pythonTypesAreCurrent = (): boolean =>
  isCurrent(target, { text: pythonTypes(), tool: "tools/python-types.ts" });

if (import.meta.main) writeFileSync(join(root, target), pythonTypes());
