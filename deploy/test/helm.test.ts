import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Ajv } from "ajv";
import { parse } from "yaml";
import { root } from "./docker.ts";

const chart = join(root, "deploy", "helm", "tapewire");
const read = (name: string) => readFileSync(join(chart, name), "utf8");
const values = () => parse(read("values.yaml"));
const templates = globSync("templates/*", { cwd: chart }).map((name) => ({ name, text: read(name) }));

test("the chart's values fit their schema; a database, a host and real names are asked for", () => {
  const fits = new Ajv({ strict: false }).compile(JSON.parse(read("values.schema.json")));
  const changed = (change: object) => fits({ ...values(), ...change });
  assert.ok(changed({}), JSON.stringify(fits.errors));
  assert.ok(!changed({ mode: "roles" }), "roles without a database");
  assert.ok(changed({ mode: "roles", databaseUrl: { existingSecret: "db", key: "uri" } }));
  assert.ok(!changed({ ingress: { enabled: true, host: "" } }));
  assert.ok(!changed({ persistance: {} }));
  assert.ok(!changed({ image: { repository: "tapewire", tag: "latest" } }));
});

test("the chart has the version of the program, and its templates use values and parts that exist", () => {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  assert.equal(String(parse(read("Chart.yaml")).appVersion), version);
  const all = templates.map(({ text }) => text).join("\n");
  const defined = new Set([...all.matchAll(/define "([\w.]+)"/g)].map(([, name]) => name));
  for (const [, name] of all.matchAll(/include "([\w.]+)"/g)) assert.ok(defined.has(name), name);
  for (const [, path = ""] of all.matchAll(/\.Values\.([\w.]+)/g)) {
    let at: unknown = values();
    for (const key of path.split(".")) {
      assert.ok(typeof at === "object" && at !== null && key in at, path);
      at = Object.entries(at).find(([name]) => name === key)?.[1];
    }
  }
});

test("every value and every member of a role is used", () => {
  const all = templates.map(({ text }) => text).join("\n");
  const used = (path: string) => new RegExp(`\\.Values\\.${path}(?![\\w])`).test(all);
  const unused = Object.entries(values()).flatMap(([key, value]) => {
    if (used(`${key}(?!\\.)`) || value === null || typeof value !== "object") return used(key) ? [] : [key];
    return Object.keys(value).flatMap((member) => (used(`${key}\\.${member}`) ? [] : [`${key}.${member}`]));
  });
  assert.deepEqual(unused, []);
  const { role } = JSON.parse(read("values.schema.json")).definitions;
  for (const member of Object.keys(role.properties)) assert.ok(all.includes(`$of.${member}`), member);
});

test("every block of a template is closed", () => {
  for (const { name, text } of templates) {
    const words = [...text.matchAll(/\{\{-?\s*(if|range|with|define|end)\b/g)].map(([, word]) => word);
    let depth = 0;
    for (const word of words) {
      depth += word === "end" ? -1 : 1;
      assert.ok(depth >= 0, name);
    }
    assert.equal(depth, 0, name);
  }
});
