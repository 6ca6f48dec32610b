import assert from "node:assert/strict";
import { test } from "node:test";
import { afterFailure } from "../../../src/ingest/documents/tries.ts";
import { tooLarge } from "../../../src/ingest/fetch/content-coding.ts";
import { FetchError } from "../../../src/ingest/fetch/types.ts";

test("a document that is too large is not requested again, one that was cut off is", () => {
  assert.equal(afterFailure(0, tooLarge(1_000), false), null);
  assert.equal(afterFailure(0, new FetchError("other side closed"), false)?.counts, true);
});
