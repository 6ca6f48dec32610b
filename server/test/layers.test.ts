import assert from "node:assert/strict";
import { existsSync, globSync, mkdirSync, mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { rooms } from "../../tools/layers/rooms.ts";
import { readSources } from "../../tools/layers/source.ts";
import { layerViolations } from "../../tools/layers.ts";

const root = join(import.meta.dirname, "..", "..");

test("imports go down the layers and through doors, what is reserved is used by its owner, and there are no cycles", () => {
  assert.deepEqual(layerViolations(root), []);
});

test("every door of a room exists, and every folder of a layer is a room", () => {
  for (const [room, doors] of Object.entries(rooms))
    for (const door of doors) assert.ok(existsSync(join(root, room, door)), `${room}/${door}`);
  // The folders of server/src are layers themselves; those of the parts of the app and of the bus have doors as well.
  const folders = globSync(
    ["{contract,scoring,sdk,mcp}/src/*/**/", "server/src/*/*/**/", "server/src/{app,bus}/"],
    {
      cwd: root,
    },
  ).map((path) => path.replaceAll("\\", "/").replace(/\/$/, ""));
  const withFiles = folders.filter((folder) => globSync(`${folder}/*.ts`, { cwd: root }).length > 0);
  assert.deepEqual(withFiles.sort(), Object.keys(rooms).sort());
});

test("every door of a room is used from outside", () => {
  const targets = readSources(root).flatMap(({ path, imports }) =>
    imports.flatMap(({ target }) => (target === null ? [] : { path, target })),
  );
  const unused = Object.entries(rooms).flatMap(([room, doors]) =>
    doors
      .map((door) => `${room}/${door}`)
      .filter((door) => !targets.some(({ path, target }) => target === door && !path.startsWith(`${room}/`))),
  );
  assert.deepEqual(unused, []);
});

const breaches: Readonly<Record<string, { file: string; source: string; message: RegExp }>> = {
  "an import upwards": {
    file: "server/src/feed/a.ts",
    source: `import { db } from "../store/db.ts";`,
    message: /feed must not import store/,
  },
  "an import of the contract by the SDK": {
    file: "sdk/src/a.ts",
    source: `import type { FeedItem } from "@tapewire/contract/feeds.ts";`,
    message: /sdk must not import contract/,
  },
  "a dependency of the SDK": {
    file: "sdk/src/a.ts",
    source: `import { z } from "zod";`,
    message: /sdk imports zod, but has no dependencies/,
  },
  "a type-only import upwards": {
    file: "server/src/store/a.ts",
    source: `import type { Log } from "../itemlog/log.ts";`,
    message: /store must not import itemlog/,
  },
  "an import by package name": {
    file: "contract/src/a.ts",
    source: `export { x } from "@tapewire/scoring/types.ts";`,
    message: /contract must not import scoring/,
  },
  "an import over several lines": {
    file: "server/src/account/a.ts",
    source: `import {\n  one,\n  type Two as Other,\n} from "../itemlog/a.ts";`,
    message: /account must not import itemlog/,
  },
  "a dynamic import": {
    file: "server/src/runtime/a.ts",
    source: `const x = await import("../config/config.ts");`,
    message: /runtime must not import config/,
  },
  "an edge that imports another edge": {
    file: "server/src/http/a.ts",
    source: `import "../stream/gateway.ts";`,
    message: /http must not import stream/,
  },
  "scoring that imports more than the contract": {
    file: "scoring/src/a.ts",
    source: `import { sleep } from "../../server/src/runtime/clock.ts";`,
    message: /scoring must not import runtime/,
  },
  "product code that imports a test helper": {
    file: "server/src/http/a.ts",
    source: `import { testDb } from "../../test/support/db.ts";`,
    message: /is no product code/,
  },
  "a folder without a layer": {
    file: "server/src/utils/a.ts",
    source: "export {};",
    message: /is in no layer/,
  },
  "SQL outside store": {
    file: "server/src/http/a.ts",
    source: `import { sql } from "kysely";`,
    message: /SQL only in store/,
  },
  "NATS outside bus": {
    file: "server/src/stream/a.ts",
    source: `import { connect } from "@nats-io/transport-node";`,
    message: /NATS only in bus/,
  },
  "a socket outside the edges": {
    file: "server/src/score/a.ts",
    source: `import { request } from "undici";`,
    message: /sockets only in ingest/,
  },
  "an SQL type outside store": {
    file: "server/src/http/a.ts",
    source: `import type { Pool } from "pg";`,
    message: /SQL only in store/,
  },
  "an environment variable outside config": {
    file: "server/src/ingest/a.ts",
    source: "const home = process.env.HOME;",
    message: /process\.env; only in config/,
  },
  "the wall clock outside runtime/clock.ts": {
    file: "server/src/runtime/a.ts",
    source: "const now = Date.now();",
    message: /the wall clock; only in server\/src\/runtime\/clock\.ts/,
  },
  "the wall clock in scoring": {
    file: "scoring/src/a.ts",
    source: "const now = new Date();",
    message: /the wall clock/,
  },
  "a contract that needs Node": {
    file: "contract/src/a.ts",
    source: `import { readFileSync } from "node:fs";`,
    message: /must run in a browser/,
  },
  "an import past a door": {
    file: "scoring/src/a.ts",
    source: `import { scan } from "./flash/words/scan.ts";`,
    message: /scoring\/src\/flash\/words\/scan\.ts past the door of scoring\/src\/flash: flash\.ts/,
  },
  "a type-only import past a door": {
    file: "scoring/src/tags/a.ts",
    source: `import type { Section } from "../linking/section.ts";`,
    message: /past the door of scoring\/src\/linking/,
  },
  "an import past a door by package name": {
    file: "server/src/score/a.ts",
    source: `import { detailOf } from "@tapewire/scoring/pro/detail.ts";`,
    message: /past the door of scoring\/src\/pro/,
  },
  "a dynamic import past a door": {
    file: "cli/src/a.ts",
    source: `const { matcher } = await import("@tapewire/scoring/tags/matcher.ts");`,
    message: /past the door of scoring\/src\/tags/,
  },
  "an import past the door of a room inside the same room": {
    file: "scoring/src/flash/a.ts",
    source: `import { moveCue } from "./cues/moves.ts";`,
    message: /past the door of scoring\/src\/flash\/cues/,
  },
  "an import past a door between two rooms of one room": {
    file: "scoring/src/flash/events/a.ts",
    source: `import { forms } from "../words/word-forms.ts";`,
    message: /past the door of scoring\/src\/flash\/words/,
  },
  "an import past a door of a room of the server": {
    file: "server/src/webhooks/a.ts",
    source: `import { Connector } from "./send/connector.ts";`,
    message: /past the door of server\/src\/webhooks\/send: sender\.ts, sign\.ts/,
  },
  "an import past a door from another layer": {
    file: "server/src/itemlog/a.ts",
    source: `import type { Connections } from "../store/engine/connections.ts";`,
    message: /past the door of server\/src\/store\/engine/,
  },
  "an import past a door of a room inside a room of the server": {
    file: "server/src/ingest/sources/halts.ts",
    source: `import { formOf } from "./edgar/forms.ts";`,
    message: /past the door of server\/src\/ingest\/sources\/edgar: edgar\.ts/,
  },
  "an import past a door of the contract": {
    file: "server/src/http/a.ts",
    source: `import { feedRoutes } from "@tapewire/contract/routes/feeds.ts";`,
    message: /past the door of contract\/src\/routes: routes\.ts/,
  },
  "an import of the types of a room that is inside another": {
    file: "scoring/src/pro/a.ts",
    source: `import type { Cue } from "../flash/cues/types.ts";`,
    message: /past the door of scoring\/src\/flash:/,
  },
};

for (const [name, { file, source, message }] of Object.entries(breaches))
  test(`the check finds ${name}`, () => {
    const found = check({ [file]: source });
    assert.equal(found.length, 1, found.join("\n"));
    assert.match(found[0] ?? "", message);
  });

for (const folder of ["contract/src", "scoring/src/flash/cues", "server/src/feed", "cli/src/commands"]) {
  const cycle = new RegExp(`^import cycle: ${folder}/a.ts -> ${folder}/b.ts -> ${folder}/a.ts$`);

  test(`the check finds an import cycle in ${folder}`, () => {
    const found = check({
      [`${folder}/a.ts`]: `import { b } from "./b.ts"; export const a = b;`,
      [`${folder}/b.ts`]: `import { a } from "./a.ts"; export const b = () => a;`,
    });
    assert.equal(found.length, 1, found.join("\n"));
    assert.match(found[0] ?? "", cycle);
  });

  test(`the check finds a cycle by a type import in ${folder}`, () => {
    const found = check({
      [`${folder}/a.ts`]: `import { b } from "./b.ts"; export type A = typeof b;`,
      [`${folder}/b.ts`]: `import type { A } from "./a.ts"; export const b: A = 1;`,
    });
    assert.equal(found.length, 1, found.join("\n"));
    assert.match(found[0] ?? "", cycle);
  });
}

test("the check finds a file that imports itself", () => {
  const found = check({ "server/src/feed/a.ts": `export * from "./a.ts";` });
  assert.deepEqual(found, ["import cycle: server/src/feed/a.ts -> server/src/feed/a.ts"]);
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

test("imports through a door, within a room, and out of an inner room are no breach", () => {
  const found = check({
    "scoring/src/a.ts": [
      `import { flash } from "./flash/flash.ts";`,
      `import { eventOf } from "./flash/events/catalogue.ts";`,
      `import type { NumberFact } from "./pro/types.ts";`,
    ].join("\n"),
    "scoring/src/flash/flash.ts": `import { readText } from "./cues/cues.ts"; import { weigh } from "./sentiment.ts";`,
    "scoring/src/flash/cues/cues.ts": [
      `import { moveCue } from "./moves.ts";`,
      `import type { Cue } from "./types.ts";`,
      `import { scan } from "../words/scan.ts";`,
      `import { named } from "../own-names.ts";`,
    ].join("\n"),
    "scoring/src/flash/words/scan.ts": `import { forms } from "./word-forms.ts";`,
    "server/src/score/a.ts": `import { flash } from "@tapewire/scoring/flash/flash.ts";`,
    "scoring/test/a.test.ts": `import { scan } from "../src/flash/words/scan.ts";`,
    "scoring/training/a.ts": `import { decodeModel } from "../src/flash/heads/model-file.ts";`,
  });
  assert.deepEqual(found, []);
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
