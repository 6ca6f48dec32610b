import { problem } from "@tapewire/contract/errors/errors.ts";
import { Ajv2020 } from "ajv/dist/2020.js";
import { z } from "zod";
import type { Answer, Client, Sent } from "./client.ts";

const reference = z.object({ $ref: z.string() });
const schema = z.record(z.string(), z.unknown());
const parameter = z.object({
  name: z.string(),
  in: z.enum(["path", "query", "header"]),
  required: z.boolean().default(false),
  schema,
});
const content = z.record(z.string(), z.object({ schema }));
const response = z.object({
  headers: z.record(z.string(), z.union([reference, z.object({ schema })])).default({}),
  content: content.default({}),
});
const operation = z.object({
  operationId: z.string(),
  security: z.array(z.record(z.string(), z.unknown())),
  parameters: z.array(z.union([reference, parameter])).default([]),
  requestBody: z.object({ content }).optional(),
  responses: z.record(z.string(), z.union([reference, response])),
});
const openApi = z.object({
  openapi: z.string(),
  info: z.object({ version: z.string() }),
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.object({
    schemas: z.record(z.string(), schema).default({}),
    responses: z.record(z.string(), response).default({}),
    parameters: z.record(z.string(), parameter).default({}),
  }),
});
type OpenApi = z.infer<typeof openApi>;
export type JsonSchema = z.infer<typeof schema>;
export type Parameter = z.infer<typeof parameter>;

/** One operation of the published description. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  /** With `{name}` for path parameters. */
  readonly path: string;
  readonly auth: "key" | "admin" | "session" | "none";
  readonly parameters: readonly Parameter[];
  /** Schemas of the request body by media type. */
  readonly bodies: Readonly<Record<string, JsonSchema>>;
  /** Names of response headers, by status. */
  readonly headers: Readonly<Record<string, readonly string[]>>;
  /** The response is a stream that does not end. */
  readonly endless: boolean;
}

const authNames = ["admin", "session", "key"] as const;

const formats = {
  uuid: z.uuid(),
  date: z.iso.date(),
  "date-time": z.iso.datetime({ offset: true }),
  uri: z.string().refine(URL.canParse),
} as const;

/** /openapi.json of the service under test: its operations and their responses. */
export class Description {
  readonly version: string;
  readonly openapi: string;
  readonly operations: readonly Operation[];
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  readonly #document: OpenApi;
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  /** The segments of each operation's path, and what is found for the paths of this run: it asks the same ones often. */
  readonly #patterns: readonly (readonly [one: Operation, segments: readonly string[]])[];
  readonly #known = new Map<string, readonly Operation[]>();
  readonly #components = new Map<string, z.infer<typeof response>>();

