import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { sdkTypes } from "../../tools/sdk-types.ts";

test("the committed types are those of the documents", () => {
  const committed = readFileSync(new URL("../src/types.ts", import.meta.url), "utf8");
  assert.equal(committed, sdkTypes(), "run `node tools/sdk-types.ts`");
});
