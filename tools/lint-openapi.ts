/**
 * `node tools/lint-openapi.ts`: checks the OpenAPI document by our own rules, then by Redocly's strict ones, which include
 * the structure of OpenAPI 3.1. server/test/http/docs/openapi.test.ts checks the served document by ours.
 */
import { spawnSync } from "node:child_process";
import { mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OpenApiDocument, Operation, Schema } from "../contract/src/description/openapi-types.ts";
import { committedOpenApi, operationsOf, successOf } from "./contract-documents.ts";

const root = join(import.meta.dirname, "..");

/** What the document lacks by our own rules, one line each; empty when it lacks nothing. */
export function openApiProblems(document: OpenApiDocument): string[] {
  const { components } = document;
  return [
    ...operationsOf(document).flatMap(({ route, operation }) =>
      operationProblems(operation).map((problem) => `${route}: ${problem}`),
    ),
    ...Object.entries(components.parameters).flatMap(([name, { description, example }]) =>
      unless(description !== "" && example !== undefined, `parameter ${name}: no description or example`),
    ),
    ...Object.entries(components.schemas).flatMap(([name, schema]) => memberProblems(schema, name)),
    ...referenceProblems(document),
  ];
}

const unless = (holds: boolean, problem: string): string[] => (holds ? [] : [problem]);

function operationProblems(operation: Operation): string[] {
  const { summary, description, parameters, requestBody, responses, security } = operation;
  const json = requestBody?.content["application/json"];
  const answers = Object.values(successOf(operation) ?? {});
  return [
    ...unless(/^[A-Z].*[^.]$/.test(summary), "summary is to be a phrase"),
    ...unless(/^.*[.]$/.test(description), "description is to be of sentences"),
    ...parameters.flatMap((one) =>
      "$ref" in one || (one.description.endsWith(".") && one.example !== undefined)
        ? []
        : [`parameter ${one.name}: no description or example`],
    ),
    ...unless(requestBody === undefined || json?.example !== undefined, "no example of the request"),
    ...unless(
      answers.length > 0 && answers.every(({ example }) => example !== undefined),
      "no example of the answer",
    ),
    ...unless(
      ["400", ...(security.length === 0 ? [] : ["401", "429"])].every((status) => status in responses),
      "an error of every route is missing",
    ),
  ];
}

/** Members without a description; a reference has its own. */
function memberProblems(schema: Schema, path: string): string[] {
  const inner = Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    if (typeof member === "boolean") return [];
    const told = member.description !== undefined || member.$ref !== undefined;
    return [
      ...unless(told, `schema ${path}.${name}: no description`),
      ...memberProblems(member, `${path}.${name}`),
    ];
  });
  const items = typeof schema.items === "object" && !Array.isArray(schema.items) ? schema.items : {};
  const choices = (schema.anyOf ?? []).flatMap((one) =>
    typeof one === "boolean" ? [] : memberProblems(one, path),
  );
  return [
    ...inner,
    ...(Object.keys(items).length === 0 ? [] : memberProblems(items, `${path}[]`)),
    ...choices,
  ];
}

/** References without a target, and components without a reference. */
function referenceProblems(document: OpenApiDocument): string[] {
  const { securitySchemes, ...kinds } = document.components;
  const known = Object.entries(kinds).flatMap(([kind, all]) =>
    Object.keys(all).map((name) => `#/components/${kind}/${name}`),
  );
  const targets = new Set(refsOf(document));
  return [
    ...[...targets].filter((target) => !known.includes(target)).map((target) => `${target}: is not there`),
    ...known.filter((name) => !targets.has(name)).map((name) => `${name}: is used nowhere`),
  ];
}

function refsOf(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === "$ref" && typeof inner === "string" ? [inner] : refsOf(inner),
  );
}

/** Rules beyond Redocly's strict set, which leaves these off. */
const redoclyConfig = {
  extends: ["recommended-strict"],
  rules: {
    "no-invalid-parameter-examples": "error",
    "no-invalid-schema-examples": "error",
    "operation-description": "error",
    "parameter-description": "error",
    "tag-description": "error",
  },
};

/** @returns Redocly's output when it found errors, else null */
function redoclyFindings(document: OpenApiDocument): string | null {
  using folder = mkdtempDisposableSync(join(tmpdir(), "tapewire-lint-"));
  writeFileSync(join(folder.path, "openapi.json"), JSON.stringify(document, null, 2));
  writeFileSync(join(folder.path, "redocly.yaml"), JSON.stringify(redoclyConfig));
  const command = join(root, "node_modules", ".bin", "redocly");
  const ran = spawnSync(command, ["lint", "--format=stylish", "openapi.json"], {
    cwd: folder.path,
    encoding: "utf8",
    // Neither reports the run nor asks for a newer version.
    env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
    timeout: 60_000,
  });
  if (ran.error !== undefined) return `${command}: ${ran.error.message}`;
  return ran.status === 0 ? null : ran.stdout + ran.stderr;
}

/** Prints the problems of the contract's document and the committed tags. @returns true when there are none */
export function lintOpenApi(): boolean {
  const document = committedOpenApi();
  const problems = [...openApiProblems(document), redoclyFindings(document)].filter((one) => one !== null);
  for (const problem of problems) console.error(problem);
  return problems.length === 0;
}

if (import.meta.main && !lintOpenApi()) process.exitCode = 1;