  private constructor(raw: object, document: OpenApi) {
    this.#document = document;
    this.version = document.info.version;
    this.openapi = document.openapi;
    this.schemas = document.components.schemas;
    this.operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, one]) => this.#operation(path, method.toUpperCase(), one)),
    );
    this.#patterns = this.operations.map((one) => [one, one.path.split("/")]);
    for (const [name, rule] of Object.entries(formats))
      this.#ajv.addFormat(name, (text: string) => rule.safeParse(text).success);
    this.#ajv.addSchema({ ...raw, $id: documentId });
  }

  /** @throws when the service publishes no description, or an incomplete one */
  static async read(client: Client): Promise<Description> {
    const sent = { method: "GET", path: "/openapi.json", headers: {}, body: null };
    const answer = await client.send(sent);
    if (answer.status !== 200) throw new Error(`GET /openapi.json of ${client.baseUrl}: ${answer.status}`);
    return new Description(z.looseObject({}).parse(answer.json), openApi.parse(answer.json));
  }

  /** The operation of a request; null: none. HEAD is treated as GET. */
  operationOf(method: string, path: string): Operation | null {
    const wanted = method === "HEAD" ? "GET" : method;
    return this.#at(path).find((one) => one.method === wanted) ?? null;
  }

  /** @returns how a response differs from the description; null when it does not */
  fault(sent: Sent, answer: Answer): string | null {
    if (answer.header("x-request-id") === "") return "no X-Request-Id";
    const literal = sent.path.split(/[?#]/, 1)[0] ?? "";
    // The service may or may not accept an unusual spelling of an address.
    const path = answer.status === 404 ? literal : normalPath(literal);
    const found = this.operationOf(sent.method, path);
    return found === null
      ? this.#faultOutside(sent.method, path, answer)
      : this.#faultInside(found, sent.method, answer);
  }

  /** Templates that match a path; a fixed segment comes before a parameter. */
  #at(path: string): readonly Operation[] {
    const known = this.#known.get(path);
    if (known !== undefined) return known;
    const parts = path.split("/");
    const fits = this.#patterns.flatMap(([one, pattern]) =>
      pattern.length === parts.length &&
      pattern.every((part, i) => (part.startsWith("{") ? parts[i] !== "" : part === parts[i]))
        ? [one]
        : [],
    );
    const fixed = fits.filter((one) => one.path === path);
    const found = fixed.length > 0 ? fixed : fits;
    this.#known.set(path, found);
    return found;
  }

  #faultInside(found: Operation, method: string, answer: Answer): string | null {
    const described = this.#response(found, answer.status);
    if (described === null) return `status ${answer.status} is not described`;
    if (answer.status >= 500 && answer.status !== 503) return `status ${answer.status}`;
    const missing = requiredHeaders(answer.status).find((name) => answer.header(name) === "");
    if (missing !== undefined) return `${answer.status} without ${missing}`;
    const types = Object.keys(described.content);
    if (method === "HEAD" || types.length === 0)
      return answer.body.byteLength === 0 ? null : `${method} ${answer.status} has a body`;
    if (!types.includes(answer.mediaType))
      return `${answer.status} has media type ${answer.mediaType || "(none)"}, but the description has ${types.join(", ")}`;
    return this.#bodyFault(`${described.pointer}/content/${escaped(answer.mediaType)}/schema`, answer);
  }

  /** Paths and methods that are not described must get a problem document. Outside /v1 there may be pages. */
  #faultOutside(method: string, path: string, answer: Answer): string | null {
    const { status } = answer;
    if (status < 400)
      return /^\/(admin\/)?v1(\/|$)/.test(path) && method !== "OPTIONS"
        ? `status ${status} for an address that is not described`
        : null;
    if (status >= 500 && status !== 503) return `status ${status}`;
    if (status === 405 && answer.header("allow") === "") return "405 without Allow";
    if (method === "HEAD") return answer.body.byteLength === 0 ? null : "HEAD has a body";
    if (answer.mediaType !== "application/problem+json")
      return `${status} has media type ${answer.mediaType}`;
    const parsed = problem.safeParse(parseJson(answer));
    return parsed.success ? null : `the body of ${status} is not a problem document: ${parsed.error.message}`;
  }

  #response(found: Operation, status: number) {
    const base = `#/paths/${escaped(found.path)}/${found.method.toLowerCase()}/responses/${status}`;
    const one = this.#document.paths[found.path]?.[found.method.toLowerCase()]?.responses[String(status)];
    if (one === undefined) return null;
    return "$ref" in one
      ? { ...this.#component(one.$ref), pointer: one.$ref }
      : { content: one.content, pointer: base };
  }

  #component(ref: string): z.infer<typeof response> {
    const known = this.#components.get(ref);
    if (known !== undefined) return known;
    const found = response.parse(this.#document.components.responses[ref.split("/").at(-1) ?? ""]);
    this.#components.set(ref, found);
    return found;
  }

  #bodyFault(pointer: string, answer: Answer): string | null {
    const validate = this.#ajv.getSchema(documentId + pointer);
    if (validate === undefined) return `the description has no schema at ${pointer}`;
    const value = /[/+]json$/.test(answer.mediaType) ? parseJson(answer) : answer.text;
    if (value === undefined) return `the body of ${answer.status} is not JSON`;
    return validate(value) ? null : `${answer.status}: ${this.#ajv.errorsText(validate.errors?.slice(0, 5))}`;
  }

  #operation(path: string, method: string, one: z.infer<typeof operation>): Operation {
    const [security = {}] = one.security;
    const parameters = one.parameters.map((given) =>
      "$ref" in given
        ? parameter.parse(this.#document.components.parameters[given.$ref.split("/").at(-1) ?? ""])
        : given,
    );
    const headers = Object.entries(one.responses).map(([status, given]) => [
      status,
      Object.keys(("$ref" in given ? this.#component(given.$ref) : given).headers),
    ]);
    const success = one.responses["200"];
    return {
      id: one.operationId,
      endless: success !== undefined && "content" in success && "text/event-stream" in success.content,
      method,
      path,
      auth: authNames.find((name) => name in security) ?? "none",
      parameters,
      bodies: Object.fromEntries(
        Object.entries(one.requestBody?.content ?? {}).map(([type, media]) => [type, media.schema]),
      ),
      headers: Object.fromEntries(headers),
    };
  }
}

const documentId = "tapewire:openapi";

/** A part of a JSON pointer in a URL fragment. */
function escaped(part: string): string {
  return encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"));
}

/** A path in normal form: without dot segments and unnecessary percent-encoding (RFC 3986, 6.2.2). */
function normalPath(path: string): string {
  const { pathname } = URL.canParse(`http://x${path}`) ? new URL(`http://x${path}`) : { pathname: path };
  return pathname.replaceAll(/%(2d|2e|3\d|4[1-9a-f]|5[0-9af]|6[1-9a-f]|7[0-9ae])/gi, decodeURIComponent);
}

/** Headers that error responses must have. Source: decisions, Errors. */
function requiredHeaders(status: number): readonly string[] {
  if (status === 401) return ["WWW-Authenticate"];
  if (status === 405) return ["Allow"];
  return status === 429 || status === 503 ? ["Retry-After"] : [];
}

function parseJson(answer: Answer): unknown {
  try {
    return answer.json;
  } catch {
    return undefined;
  }
}
