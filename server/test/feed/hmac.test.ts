import assert from "node:assert/strict";
import { createHmac, randomBytes } from "node:crypto";
import { test } from "node:test";
import { Hmac } from "../../src/feed/hmac.ts";

test("digests are those of Node's HMAC, message after message", () => {
  for (const keyBytes of [0, 1, 32, 64]) {
    const key = randomBytes(keyBytes);
    const hmac = new Hmac(key, 33);
    for (let n = 0; n < 20; n++) {
      randomBytes(33).copy(hmac.message);
      const expected = createHmac("sha256", key).update(hmac.message).digest("binary");
      assert.equal(hmac.digest(), expected);
    }
  }
});

test("a key longer than a block is refused", () => {
  assert.throws(() => new Hmac(Buffer.alloc(65), 1), RangeError);
});
