import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { Tapewire } from "tapewire";
import { z } from "zod";
import { serveOverStdio } from "../src/stdio.ts";

const read = (path: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), "utf8"));

/** The rules of the registry for what we use of its format. */
const variable = z.strictObject({
  description: z.string(),
  isRequired: z.literal(true),
  isSecret: z.boolean().optional(),
  placeholder: z.string(),
});
const header = z.strictObject({
  name: z.literal("Authorization"),
  description: z.string(),
  value: z.literal("Bearer {key}"),
  isRequired: z.literal(true),
  isSecret: z.literal(true),
  variables: z.strictObject({ key: variable.extend({ isSecret: z.literal(true) }) }),
});
const entry = z.strictObject({
  $schema: z.url(),
  name: z.string().regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().max(100),
  description: z.string().min(1).max(100),
  version: z.string(),
  remotes: z.tuple([
    z.strictObject({
      type: z.literal("streamable-http"),
      url: z.literal("https://{host}/mcp"),
      variables: z.strictObject({ host: variable }),
      headers: z.tuple([header]),
    }),
  ]),
});

test("server.json is what a registry takes, with the version of the service", () => {
  const { version } = z.looseObject({ version: z.string() }).parse(read("package.json"));
  assert.equal(entry.parse(read("server.json")).version, version);
});

test("over standard input and output a line that is no message is answered, in its place, and the next one is served", async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const tapewire = new Tapewire({ baseUrl: "http://127.0.0.1:1", key: "unused" });
  const bugs: unknown[] = [];
  const room = { tapewire, now: () => new Date(), onBug: (error: unknown) => bugs.push(error) };
  serveOverStdio(room, "1", { input, output });
  const answers = output.setEncoding("utf8")[Symbol.asyncIterator]();
  const ask = async (...chunks: string[]): Promise<unknown> => {
    for (const chunk of chunks) input.write(chunk);
    return JSON.parse(String((await answers.next()).value));
  };
  const refused = (id: number | null, code: number, message: string) => ({
    jsonrpc: "2.0",
    id,
    error: { code, message },
  });
  const parse = refused(null, -32700, "Parse error: a line is not JSON");
  const invalid = "Invalid Request: a line is not a message of JSON-RPC 2.0";
  const ping = (id: number) => `{"jsonrpc":"2.0","id":${id},"method":"ping"}`;
  assert.deepEqual(await ask("hello\n"), parse);
  assert.deepEqual(await ask('{"jsonrpc": ', '"2.0"\r\n'), parse);
  assert.deepEqual(await ask('{"id":7,"method":"ping"}\n'), refused(7, -32600, invalid));
  assert.deepEqual(await ask(`[${ping(1)}]\n`), refused(null, -32600, invalid));
  assert.deepEqual(await ask("\n", ping(2).slice(0, 9), `${ping(2).slice(9)}\r\n`), {
    jsonrpc: "2.0",
    id: 2,
    result: {},
  });
  // Too long to be looked at here; the transport has its own bound.
  assert.deepEqual(await ask("x".repeat(2_000_000), `\n${ping(3)}\n`), { jsonrpc: "2.0", id: 3, result: {} });
  assert.deepEqual(bugs, []);
  input.end();
});
