import { guide } from "@tapewire/contract/description/guide.ts";
import type {
  Content,
  OpenApiDocument,
  Operation,
  Parameter,
  Reference,
  Schema,
} from "@tapewire/contract/description/openapi-types.ts";
import { errorTable } from "@tapewire/contract/errors/errors.ts";
import type { PlanTable } from "@tapewire/contract/plans.ts";
import { codeBlock, type Html, html, inline, nothing, prose, table } from "./html.ts";
import { componentOf, type Member, membersOf, type TypeText, typeOf } from "./schema-text.ts";
import { docsStyle } from "./style.ts";

interface Entry {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** The reference as one static HTML page without scripts: headings, anchors, tables, a curl line per endpoint. */
export function referencePage(document: OpenApiDocument, plans: PlanTable): string {
  const { info, servers, tags, components } = document;
  const chapters = guide(servers[0].url);
  const entries = entriesOf(document);
  // Behind a proxy the service may have a path prefix and several host names.
  const root = new URL(servers[0].url).pathname.replace(/\/+$/, "");
  const extras: Readonly<Record<string, Html>> = {
    requests: headerRows(document),
    errors: errorRows(),
    limits: planRows(plans),
  };
  const schemas = Object.entries(components.schemas).sort(([a], [b]) => (a < b ? -1 : 1));
  const page = html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${info.summary}">
<title>${info.title} API reference</title>
<link rel="alternate" type="application/json" href="${root}/openapi.json" title="OpenAPI 3.1">
<link rel="alternate" type="application/json" href="${root}/asyncapi.json" title="AsyncAPI 3.0">
<style>STYLE</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header><a class="name" href="${root}/docs">${info.title}</a> <span>API ${info.version}</span> <span class="links"><a href="${root}/openapi.json">openapi.json</a> <a href="${root}/asyncapi.json">asyncapi.json</a> <a href="${root}/llms.txt">llms.txt</a></span></header>
<div class="columns">
${contents(document, entries)}
<main id="content">
<h1>${info.title} API</h1>
<p class="lead">${info.summary}</p>
<p>Base address <code>${servers[0].url}</code></p>
${chapters.map(
  ({ id, title, text }) =>
    html`<section><h2 id="${id}">${title}</h2>${prose(text)}${extras[id] ?? nothing}</section>\n`,
)}
${tags.map(
  ({ name, description }) =>
    html`<section><h2 id="section-${name}">${capital(name)}</h2><p>${inline(description)}</p>${entries
      .filter(({ operation }) => operation.tags[0] === name)
      .map((entry) => endpoint(entry, document))}</section>\n`,
)}
<section><h2 id="schemas">Schemas</h2><p>Members marked * are always present.</p>
${schemas.map(([name, schema]) => schemaSection(name, schema))}</section>
</main>
</div>
</body>
</html>
`;
  return page.markup.replace("STYLE", () => docsStyle);
}

function entriesOf(document: OpenApiDocument): Entry[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

const capital = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1);

function contents({ tags, servers }: OpenApiDocument, entries: readonly Entry[]): Html {
  return html`<nav aria-label="Contents"><ul>${guide(servers[0].url).map(
    ({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`,
  )}</ul>${tags.map(
    ({ name }) =>
      html`<a class="group" href="#section-${name}">${capital(name)}</a><ul>${entries
        .filter(({ operation }) => operation.tags[0] === name)
        .map(
          ({ method, path, operation }) =>
            html`<li><a href="#${operation.operationId}"><span class="method">${method}</span> ${path}</a></li>`,
        )}</ul>`,
  )}<a class="group" href="#schemas">Schemas</a></nav>`;
}

function endpoint({ method, path, operation }: Entry, document: OpenApiDocument): Html {
  const { operationId, summary, description, requestBody } = operation;
  const parameters = operation.parameters.map((one) => resolved(one, document.components.parameters));
  const [sample] = operation["x-codeSamples"];
  return html`<article><h3 id="${operationId}">${summary} <a class="anchor" href="#${operationId}" aria-label="Link to ${summary}">#</a></h3>
<p class="address"><span class="method">${method}</span> <code>${path}</code> ${access(operation)}</p>
<p>${inline(description)}</p>
${codeBlock(sample.source)}
${parameters.length === 0 ? nothing : parameterTable(parameters, summary)}
${requestBody === undefined ? nothing : html`<h4>Body</h4>${media(requestBody.content, `body of ${summary}`, document)}`}
<h4>Responses</h4>
${Object.entries(operation.responses).map(([status, answer]) => answerBlock(status, answer, summary, document))}
</article>
`;
}

function access({ security }: Operation): Html {
  const scheme = security.flatMap(Object.keys)[0];
  if (scheme === undefined) return html`<span class="access">open</span>`;
  return html`<a class="access" href="#authentication">${scheme === "admin" ? "admin token" : "API key"}</a>`;
}

function resolved<T extends object>(found: T | Reference, components: Readonly<Record<string, T>>): T {
  if (!("$ref" in found)) return found;
  const component = components[componentOf(found.$ref)];
  if (component === undefined) throw new TypeError(`${found.$ref} is not in the document`);
  return component;
}

function parameterTable(parameters: readonly Parameter[], summary: string): Html {
  const rows = parameters.map(
    ({ name, in: where, required, schema, description, example }) =>
      html`<tr><th scope="row"><code>${name}</code>${required ? "*" : ""}</th><td>${where}</td><td>${type(typeOf(schema))}</td><td>${inline(description)} <span class="example">Example: <code>${String(example)}</code></span></td></tr>`,
  );
  return html`<h4>Parameters</h4>${table(`Parameters of ${summary}`, ["Name", "In", "Type", "Meaning"], rows)}`;
}

function type(text: TypeText): Html {
  return html`${text.map((part) =>
    typeof part === "string" ? html`${part}` : html`<a href="#schema-${part.ref}">${part.ref}</a>`,
  )}`;
}

function media(content: Content, label: string, { components }: OpenApiDocument): Html {
  return html`${Object.entries(content).map(([mediaType, { schema, example }]) => {
    const members =
      schema.$ref === undefined ? [] : membersOf(components.schemas[componentOf(schema.$ref)] ?? {});
    const folded = [
      ...(members.length === 0
        ? []
        : [fold("Members", label, memberTable(members, `Members of the ${label}`))]),
      ...(example === undefined ? [] : [fold("Example", label, codeBlock(JSON.stringify(example, null, 2)))]),
    ];
    return html`<p><code>${mediaType}</code> ${type(typeOf(schema))}</p>${folded}`;
  })}`;
}

/** The hidden text tells users of screen readers what the section belongs to. */
function fold(title: string, label: string, content: Html): Html {
  return html`<details><summary>${title}<span class="hidden"> of the ${label}</span></summary>${content}</details>`;
}

function memberTable(members: readonly Member[], label: string): Html {
  const rows = members.map(
    ({ name, required, type: shown, description }) =>
      html`<tr><th scope="row"><code>${name}</code>${required ? "*" : ""}</th><td>${type(shown)}</td><td>${inline(description)}</td></tr>`,
  );
  return table(label, ["Member", "Type", "Meaning"], rows);
}

function answerBlock(
  status: string,
  answer: Operation["responses"][string],
  summary: string,
  document: OpenApiDocument,
): Html {
  const { description, headers, content } = resolved(answer, document.components.responses);
  const codes = Object.values(content ?? {}).flatMap(({ examples = {} }) => Object.keys(examples));
  if (codes.length > 0)
    return html`<p class="answer error"><strong>${status}</strong> ${codes.map((code) => html`<a href="#error-${code}"><code>${code}</code></a> `)}</p>`;
  const names = Object.keys(headers);
  return html`<p class="answer"><strong>${status}</strong> ${inline(description)} <span class="headers">Headers: ${names.join(", ")}</span></p>${content === undefined ? nothing : media(content, `response of ${summary}`, document)}`;
}

function schemaSection(name: string, schema: Schema): Html {
  const members = membersOf(schema);
  const about = schema.description === undefined ? nothing : html`<p>${inline(schema.description)}</p>`;
  const shape =
    members.length === 0 ? html`<p>${type(typeOf(schema))}</p>` : memberTable(members, `Members of ${name}`);
  return html`<article><h3 id="schema-${name}">${name}</h3>${about}${shape}</article>\n`;
}

function headerRows({ components }: OpenApiDocument): Html {
  const rows = Object.entries(components.headers).map(
    ([name, { description, example }]) =>
      html`<tr><th scope="row"><code>${name}</code></th><td>${inline(description)}</td><td><code>${example}</code></td></tr>`,
  );
  return table("Response headers", ["Header", "Meaning", "Example"], rows);
}

function errorRows(): Html {
  const rows = Object.entries(errorTable).map(
    ([code, { status, message, help }]) =>
      html`<tr id="error-${code}"><th scope="row"><code>${code}</code></th><td>${status}</td><td>${message}.</td><td>${inline(help)}</td></tr>`,
  );
  return table("Errors", ["Code", "Status", "Meaning", "What to do"], rows);
}

function planRows(plans: PlanTable): Html {
  const cap = (most: number | null) => (most === null ? "no limit" : most.toLocaleString("en"));
  const rows = Object.entries(plans).map(
    ([name, plan]) =>
      html`<tr><th scope="row">${capital(name)}</th><td>${plan.feed_list === null ? "no list" : `${plan.feed_list.page_default}, at most ${cap(plan.feed_list.page_max)}`}</td><td>${cap(plan.realtime_feeds_per_day)}${plan.scores_visible ? "" : ", scores locked"}</td><td>${plan.score_per_day === 0 ? "none" : cap(plan.score_per_day)}</td><td>${plan.replay ? "yes" : "no"}</td><td>${cap(plan.requests_per_minute)}</td><td>${plan.stream_connections}</td><td>${cap(plan.webhook_endpoints)}</td></tr>`,
  );
  return table(
    "Limits of the plans",
    [
      "Plan",
      "Page size",
      "Realtime items per day",
      "Scored texts per day",
      "Replay",
      "Requests per minute",
      "Streams",
      "Webhooks",
    ],
    rows,
  );
}
