import assert from "node:assert/strict";
import { test } from "node:test";
import { readConfig } from "../../src/config/config.ts";

const DATABASE_URL = "postgres://127.0.0.1/tapewire";
const NATS_URL = "nats://127.0.0.1:4222";

test("a process has all roles but score, unless they are named", () => {
  assert.deepEqual(readConfig({}).roles, ["ingest", "api", "stream", "webhooks"]);
  assert.deepEqual(readConfig({ TAPEWIRE_ROLES: "score", DATABASE_URL, NATS_URL }).roles, ["score"]);
  assert.throws(() => readConfig({ TAPEWIRE_ROLES: "judge" }), /^ConfigError: TAPEWIRE_ROLES: /);
});

test("a replica is one of a database that is named", () => {
  assert.throws(
    () => readConfig({ DATABASE_READ_URL: DATABASE_URL }),
    /^ConfigError: DATABASE_READ_URL: needs/,
  );
});

test("the role score needs the ways by which other processes reach it", () => {
  for (const env of [{}, { DATABASE_URL }, { NATS_URL }])
    assert.throws(
      () => readConfig({ TAPEWIRE_ROLES: "api,score", ...env }),
      /^ConfigError: TAPEWIRE_ROLES: score needs NATS_URL and DATABASE_URL/,
    );
});
