import type { Sent } from "./client.ts";
import type { Description, Operation, Parameter } from "./description.ts";
import { hostileTexts, Values } from "./fuzz-values.ts";
import { Random } from "./random.ts";

/** Tokens for calls, and ids that exist. */
export interface FuzzWorld {
  readonly keys: readonly [string, ...string[]];
  readonly adminToken: string;
  /** Headers of a page of the dashboard in sessions. Empty: the service has none. */
  readonly pages: readonly Readonly<Record<string, string>>[];
  /** Ids of an account, of items and of a webhook endpoint. */
  readonly ids: readonly string[];
  /** A source, a provider, a ticker, and a cursor of the list. */
  readonly names: readonly string[];
  /** Whether to make admin calls that change things. */
  readonly admin: boolean;
}

const methods = [
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "OPTIONS",
  "TRACE",
  "PROPFIND",
  "PURGE",
] as const;
const mediaTypes = [
  "application/json; charset=utf-8",
  "APPLICATION/JSON",
  "application/json; charset=utf-16",
  "application/json;;;",
  "application/x-ndjson",
  "application/xml",
  "text/plain",
  "multipart/form-data; boundary=x",
  "application/x-www-form-urlencoded",
  "",
  "x",
] as const;

/** Headers that servers read, with valid and invalid values. */
const headerChoices: Readonly<Record<string, readonly string[]>> = {
  accept: ["*/*", "application/xml", "text/html;q=0.1", "", "x".repeat(2_000)],
  "accept-encoding": [
    "gzip",
    "br",
    "gzip;q=0",
    "*;q=0",
    "identity;q=0",
    "zstd",
    "gzip,".repeat(200),
    "br;q=x",
  ],
  "if-none-match": ["*", '""', 'W/"x"', '"x", "y"', "x", "", '"'.repeat(50), '"x",'.repeat(500)],
  "if-match": ["*", '"x"'],
  "if-modified-since": ["Thu, 01 Jan 1970 00:00:00 GMT", "x"],
  range: ["bytes=0-10", "bytes=x"],
  "idempotency-key": ["a", "same", "x".repeat(255), "x".repeat(256), "a b", "\u00e9", ""],
  "content-encoding": ["gzip", "br", "identity", "x"],
  "x-http-method-override": ["DELETE"],
  "x-forwarded-for": ["127.0.0.1", "x", "1.2.3.4,".repeat(100)],
  "x-forwarded-host": ["evil.example"],
  "x-request-id": ["mine", "\u00ff"],
  origin: ["https://page.example", "null", "x"],
  "access-control-request-method": ["GET", "DELETE", "x"],
  "access-control-request-headers": ["authorization", "x".repeat(1_000)],
  "content-language": ["xx"],
  cookie: ["a=b; ".repeat(100)],
  host: ["x", "a b", "[", "localhost:99999", ""],
  connection: ["close"],
  "transfer-encoding": ["chunked"],
};

/** Makes request number `index` of a run. The same seed gives the same request, except for keys and ids. */
export function fuzzRequest(description: Description, world: FuzzWorld, seed: number, index: number): Sent {
  const random = new Random(Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b));
  const values = new Values(description.schemas, random);
  const operation = random.pick(callable(description, { admin: world.admin || random.chance(0.01) }));
  const method = random.chance(0.92) ? operation.method : random.pick(methods);
  const path = random.chance(0.9)
    ? pathOf(operation, { random, values, world })
    : oddPath(operation.path, random);
  const sent = {
    method,
    path: path + queryOf(operation, { random, values, world }),
    ...bodyOf(operation, random, values),
  };
  const headers = {
    ...authorization(operation, method, { random, world }),
    ...sent.headers,
    ...oddHeaders(random),
  };
  return { ...sent, headers };
}

/** Operations whose response ends, without admin calls that would only be refused. */
function callable({ operations }: Description, { admin }: Pick<FuzzWorld, "admin">): readonly Operation[] {
  return operations.filter(
    ({ auth, method, endless }) => !endless && (admin || auth !== "admin" || method === "GET"),
  );
}

interface Draw {
  readonly random: Random;
  readonly values: Values;
  readonly world: FuzzWorld;
}

function pathOf({ path, parameters }: Operation, { random, values, world }: Draw): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const schema = parameters.find((one) => one.in === "path" && one.name === name)?.schema ?? {};
    if (random.chance(0.3)) return encoded(random.pick(hostileTexts)) || "%20";
    const known = schema.format === "uuid" ? world.ids : schema.enum === undefined ? world.names : [];
    if (known.length > 0 && random.chance(0.6)) return random.pick(known);
    return encoded(String(values.valid(schema))) || "x";
  });
}

