import assert from "node:assert/strict";
import { test } from "node:test";
import { itemIdOf } from "../../src/feed/item.ts";

// Made with another implementation of UUIDv5. They must never change: ids are equal in every deployment, for ever.
test("an item's id is the UUIDv5 of its unique_id in Tapewire's namespace", () => {
  assert.equal(itemIdOf("sec:0000320193-22-000061"), "8f8e9a01-6b54-5211-b3da-d13d46fee3e6");
  assert.equal(itemIdOf("guid:wire-a:é-1"), "92008b41-ed79-52bd-b7f8-ecba6dab16de");
});
