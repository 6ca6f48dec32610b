import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { z } from "zod";

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