/** A path that is similar to one of the description. */
function oddPath(path: string, random: Random): string {
  const at = path.replaceAll(/\{\w+\}/g, () => random.uuid());
  const hostile = encoded(random.pick(hostileTexts));
  return random.pick([
    `${at}/`,
    `/${at}`,
    `${at}/${hostile}`,
    `/${hostile}`,
    `/v1/${hostile}`,
    at.toUpperCase(),
    at.replace("/v1", "/v1/../v1"),
    at.replace("/v1/", "/v1/%2e%2e/v1/"),
    `/${at.slice(1).replaceAll("/", "%2F")}`,
    `/${at.slice(1).replaceAll("/", "\\")}`,
    at.replaceAll("e", "%65"),
    `${at};a=b`,
    `${at}%00`,
    `${at}%`,
    `${at}%ff`,
    at.replace("/v1", "/v2"),
    `/${"a/".repeat(200)}`,
    `/v1/${"a".repeat(4_000)}`,
    "/",
  ]);
}

function queryOf({ parameters }: Operation, draw: Draw): string {
  const { random } = draw;
  const declared = parameters.filter((one) => one.in === "query");
  const parts = declared.flatMap((one) => (random.chance(0.3) ? [queryPart(one, draw)] : []));
  if (random.chance(0.1))
    parts.push(`${encoded(random.pick(hostileTexts))}=${encoded(random.pick(hostileTexts))}`);
  if (random.chance(0.05))
    parts.push(random.pick(["&&", "=", "a", "%", "%ff=%ff", "[]=1", "a[b]=c", "?", "limit", "+"]));
  if (parts.length > 0 && random.chance(0.05)) parts.push(random.pick(parts));
  return parts.length === 0 ? "" : `?${parts.join("&")}`;
}

function queryPart({ name, schema }: Parameter, { random, values, world }: Draw): string {
  const isText = schema.type === "string" && schema.enum === undefined && schema.format === undefined;
  const good = isText && random.chance(0.3) ? random.pick(world.names) : values.valid(schema);
  const value = random.chance(0.65) ? good : random.pick(hostileTexts);
  return `${name}=${random.chance(0.97) ? encoded(String(value)) : "%E2%82"}`;
}

/** A body that matches the schema, or is wrong somewhere, or is not JSON. */
function bodyOf(operation: Operation, random: Random, values: Values) {
  const [type] = Object.keys(operation.bodies);
  const schema = operation.bodies["application/json"];
  if (type === undefined || schema === undefined)
    return random.chance(0.97)
      ? { headers: {}, body: null }
      : { headers: { "content-type": "application/json" }, body: JSON.stringify(values.hostile()) };
  const contentType = random.chance(0.93) ? "application/json" : random.pick(mediaTypes);
  const headers = { "content-type": contentType };
  const valid = values.valid(schema);
  if (random.chance(0.35)) return { headers, body: JSON.stringify(valid) };
  if (random.chance(0.75)) return { headers, body: JSON.stringify(values.broken(valid)) ?? "" };
  const text = JSON.stringify(valid) ?? "";
  return { headers, body: random.chance(0.02) ? " ".repeat(1_100_000) + text : brokenText(text, random) };
}

function brokenText(text: string, random: Random): string | Buffer {
  return random.pick([
    "",
    text.slice(0, random.int(0, text.length)),
    `${text}${text}`,
    `${text.slice(0, -1)},}`,
    `\ufeff${text}`,
    text.replaceAll('"', "'"),
    text.replace(/:/, ':1e999,"x":'),
    text.replace(/\{/, '{"__proto__":{"x":1},'),
    "[".repeat(20_000),
    `${"[".repeat(5_000)}${"]".repeat(5_000)}`,
    `${'{"a":'.repeat(3_000)}1${"}".repeat(3_000)}`,
    '"\\ud800"',
    "-",
    Buffer.from(text, "utf16le"),
    Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
    Buffer.from([0]),
  ]);
}

function authorization(
  { auth, path }: Operation,
  method: string,
  { random, world }: Pick<Draw, "random" | "world">,
): Record<string, string> {
  const key = random.pick(world.keys);
  // Few: an address that fails too often is limited.
  if (random.chance(0.002))
    return random.pick<Record<string, string>>([
      {},
      { authorization: "" },
      { authorization: `Bearer ${key.slice(0, -1)}` },
      { authorization: `Basic ${key}` },
      { authorization: `Bearer ${"x".repeat(3_000)}` },
      { authorization: "Bearer \u00ff" },
    ]);
  if (auth === "session" || path.startsWith("/app/"))
    return world.pages.length === 0 ? {} : random.pick(world.pages);
  const admin = auth === "admin" || path.startsWith("/admin/");
  if (!admin) return { authorization: `Bearer ${key}` };
  return world.admin || method === "GET" || method === "HEAD"
    ? { authorization: `Bearer ${world.adminToken}` }
    : {};
}

function oddHeaders(random: Random): Record<string, string> {
  const names = Object.keys(headerChoices).filter(() => random.chance(0.03));
  return Object.fromEntries(names.map((name) => [name, random.pick(headerChoices[name] ?? [""])]));
}

/** Percent-encodes a text; a lone surrogate becomes the bytes that UTF-8 would give it. */
function encoded(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : "%ED%A0%80";
}
