import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { configDocuments } from "../../../tools/docs-config.ts";

const root = join(import.meta.dirname, "..", "..", "..");

for (const [path, text] of Object.entries(configDocuments())) {
  test(`${path} says what the code says (else run node tools/docs-config.ts)`, () => {
    assert.equal(readFileSync(join(root, path), "utf8"), text);
  });
}

test("every setting is in the table and in the example", () => {
  const { "docs/config.md": page = "", ".env.example": example = "" } = configDocuments();
  for (const name of ["TAPEWIRE_PORT", "DATABASE_URL", "TAPEWIRE_ADMIN_TOKEN"]) {
    assert.match(page, new RegExp(`^\\| \`${name}\` \\|`, "m"));
    assert.match(example, new RegExp(`^#${name}=`, "m"));
  }
});

test("a setting with a pattern is described in the words it is refused with", () => {
  const { "docs/config.md": page = "" } = configDocuments();
  assert.match(page, /^\| `DATABASE_URL` \| postgres:\/\/user:password@host\/database \|/m);
});
