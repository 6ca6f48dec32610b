import assert from "node:assert/strict";
import { mkdirSync, mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { layerViolations } from "../../tools/layers.ts";

const root = join(import.meta.dirname, "..", "..");

test("imports go down the layers, each door is used by its owner only, and there are no cycles", () => {
  assert.deepEqual(layerViolations(root), []);
});

const breaches: Readonly<Record<string, { file: string; source: string; told: RegExp }>> = {
  "an import upwards": {
    file: "server/src/feed/a.ts",
    source: `import { db } from "../store/db.ts";`,
    told: /feed must not import store/,
  },
  "a type-only import upwards": {
    file: "server/src/store/a.ts",
    source: `import type { Log } from "../itemlog/log.ts";`,
    told: /store must not import itemlog/,
  },
  "an import by package name": {
    file: "contract/src/a.ts",
    source: `export { x } from "@tapewire/scoring/types.ts";`,
    told: /contract must not import scoring/,
  },
  "an import over several lines": {
    file: "server/src/account/a.ts",
    source: `import {\n  one,\n  type Two as Other,\n} from "../itemlog/a.ts";`,
    told: /account must not import itemlog/,
  },
  "a dynamic import": {
    file: "server/src/runtime/a.ts",
    source: `const x = await import("../config/config.ts");`,
    told: /runtime must not import config/,
  },
  "an edge that imports another edge": {
    file: "server/src/http/a.ts",
    source: `import "../stream/gateway.ts";`,
    told: /http must not import stream/,
  },
  "scoring that imports more than the contract": {
    file: "scoring/src/a.ts",
    source: `import { sleep } from "../../server/src/runtime/clock.ts";`,
    told: /scoring must not import runtime/,
  },
  "product code that imports a test helper": {
    file: "server/src/http/a.ts",
    source: `import { testDb } from "../../test/support/db.ts";`,
    told: /is no product code/,
  },
  "a folder without a layer": {
    file: "server/src/utils/a.ts",
    source: "export {};",
    told: /is in no layer/,
  },
  "SQL outside store": {
    file: "server/src/http/a.ts",
    source: `import { sql } from "kysely";`,
    told: /SQL only in store/,
  },
  "NATS outside bus": {
    file: "server/src/stream/a.ts",
    source: `import { connect } from "@nats-io/transport-node";`,
    told: /NATS only in bus/,
  },
  "a socket outside the edges": {
    file: "server/src/score/a.ts",
    source: `import { request } from "undici";`,
    told: /sockets only in ingest/,
  },
  "an SQL type outside store": {
    file: "server/src/http/a.ts",
    source: `import type { Pool } from "pg";`,
    told: /SQL only in store/,
  },
  "an environment variable outside config": {
    file: "server/src/ingest/a.ts",
    source: "const home = process.env.HOME;",
    told: /process\.env; only in config/,
  },
  "the wall clock outside runtime/clock.ts": {
    file: "server/src/runtime/a.ts",
    source: "const now = Date.now();",
    told: /the wall clock; only in server\/src\/runtime\/clock\.ts/,
  },
  "the wall clock in scoring": {
    file: "scoring/src/a.ts",
    source: "const now = new Date();",
    told: /the wall clock/,
  },
  "a contract that needs Node": {
    file: "contract/src/a.ts",
    source: `import { readFileSync } from "node:fs";`,
    told: /must run in a browser/,
  },
  "an import cycle": {
    file: "server/src/feed/a.ts",
    source: `export * from "./a.ts";`,
    told: /import cycle: server\/src\/feed\/a\.ts -> server\/src\/feed\/a\.ts/,
  },
};

for (const [name, { file, source, told }] of Object.entries(breaches))
  test(`the check finds ${name}`, () => {
    const found = check({ [file]: source });
    assert.equal(found.length, 1, found.join("\n"));
    assert.match(found[0] ?? "", told);
  });

test("a cycle over several files is told once", () => {
  const found = check({
    "server/src/feed/a.ts": `import "./b.ts";`,
    "server/src/feed/b.ts": `import type { C } from "./c.ts";`,
    "server/src/feed/c.ts": `import "./a.ts"; import "./d.ts";`,
    "server/src/feed/d.ts": "export {};",
  });
  assert.equal(found.length, 1, found.join("\n"));
});

test("comments, strings, tests and downward imports are no breach", () => {
  const found = check({
    "server/src/http/a.ts": [
      `import http from "node:http";`,
      `import { page } from "../store/items.ts";`,
      `import { feedItem } from "@tapewire/contract/feeds.ts";`,
      `const docs = "https://demo.invalid/"; // not process.env, and never Date.now()`,
      "/** import x from '../stream/gateway.ts' would be wrong; so would be new Date() */",
      "export const at = new Date(0), db = page, x = feedItem, y = http, z = docs;",
    ].join("\n"),
    "server/src/runtime/clock.ts": "export const now = () => new Date();",
    "server/src/main.ts": `import { app } from "./app.ts"; app();`,
    "server/src/app.ts": `import type { Server } from "node:http"; import "./http/a.ts"; export const app = () => {};`,
    "server/test/a.test.ts": `import pg from "pg"; process.env.X = String(Date.now());`,
  });
  assert.deepEqual(found, []);
});

function check(files: Readonly<Record<string, string>>): string[] {
  using folder = mkdtempDisposableSync(join(tmpdir(), "tapewire-layers-"));
  for (const [path, source] of Object.entries(files)) {
    mkdirSync(dirname(join(folder.path, path)), { recursive: true });
    writeFileSync(join(folder.path, path), source);
  }
  return layerViolations(folder.path);
}
