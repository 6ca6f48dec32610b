import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError, fieldErrors, problemOf } from "@tapewire/contract/errors/errors.ts";
import { instantText } from "@tapewire/contract/input.ts";
import { clientFrame } from "@tapewire/contract/stream.ts";
import { z } from "zod";
import { ConfigError, readConfig } from "../../src/config/config.ts";
import { dictionary } from "../support/dictionary.ts";

/** What a problem document tells of a value, `name: detail`. */
function told(schema: z.ZodType, value: unknown): string[] {
  const { error } = schema.safeParse(value);
  assert.ok(error, `${JSON.stringify(value)} was taken`);
  const refusal = new ApiError("invalid_body", { fields: fieldErrors(error, "body") });
  const { errors = [], detail: all } = problemOf(refusal, { instance: "/", requestId: "" });
  const texts = errors.map(({ name, detail }) => `${name}: ${detail}`);
  assert.equal(all, texts.join("; "));
  return texts;
}

const cases: readonly [schema: z.ZodType, value: unknown, detail: string][] = [
  [z.string(), undefined, "is required"],
  [z.string(), 5, "must be a string"],
  [z.string(), null, "must be a string"],
  [z.string().min(1), "", "must not be empty"],
  [z.string().min(3), "ab", "must have at least 3 characters"],
  [z.string().max(1), "ab", "must have at most 1 character"],
  [z.string().length(2), "a", "must have 2 characters"],
  [z.string().regex(/^a$/), "b", "must match /^a$/"],
  [z.string().regex(/^a$/, "must be an a"), "b", "must be an a"],
  [z.string().refine(() => false), "b", "is not valid"],
  [z.uuid(), "x", "must be a uuid"],
  [z.guid(), "x", "must be a uuid"],
  [z.url(), "x", "must be an absolute URL"],
  [z.email(), "x", "must be an e-mail address"],
  [z.number(), "5", "must be a number"],
  [z.number().min(0.5), 0, "must be at least 0.5"],
  [z.number().gt(0), 0, "must be above 0"],
  [z.number().lt(1), 1, "must be below 1"],
  [z.number().multipleOf(5), 7, "must be a multiple of 5"],
  [z.int(), 1.5, "must be an integer"],
  [z.int(), "5", "must be an integer"],
  [z.int().min(1).max(9), "5", "must be an integer from 1 to 9"],
  [z.int().min(1), 0, "must be at least 1"],
  [z.boolean(), "true", "must be true or false"],
  [z.array(z.string()), {}, "must be a list"],
  [z.array(z.string()).min(1), [], "must not be empty"],
  [z.array(z.string()).max(2), ["a", "b", "c"], "must have at most 2 values"],
  [z.object({}), [], "must be an object"],
  [z.enum(["a", "b"]), "c", "must be one of a, b"],
  [z.enum(["a", "b"]), undefined, "is required"],
  [z.literal("a"), "b", "must be a"],
  [z.union([z.string(), z.number()]), true, "must be a string or a number"],
];

test("each kind of refusal has our words; those of a rule itself stay; the whole is called body", () => {
  for (const [schema, value, detail] of cases) assert.deepEqual(told(schema, value), [`body: ${detail}`]);
});

test("a frame of the stream: its type and its members", () => {
  const frame = clientFrame(dictionary);
  for (const value of [{}, { type: "suscribe" }])
    assert.deepEqual(told(frame, value), ["type: must be one of subscribe, unsubscribe, ping"]);
  assert.deepEqual(
    told(frame, { type: "subscribe", snapshot: -1, filters: { symbols: "AAPL", symbol: [] } }),
    ["filters.symbols: must be a list", "filters.symbol: unknown member", "snapshot: must be at least 0"],
  );
});

test("a date-time whose + became a blank is told how to write it; others are not", () => {
  for (const text of ["2026-11-21T19:00:00 00:00", "2026-11-21T19:00:00.5 05:30"])
    assert.match(told(instantText, text).join(), /: must be an RFC 3339 date-time .* \(.*\+ as %2B.*\)$/);
  for (const text of ["yesterday", "2026-11-21", "2026-11-21 19:00:00"])
    assert.doesNotMatch(told(instantText, text).join(), /%2B/);
  assert.deepEqual(told(instantText, undefined), ["body: is required"]);
  assert.ok(instantText.safeParse("2026-11-21T19:00:00+00:00").success);
});

test("settings are refused in the same words", () => {
  const env = { TAPEWIRE_PORT: "http", TAPEWIRE_TRUST_PROXY: "99", TAPEWIRE_DEMO: "yes" };
  assert.throws(
    () => readConfig(env),
    new ConfigError(
      [
        "TAPEWIRE_PORT: must be an integer from 0 to 65535",
        "TAPEWIRE_DEMO: must be one of on, off, auto",
        "TAPEWIRE_TRUST_PROXY: must be at most 16",
      ].join("\n"),
    ),
  );
});
